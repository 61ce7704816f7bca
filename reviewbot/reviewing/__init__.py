"""One review: from a thread to the analyses of all upstream changes it is about, and its one comment."""

from __future__ import annotations

from reviewbot.reviewing.desk import Desk
from reviewbot.reviewing.opening import open_desk
from reviewbot.reviewing.reviewer import Reviewer, open_reviewer
from reviewbot.reviewing.subjects import subjects_of

__all__ = ["Desk", "Reviewer", "open_desk", "open_reviewer", "subjects_of"]
