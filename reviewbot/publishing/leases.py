"""Leases as files, for a command that posts without the service: one machine, any number of processes.

A lease that was not given back ends by itself. What was posted is recorded nowhere but on the forge: the marker in the
comment is the record, and it is looked for before anything is written.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from reviewbot.forges.models import Thread
from reviewbot.service.models import PostedComment


class FileLeases:
    """Implements `reviewbot.publishing.posting.Comments` in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def lease(self, thread: Thread, subject: str, owner: str, now: datetime, seconds: float) -> bool:
        """True when ``owner`` holds it now; whoever holds it may take it again."""
        with self._held(thread, subject) as held:
            if held and held["owner"] != owner and datetime.fromisoformat(held["until"]) > now:
                return False
            held.update(owner=owner, until=(now + timedelta(seconds=seconds)).isoformat())
            return True

    def release(self, thread: Thread, subject: str, owner: str) -> None:
        with self._held(thread, subject) as held:
            if held.get("owner") == owner:
                held.clear()

    def record(self, posted: PostedComment) -> None:
        """The comment itself is the record."""

    @contextmanager
    def _held(self, thread: Thread, subject: str) -> Iterator[dict[str, Any]]:
        """The content of the lease's file, written back at the end, under a lock."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(f"{thread.key} {subject}".encode()).hexdigest()[:32]
        with (self._folder / f"{name}.lease").open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read()
            held: dict[str, Any] = json.loads(text) if text else {}
            yield held
            file.seek(0)
            file.truncate()
            file.write(json.dumps(held) if held else "")
