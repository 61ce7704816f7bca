"""The upstream changes that a pull request names, each once, in the order a reader meets them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reviewbot.forges.models import ForgeCommit, PullRequest
from reviewbot.mentions.found_in import FoundIn
from reviewbot.mentions.prose import prose_of
from reviewbot.mentions.references import Reference, references
from reviewbot.service.models import Subject

_STRENGTH = {found: rank for rank, found in enumerate(FoundIn)}


def mentioned(
    pull: PullRequest, commits: Sequence[ForgeCommit], upstream: str = "pytorch/pytorch"
) -> tuple[Subject, ...]:
    """Title first, then body, then commits, oldest first; of several mentions of one change the strongest reason stays.

    A commit with a trailer is the upstream change that the trailer names (a main-sync branch, upstream commit by
    upstream commit), and nothing else: its message quotes others that it follows, mends or reverts, and its hash is
    that of a copy.
    """
    found = [
        *references(pull.title, upstream, FoundIn.TITLE),
        *references(prose_of(pull.body), upstream, FoundIn.BODY),
    ]
    for commit in commits:
        found += _of_commit(commit, upstream)
    return tuple(_once(reference.subject for reference in found))


def _of_commit(commit: ForgeCommit, upstream: str) -> list[Reference]:
    found = list(references(commit.message, upstream, FoundIn.COMMIT))
    trailers = [reference for reference in found if reference.subject.because == FoundIn.TRAILER]
    return trailers[-1:] or found


def _once(subjects: Iterable[Subject]) -> Iterator[Subject]:
    """Hashes that begin alike are one commit; the longest stands."""
    kept: dict[str, Subject] = {}
    for subject in subjects:
        known = next((name for name in kept if _same(name, subject.name)), None)
        if known is None:
            kept[subject.name] = subject
            continue
        strongest = min(kept[known], subject, key=lambda one: _STRENGTH[FoundIn(one.because)])
        kept[known] = strongest.model_copy(update={"name": max(known, subject.name, key=len)})
    yield from kept.values()


def _same(name: str, other: str) -> bool:
    if "#" in name or "#" in other:
        return name.lower() == other.lower()
    return name.startswith(other) or other.startswith(name)
