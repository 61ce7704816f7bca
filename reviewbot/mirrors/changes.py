"""The upstream change that a subject names: from the upstream clone, else from the forge that shows it.

Contract: the clone is asked first, since it has no limit of size and knows what landed; a pull request that it does not
have is fetched for once, then its diff is taken from the upstream forge. What carries the change itself (a main-sync
pull request) is read from its own forge, or, where that shows only a part, from git. Errors: ``MirrorError`` for what
nobody has, ``ForgeError`` and ``RetrievalError`` as they come.
"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.change import change_from_commit, change_from_pull_request, change_from_range, parse_patch
from retrieval.errors import ChangeError
from retrieval.git_repository import GitRepository
from retrieval.models import UpstreamChange
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import ForgeKind, PullRequest, PullState
from reviewbot.forges.protocol import Forge
from reviewbot.mirrors import words
from reviewbot.mirrors.errors import MirrorError
from reviewbot.mirrors.mirrors import Mirrors, Side
from reviewbot.service.models import Subject, SubjectKind

#: Where a forge keeps the head of a pull request for git (AtomGit documents none; this one is seen in use).
_PULL_REFS = {ForgeKind.GITHUB: "refs/pull/{}/head", ForgeKind.ATOMGIT: "refs/merge-requests/{}/head"}


@dataclass(frozen=True, slots=True)
class ChangeSource:
    """``upstream_forge`` shows upstream's pull requests, None where it is not asked. ``most_bytes`` bounds a diff."""

    mirrors: Mirrors
    upstream_forge: Forge | None = None
    most_bytes: int = 20_000_000

    def named(self, subject: Subject) -> UpstreamChange:
        """The change of an upstream pull request or commit."""
        if subject.kind is SubjectKind.COMMIT:
            return self._commit(subject.name)
        repository, _, number = subject.name.rpartition("#")
        return self._landed(int(number)) or self._shown(repository, int(number))

    def carried(self, forge: Forge, pull: PullRequest) -> UpstreamChange:
        """The whole diff of a pull request that carries upstream's files itself."""
        thread = pull.thread
        try:
            diff = forge.diff(thread.repository, thread.number)
        except ForgeError as error:
            if error.fault is not ForgeFault.TOO_LARGE:
                raise
            change = self._from_git(Side.DOWNSTREAM, pull)
        else:
            change = self._parsed(diff, thread.key)
        return change.model_copy(
            update={
                "title": pull.title,
                "body": pull.body,
                "base_sha": None,
                "head_sha": pull.head_sha,
                "source": thread.key,
            }
        )

    def _commit(self, sha: str) -> UpstreamChange:
        for fetched in (False, True):
            if fetched:
                self.mirrors.fetch(Side.UPSTREAM)
            location = self.mirrors.location(Side.UPSTREAM)
            if GitRepository(location).knows(sha):
                return change_from_commit(location, sha)
        raise MirrorError(Side.UPSTREAM, words.change_unknown(sha))

    def _landed(self, number: int) -> UpstreamChange | None:
        """The commit that landed a pull request, None when the clone does not have it, or there is none."""
        if not self.mirrors.has(Side.UPSTREAM):
            return None
        for fetched in (False, True):
            if fetched:
                if Side.UPSTREAM not in self.mirrors.clones:
                    return None
                self.mirrors.fetch(Side.UPSTREAM)
            try:
                return change_from_pull_request(self.mirrors.location(Side.UPSTREAM), number)
            except ChangeError:
                continue
        return None

    def _shown(self, repository: str, number: int) -> UpstreamChange:
        """What the upstream forge shows of a pull request that has not landed, or not here."""
        name = f"{repository}#{number}"
        if self.upstream_forge is None:
            raise MirrorError(Side.UPSTREAM, words.change_unknown(name))
        pull = self.upstream_forge.pull_request(repository, number)
        try:
            change = self._parsed(self.upstream_forge.diff(repository, number), name)
        except ForgeError as error:
            if error.fault is not ForgeFault.TOO_LARGE or not self.mirrors.has(Side.UPSTREAM):
                raise
            change = self._from_git(Side.UPSTREAM, pull)
        landed = pull.state is PullState.MERGED
        return change.model_copy(
            update={
                "number": number,
                "title": pull.title,
                "body": pull.body,
                "labels": pull.labels,
                "merged": landed,
                "reverted": "Reverted" in pull.labels,
                "date": None if pull.updated_at is None else pull.updated_at.date().isoformat(),
                "base_sha": pull.base_sha,
                "head_sha": pull.head_sha,
                "source": name,
            }
        )

    def _from_git(self, side: Side, pull: PullRequest) -> UpstreamChange:
        """The difference from where the pull request left its base, by git: no limit of size but ours."""
        thread = pull.thread
        location = self.mirrors.location(side)
        if GitRepository(location).knows(pull.head_sha) is False and thread.forge in _PULL_REFS:
            ref = _PULL_REFS[thread.forge].format(thread.number)
            self.mirrors.fetch(side, f"+{ref}:refs/reviewbot/{thread.forge.value}/{thread.number}")
        if not GitRepository(location).knows(pull.base_sha):
            self.mirrors.fetch(side)
        return change_from_range(location, f"{pull.base_sha}...{pull.head_sha}")

    def _parsed(self, diff: bytes, name: str) -> UpstreamChange:
        if len(diff) > self.most_bytes:
            raise MirrorError(Side.UPSTREAM, words.diff_too_large(name, len(diff), self.most_bytes))
        return parse_patch(diff, name)
