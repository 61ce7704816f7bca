"""Opens the archive that the settings name: the team's table (`model.records`) and the store's analyses.

Contract: read once, on opening; nothing is written. A table that cannot be read is ``InputFileError``, a store that
cannot, ``StoreError``. Without a table, or without a store that exists, there is no archive.
"""

from __future__ import annotations

from datetime import UTC, datetime

from reviewbot.errors import InputFileError
from reviewbot.models import Analysis
from reviewbot.precedents.archive import open_archive
from reviewbot.precedents.cutoff import AcceptedBefore
from reviewbot.precedents.models import Archive
from reviewbot.precedents.team import team_records
from reviewbot.settings import Settings


def open_team_archive(settings: Settings, now: datetime | None = None) -> Archive | None:
    """The archive for a change that comes ``now``. People stand by a table from the day its file was last written."""
    path = settings.model.records
    if path is None:
        return None
    from reviewbot.records.reading import read_table
    from reviewbot.store import open_store

    try:
        content, written = path.read_bytes(), datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as error:
        raise InputFileError(str(path), error.strerror or str(error)) from error
    rows = read_table(content, str(path)).records
    with open_store(settings.store.url) as store:

        def analysis_of(number: int) -> Analysis | None:
            found = store.history(number, limit=1)
            return store.load(found[0].number) if found else None

        return open_archive(team_records(rows, analysis_of, written), AcceptedBefore(now or datetime.now(UTC)))
