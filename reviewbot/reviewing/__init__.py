"""One review: from a thread to the analyses of all upstream changes it is about."""

from __future__ import annotations

from reviewbot.reviewing.reviewer import Reviewed, Reviewer, open_reviewer
from reviewbot.reviewing.subjects import subjects_of

__all__ = ["Reviewed", "Reviewer", "open_reviewer", "subjects_of"]
