"""What is wrong with a delivery: the one error of this package."""

from __future__ import annotations

from reviewbot.errors import ReviewbotError


class UnreadableDeliveryError(ReviewbotError):
    """Not what the forge documents. ``key`` is the header or the dotted key at fault, "" when it is the whole body."""

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key
