"""A change from a local clone: a commit, a range, a pull request found by its trailer.

Everything is git plumbing (``diff-tree``, ``log``) read by the parser that reads patch files. Renames are found,
copies are not, as on the forge. A merge commit is its difference from the first parent, a root commit from the empty
tree. Parents are read from the commit object itself: a shallow clone shows its oldest commits as roots, and the whole
tree would look added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval import words
from retrieval.change.diff_lines import read_lines
from retrieval.change.diff_parser import parse_sections
from retrieval.change.message import REVERT_PATTERNS, is_revert, reverts, split_number, trailer_number, trailer_pattern
from retrieval.change.series import net_files
from retrieval.errors import ChangeError, SourceTreeError
from retrieval.git_repository import GitRepository
from retrieval.models import ChangedFile, UpstreamChange

_DIFF_TREE = (
    "diff-tree",
    "-r",
    "-p",
    "-M",
    "-l2000",  # beyond so many new and deleted files only exact renames are found
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=3",
    "--inter-hunk-context=0",
    "--submodule=short",
    "--ignore-submodules=none",
)
_COMMIT_FORMAT = "--format=tformat:%H%x00%cs%x00%s%x00%b"
_LISTED_COMMITS = 100  # of a range, in the body


@dataclass(frozen=True, slots=True)
class Commit:
    """``day`` is the committer's, ISO 8601."""

    sha: str
    day: str
    title: str
    body: str


def change_from_commit(repo: Path, rev: str) -> UpstreamChange:
    """The change of one commit. ``SourceTreeError`` for a repository or revision that cannot be read."""
    repository = GitRepository(repo)
    return _change_of(repository, _commit(repository, repository.resolve(rev)))


def change_from_range(repo: Path, range_: str) -> UpstreamChange:
    """``a..b`` is the difference of both, ``a...b`` that of ``b`` from where it left ``a``; an empty end is ``HEAD``.

    A range of one commit has that commit's message. ``ChangeError`` when ``range_`` is no range or the two have no
    common ancestor.
    """
    first, dots, last = range_.partition("...") if "..." in range_ else range_.partition("..")
    if not dots:
        raise ChangeError(range_, words.RANGE_WITHOUT_DOTS)
    repository = GitRepository(repo)
    base, head = repository.resolve(first or "HEAD"), repository.resolve(last or "HEAD")
    if dots == "...":
        if not repository.holds("merge-base", base, head):
            raise ChangeError(range_, words.RANGE_WITHOUT_COMMON_ANCESTOR)
        base = repository.run("merge-base", base, head).decode().strip()
    commits = list(_log(repository, "--no-merges", f"{base}..{head}"))
    single = commits[0] if len(commits) == 1 and commits[0].sha == head else None
    if single is not None and _parents(repository, head)[:1] == [base]:
        return _change_of(repository, single)
    numbers = {number for commit in commits if (number := trailer_number(commit.body)) is not None}
    titles = [f"- {commit.title}" for commit in commits[:_LISTED_COMMITS]]
    return UpstreamChange(
        number=numbers.pop() if len(numbers) == 1 else None,
        title=words.range_title(range_, len(commits)),
        body="\n".join(titles),
        date=_commit(repository, head).day,
        base_sha=base,
        head_sha=head,
        source=words.change_source(repo.name, range_),
        files=changed_between(repository, base, head, range_),
    )


def change_from_pull_request(repo: Path, number: int) -> UpstreamChange:
    """The commit that landed pull request ``number``, the newest when it landed more than once.

    The history of ``HEAD`` is searched first, then all branches. ``ChangeError`` when no commit has the trailer.
    """
    repository = GitRepository(repo)
    for where in ("HEAD", "--all") if repository.knows("HEAD") else ("--all",):
        for commit in _log(repository, "--extended-regexp", f"--grep={trailer_pattern(number)}", where):
            if trailer_number(commit.body) == number and not is_revert(commit.title):
                return _change_of(repository, commit)
    shallow = repository.run("rev-parse", "--is-shallow-repository").strip() == b"true"
    raise ChangeError(f"pytorch/pytorch#{number}", words.pull_request_not_in_clone(str(repo), shallow=shallow))


def changed_between(repository: GitRepository, base: str, head: str, source: str) -> tuple[ChangedFile, ...]:
    """The changed files between two commits or trees, given by id."""
    diff = parse_sections(read_lines(repository.run(*_DIFF_TREE, base, head), source))
    return net_files([diff.sections], source)


def _change_of(repository: GitRepository, commit: Commit) -> UpstreamChange:
    parents = _parents(repository, commit.sha)
    if parents and not repository.knows(parents[0]):
        raise SourceTreeError(f"{repository.location}@{commit.sha}", words.GIT_PARENT_MISSING)
    base = parents[0] if parents else repository.run("hash-object", "-t", "tree", "--stdin").decode().strip()
    title, number = split_number(commit.title, commit.body)
    landed = trailer_number(commit.body) is not None
    return UpstreamChange(
        number=number,
        title=title,
        body=commit.body,
        merged=landed,
        reverted=landed and _is_reverted(repository, commit, number),
        date=commit.day,
        base_sha=parents[0] if parents else None,
        head_sha=commit.sha,
        source=words.change_source(repository.location.resolve().name, commit.sha[:12]),
        files=changed_between(repository, base, commit.sha, commit.sha),
    )


def _is_reverted(repository: GitRepository, commit: Commit, number: int | None) -> bool:
    """Was ``commit`` undone after it landed, and is the last word on it that it stays undone?

    A revert can be reverted. Only what came after the commit counts: a pull request may be reverted, then land again
    under its number.
    """
    in_head = repository.knows("HEAD") and repository.holds("merge-base", "--is-ancestor", commit.sha, "HEAD")
    patterns = [f"--grep={pattern}" for pattern in REVERT_PATTERNS]
    later = _log(repository, "--extended-regexp", *patterns, "HEAD" if in_head else "--all", f"^{commit.sha}")
    undone_by: Commit | None = None
    for candidate in reversed(list(later)):
        if undone_by is not None and reverts(candidate.title, candidate.body, undone_by.sha, None):
            undone_by = None
        elif reverts(candidate.title, candidate.body, commit.sha, number):
            undone_by = candidate
    return undone_by is not None


def _log(repository: GitRepository, *arguments: str) -> Iterator[Commit]:
    """Commits newest first. ``arguments`` are options and object ids of ours, never a person's words."""
    fields = repository.run("log", "-z", _COMMIT_FORMAT, *arguments).decode("utf-8", "replace").split("\0")
    for index in range(0, len(fields) - 3, 4):
        sha, day, title, body = fields[index : index + 4]
        yield Commit(sha, day, title.strip(), body.strip())


def _commit(repository: GitRepository, sha: str) -> Commit:
    return next(_log(repository, "--no-walk", sha))


def _parents(repository: GitRepository, sha: str) -> list[str]:
    """Parents as the commit object names them, whether or not the clone has them."""
    head = repository.run("cat-file", "commit", sha).partition(b"\n\n")[0]
    return [match.decode() for match in re.findall(rb"^parent ([0-9a-f]+)$", head, re.MULTILINE)]
