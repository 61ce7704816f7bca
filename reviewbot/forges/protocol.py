"""What the service asks of a forge, and no more.

Contract of every adapter: values of `reviewbot.forges.models` come back, ``ForgeError`` is all that is raised. Reads
are retried inside within bounds; **writes are sent once**, since a write whose answer was lost may have taken effect:
the publisher looks for its marker before it writes again. An adapter paces itself by its own buckets.
Adapters are blocking and safe for one thread at a time: every worker thread opens its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from reviewbot.forges.models import CheckState, Comment, ForgeCommit, ForgeKind, Permission, PullRequest, Thread


class Forge(Protocol):
    @property
    def kind(self) -> ForgeKind: ...

    @property
    def login(self) -> str:
        """The login that own comments bear."""

    def pull_request(self, repository: str, number: int) -> PullRequest: ...

    def commits(self, repository: str, number: int) -> tuple[ForgeCommit, ...]:
        """All commits of a pull request, oldest first; ``TOO_LARGE`` when the forge does not show all of them."""

    def diff(self, repository: str, number: int) -> bytes:
        """The whole diff of a pull request, in git's format; ``TOO_LARGE`` when the forge would leave some out."""

    def commit_patch(self, repository: str, sha: str) -> bytes:
        """One commit as a mail patch or diff, in git's format; ``TOO_LARGE`` likewise."""

    def branch_head(self, repository: str, branch: str) -> str:
        """The full hash a branch points to."""

    def pull_requests(self, repository: str, *, since: datetime, merged: bool = False) -> Iterator[PullRequest]:
        """Updated at or after ``since``, oldest update first. ``merged``: those that landed (pytorch/pytorch lands by
        closing with the label Merged), else the open ones.
        """

    def comments(self, thread: Thread) -> tuple[Comment, ...]:
        """All comments, oldest first."""

    def create_comment(self, thread: Thread, body: str) -> Comment: ...

    def edit_comment(self, thread: Thread, comment_id: int, body: str) -> Comment: ...

    def delete_comment(self, thread: Thread, comment_id: int) -> None: ...

    def permission(self, repository: str, login: str) -> Permission: ...

    def set_labels(self, thread: Thread, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        """Adds and removes by name; a label to remove that is not there is no error."""

    def acknowledge(self, thread: Thread, comment_id: int) -> bool:
        """A reaction to somebody's comment; False where the forge has none."""

    def report_check(self, repository: str, head_sha: str, state: CheckState, title: str, summary: str) -> bool:
        """The state of a review at a commit, one check run per commit; False where it cannot be shown."""

    def close(self) -> None: ...
