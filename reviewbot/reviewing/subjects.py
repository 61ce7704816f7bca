"""What a pull request has to be reviewed for: what it names, else what it carries itself."""

from __future__ import annotations

from retrieval.errors import RetrievalError
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import PullRequest
from reviewbot.forges.protocol import Forge
from reviewbot.mentions import FoundIn, carries_upstream, mentioned
from reviewbot.mirrors import ChangeSource, MirrorError
from reviewbot.service.models import Subject, SubjectKind

#: The name of a pull request's own diff as a subject.
WHOLE = "whole"


def subjects_of(forge: Forge, pull: PullRequest, upstream: str, source: ChangeSource) -> tuple[Subject, ...]:
    """Named changes in order of mention; without any, the whole diff where it touches upstream's own folders.

    A pull request with more commits than its forge lists is read by title and body. Raises ``ForgeError``, and
    ``MirrorError`` for a fetch that failed.
    """
    thread = pull.thread
    try:
        commits = forge.commits(thread.repository, thread.number)
    except ForgeError as error:
        if error.fault is not ForgeFault.TOO_LARGE:
            raise
        commits = ()
    if named := mentioned(pull, commits, upstream):
        return named
    whole = Subject(kind=SubjectKind.WHOLE, name=WHOLE, because=FoundIn.DIFF)
    return (whole,) if _carries(forge, pull, source) else ()


def _carries(forge: Forge, pull: PullRequest, source: ChangeSource) -> bool:
    """Told by the paths of the diff, from git where the forge does not show it whole. One that nobody can read names
    nothing to review.
    """
    try:
        return carries_upstream(file.path for file in source.carried(forge, pull).files)
    except RetrievalError:
        return False
    except MirrorError as error:
        if error.passing:
            raise
        return False
