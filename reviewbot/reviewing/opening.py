"""Opens the desk that the settings describe: store, mirrors, forges and writer, all closed in order at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime

from reviewbot.drafting.writer import Writer
from reviewbot.reviewing.desk import Desk
from reviewbot.reviewing.forges import ForgePool
from reviewbot.reviewing.reviewer import open_reviewer
from reviewbot.settings import Settings
from reviewbot.store import open_store


@contextmanager
def open_desk(
    settings: Settings, writer: Writer, owner: str, show: Callable[[str], None] | None = None
) -> Iterator[Desk]:
    """``owner`` and ``show`` are the desk's. Raises ``StoreError``, and ``InputFileError`` for similar records."""
    with ExitStack() as stack:
        store = stack.enter_context(open_store(settings.store.url))
        reviewer = stack.enter_context(open_reviewer(settings, writer, store))
        forges = ForgePool(settings)
        stack.callback(forges.close)
        yield Desk(reviewer, forges, owner, lambda: datetime.now(UTC), show)
