"""The error of the rule table. ``prompts`` ships with the package, so a person sees it only after editing the table."""

from __future__ import annotations

from reviewbot.errors import ReviewbotError
from reviewbot.rubric import words


class RubricError(ReviewbotError):
    """``where`` is a rule id or a key of the table, ``reason`` says what is wrong and what would be right."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(words.rubric_refused(where, reason))
        self.where = where
        self.reason = reason
