"""The hidden first line of a comment, by which the bot finds its own again.

``v2`` names thread and subject; ``v1`` (`reviewbot.render.comment.marker`) named a subject alone and is still found.
Nobody is believed for a marker: the caller looks at comments of its own login only.
"""

from __future__ import annotations

import re

from reviewbot.forges.models import Thread

VERSION = 2
_UNSAFE = re.compile(r"[^A-Za-z0-9._/#:]+")  # a hyphen too: two of them would end the HTML comment
_V1 = re.compile(r"<!-- reviewbot:comment v1 key=(?P<subject>\S*) -->")


def marker(thread: Thread, subject: str = "") -> str:
    return f"<!-- reviewbot:comment v{VERSION} thread={_safe(thread.key)} subject={_safe(subject)} -->"


def bears_marker(body: str, thread: Thread, subject: str = "") -> bool:
    """Whether the first line marks the comment of (thread, subject). A v1 comment is that of its subject, and of the
    thread as a whole where nobody asks for a subject.
    """
    first = body.lstrip("\ufeff \t\r\n").partition("\n")[0].strip()
    if first == marker(thread, subject):
        return True
    old = _V1.fullmatch(first)
    return old is not None and (not subject or _safe(old["subject"]) == _safe(subject))


def _safe(text: str) -> str:
    return _UNSAFE.sub("-", text).strip("-")
