"""What a person may name as SOURCE, and which way it is read.

==============================================  ==================================================================
``-``                                           a patch on standard input
``pytorch/pytorch#N``, the pull request's URL   the commit of ``clone`` that landed it
an existing file                                a diff or patch
``A..B``, ``A...B``                             a range of ``clone``
anything else                                   a commit of ``clone`` (id, branch, tag, ``HEAD~2`` …)
==============================================  ==================================================================

A name that is both a file and a revision of the clone is refused, as git does: ``./NAME`` means the file, a full
commit id the commit. Pull requests of other repositories are refused.
"""

from __future__ import annotations

import re
from pathlib import Path

from retrieval import words
from retrieval.change.git_source import change_from_commit, change_from_pull_request, change_from_range
from retrieval.change.patch import parse_patch
from retrieval.errors import ChangeError
from retrieval.git_repository import GitRepository
from retrieval.models import UpstreamChange
from retrieval.source_tree import is_repository

_REFERENCE = re.compile(r"([A-Za-z0-9._-]+/[A-Za-z0-9._-]+)?#([0-9]{1,9})")
_URL = re.compile(r"https?://(?:www\.)?github\.com/([^/\s]+/[^/\s]+)/pull/([0-9]{1,9})(?:\.diff|\.patch|[/?#]\S*)?")
_UPSTREAM = "pytorch/pytorch"
_PATCH_SUFFIXES = (".diff", ".patch", ".mbox", ".txt", ".eml")


def load_change(source: str, *, clone: Path | None = None, stdin: bytes | None = None) -> UpstreamChange:
    """The change that ``source`` names. ``clone`` is a local PyTorch repository, ``stdin`` the bytes of ``-``.

    Raises ``ChangeError`` or ``SourceTreeError``, one sentence each.
    """
    if source == "-":
        if stdin is None:
            raise ChangeError(source, words.SOURCE_STDIN_MISSING)
        return parse_patch(stdin, words.STANDARD_INPUT)
    if (reference := _REFERENCE.fullmatch(source) or _URL.fullmatch(source)) is not None:
        return _pull_request(source, reference[1] or _UPSTREAM, int(reference[2]), clone)
    path = Path(source)
    is_file = _exists(path)
    if clone is not None and not is_repository(clone):
        raise ChangeError(str(clone), words.SOURCE_CLONE_IS_NONE)
    if is_file:
        if clone is not None and "/" not in source and GitRepository(clone).knows(source):
            raise ChangeError(source, words.SOURCE_AMBIGUOUS)
        return _patch_file(path, source)
    if source.endswith(_PATCH_SUFFIXES) and (clone is None or not GitRepository(clone).knows(source)):
        raise ChangeError(source, words.SOURCE_FILE_MISSING)
    if clone is None:
        raise ChangeError(source, words.SOURCE_WITHOUT_CLONE)
    return change_from_range(clone, source) if ".." in source else change_from_commit(clone, source)


def _pull_request(source: str, repository: str, number: int, clone: Path | None) -> UpstreamChange:
    if repository.lower() != _UPSTREAM:
        raise ChangeError(source, words.SOURCE_OTHER_REPOSITORY)
    if clone is None:
        raise ChangeError(source, words.SOURCE_WITHOUT_CLONE)
    if not is_repository(clone):
        raise ChangeError(str(clone), words.SOURCE_CLONE_IS_NONE)
    return change_from_pull_request(clone, number)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long or with a NUL: no file can have it
        return False


def _patch_file(path: Path, source: str) -> UpstreamChange:
    if path.is_dir():
        raise ChangeError(source, words.SOURCE_IS_FOLDER)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ChangeError(source, words.unreadable_file(error.strerror or str(error))) from error
    return parse_patch(data, source)
