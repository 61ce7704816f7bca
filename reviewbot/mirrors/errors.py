"""What keeps a mirror from answering; the message says what to do."""

from __future__ import annotations

from reviewbot.errors import ReviewbotError


class MirrorError(ReviewbotError):
    """``name`` is the mirror (downstream, upstream). ``passing``: the same may succeed later (network, lock)."""

    def __init__(self, name: str, sentence: str, *, passing: bool = False) -> None:
        super().__init__(sentence)
        self.name = name
        self.passing = passing
