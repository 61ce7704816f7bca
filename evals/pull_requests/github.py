"""Asks GitHub for pull requests, through PyGithub.

Limits (docs.github.com, "Repository limits" and "List pull requests files"): the whole diff is refused with 406 beyond
300 files, 20,000 lines or 1 MB; the list of files then still gives the patch of each, but late rows of a big page come
without one and unmarked, so pages are small and what lacks its patch is named. PyGithub repeats GET requests itself,
honouring the rate limit's own waiting times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from evals.errors import FetchError
from evals.pull_requests import words
from evals.pull_requests.models import DiffOrigin, FetchedPull, fingerprint

if TYPE_CHECKING:
    from github import Github
    from github.File import File
    from github.PullRequest import PullRequest

DIFF = "application/vnd.github.diff"
#: Small pages keep clear of the row where GitHub stops giving patches.
_PER_PAGE = 30
_TIMEOUT_SECONDS = 60
_TOO_LARGE = HTTPStatus.NOT_ACCEPTABLE
_FOR_ALL = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS})


class HopelessError(FetchError):
    """The next pull request would fail the same way: no network, or a token that does not serve."""


class PullRequests:
    """The pull requests of one repository (``owner/name``). ``address`` is the API's, https unless it is this host."""

    def __init__(self, repository: str, token: str, address: str = "https://api.github.com", retries: int = 5) -> None:
        from github import Auth, Github, GithubRetry

        parts = urlsplit(address)
        if parts.scheme != "https" and parts.hostname not in {"127.0.0.1", "localhost"}:
            raise FetchError(address, words.NEEDS_HTTPS)
        self._repository = repository
        self._github: Github = Github(
            base_url=address.rstrip("/"),
            auth=Auth.Token(token),
            per_page=_PER_PAGE,
            timeout=_TIMEOUT_SECONDS,
            retry=GithubRetry(total=retries),
            lazy=True,
        )

    def __enter__(self) -> PullRequests:
        return self

    def __exit__(self, *error: object) -> None:
        self._github.close()

    def allowance(self) -> int:
        """How many more requests the token has this hour."""
        with _told(self._repository):
            return self._github.get_rate_limit().resources.core.remaining

    def get(self, number: int) -> tuple[FetchedPull, bytes]:
        """The facts and the diff. Raises `FetchError` with the reason that GitHub gave."""
        subject = f"{self._repository}#{number}"
        with _told(subject):
            pull = self._github.get_repo(self._repository).get_pull(number)
            pull.update()
            diff, origin, missing = self._diff(pull, subject)
        facts = FetchedPull(
            number=number,
            title=pull.title,
            body=pull.body or "",
            labels=tuple(label.name for label in pull.labels),
            created=pull.created_at.date(),
            base_sha=pull.base.sha,
            head_sha=pull.head.sha,
            changed_files=pull.changed_files,
            additions=pull.additions,
            deletions=pull.deletions,
            origin=origin,
            missing=missing,
            sha256=fingerprint(diff),
            fetched=datetime.now(UTC),
        )
        return facts, diff

    def _diff(self, pull: PullRequest, subject: str) -> tuple[bytes, DiffOrigin, tuple[str, ...]]:
        status, _, text = self._github.requester.requestJson("GET", pull.url, headers={"Accept": DIFF})
        if status == HTTPStatus.OK:
            return text.encode(), DiffOrigin.WHOLE, ()
        if status != _TOO_LARGE:
            raise FetchError(subject, words.refused(status, text))
        files = list(pull.get_files())
        missing = tuple(file.filename for file in files if not file.patch and _has_lines(file))
        return "".join(_file_diff(files)).encode(), DiffOrigin.FILES, missing


def _has_lines(file: File) -> bool:
    """A pure rename has no patch and misses nothing; zero counts on anything else mean that GitHub left it out."""
    return file.status != "renamed" or file.changes > 0


def _file_diff(files: Sequence[File]) -> Iterator[str]:
    for file in files:
        old = file.previous_filename or file.filename
        yield f"diff --git a/{old} b/{file.filename}\n"
        if file.status == "renamed":
            yield f"rename from {old}\nrename to {file.filename}\n"
        if file.patch:
            yield "--- /dev/null\n" if file.status == "added" else f"--- a/{old}\n"
            yield "+++ /dev/null\n" if file.status == "removed" else f"+++ b/{file.filename}\n"
            yield f"{file.patch}\n"


@contextmanager
def _told(subject: str) -> Iterator[None]:
    """Every failure of the library as our error; what it quotes never holds the token."""
    from github import GithubException
    from requests import RequestException

    try:
        yield
    except GithubException as error:
        kind = HopelessError if error.status in _FOR_ALL else FetchError
        raise kind(subject, words.refused(error.status, error.message or "")) from error
    except RequestException as error:
        raise HopelessError(subject, words.unreachable(type(error).__name__)) from error
