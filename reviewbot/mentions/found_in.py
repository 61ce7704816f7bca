"""Where a mention was found."""

from __future__ import annotations

from enum import StrEnum


class FoundIn(StrEnum):
    """The strongest first: a trailer says what a commit is, a title what the pull request is about."""

    TRAILER = "trailer"  # Pull Request resolved: …
    CHERRY_PICK = "cherry_pick"  # (cherry picked from commit …)
    TITLE = "title"
    BODY = "body"
    COMMIT = "commit"
    DIFF = "diff"  # the pull request carries upstream's own files
    REQUEST = "request"  # a person or the feed named it
