"""What a pull request has to be reviewed for: what it names, else what it carries itself."""

from __future__ import annotations

from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import PullRequest
from reviewbot.forges.protocol import Forge
from reviewbot.mentions import FoundIn, carries_upstream, mentioned
from reviewbot.service.models import Subject, SubjectKind

#: The name of a pull request's own diff as a subject.
WHOLE = "whole"


def subjects_of(forge: Forge, pull: PullRequest, upstream: str) -> tuple[Subject, ...]:
    """Named changes in order of mention; without any, the whole diff where it touches upstream's own folders.

    A pull request with more commits than its forge lists is read by title and body. Raises ``ForgeError``.
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
    return (Subject(kind=SubjectKind.WHOLE, name=WHOLE, because=FoundIn.DIFF),) if _carries(forge, pull) else ()


def _carries(forge: Forge, pull: PullRequest) -> bool:
    """A diff that the forge does not show is too large for a plain change of torch_npu: it is taken for a sync."""
    from retrieval.change import parse_patch
    from retrieval.errors import ChangeError

    thread = pull.thread
    try:
        diff = forge.diff(thread.repository, thread.number)
        return carries_upstream(file.path for file in parse_patch(diff, thread.key).files)
    except ChangeError:
        return False  # empty: nothing is changed at all
    except ForgeError as error:
        if error.fault is ForgeFault.TOO_LARGE:
            return True
        raise
