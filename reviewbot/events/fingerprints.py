"""What makes two deliveries the same although their ids differ: see ``ReadDelivery``."""

from __future__ import annotations

import hashlib

from reviewbot.forges.models import ForgeKind, Thread


def of_pull_request(thread: Thread, head_sha: str, action: str, updated_at: str) -> str:
    """ "" without the time of the update: then nothing tells a repetition from the same thing done again."""
    return _digest(thread.key, head_sha, action, updated_at) if updated_at else ""


def of_comment(thread: Thread, comment_id: int, body: str) -> str:
    return _digest(thread.key, "comment", str(comment_id), body)


def of_landing(forge: ForgeKind, repository: str, number: int, base_ref: str, head_sha: str) -> str:
    return _digest(forge.value, repository, "landed", str(number), base_ref, head_sha)


def _digest(*parts: str) -> str:
    """64 hex digits; NUL, which no part holds, keeps the parts apart."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
