"""The archive of a team: its table joined with the analyses of the store."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reviewbot.errors import InputFileError
from reviewbot.models import Verdict
from reviewbot.precedents.opening import open_team_archive
from reviewbot.records.models import TeamRecord
from reviewbot.settings import Settings
from reviewbot.store import open_store
from tests.reviewbot.analyses import example
from tests.reviewbot.precedent_cases import labels, one_file, work
from tests.support import values

WRITTEN = datetime(2026, 3, 1, tzinfo=UTC)
LATER = datetime(2026, 3, 2, tzinfo=UTC)
EARLIER = datetime(2026, 2, 1, tzinfo=UTC)


def settings(tmp_path: Path, *rows: TeamRecord) -> Settings:
    """A table of ``rows``, and a store with an analysis of pull request 5."""
    table = tmp_path / "records.jsonl"
    table.write_text("".join(f"{row.model_dump_json()}\n" for row in rows), encoding="utf-8")
    os.utime(table, (WRITTEN.timestamp(), WRITTEN.timestamp()))
    url = f"sqlite:///{tmp_path / 'store.db'}"
    with open_store(url) as store:
        file = one_file("torch/_mill/gears.py", "    wheel = mill.turn_gear(angle, teeth=5)")
        analysis = example(number=5, title="Turn gears by the tooth")
        store.save(analysis.model_copy(update={"change": analysis.change.model_copy(update={"files": (file,)})}))
    return Settings.model_validate({"store": {"url": url}, "model": {"records": table, "name": "small"}})


def row(number: int, verdict: Verdict = Verdict.TEST) -> TeamRecord:
    return TeamRecord(upstream_pr=number, title="t", labels=labels(verdict), summary="改齿轮。", analysis="一段话。")


def test_rows_with_an_analysis_are_shown_with_their_labels_and_its_places(tmp_path: Path) -> None:
    archive = open_team_archive(settings(tmp_path, row(5), row(6)), now=LATER)
    assert archive is not None
    (past,) = archive.similar(work(7, "Turn gears backwards"), values.delta())
    assert (past.id, past.labels.verdict, past.summary) == ("pytorch/pytorch#5", Verdict.TEST, "改齿轮。")
    assert past.paths == ("torch/_mill/gears.py",)
    assert [place.path for place in past.evidence] == [values.patch().path]


def test_of_several_rows_about_one_change_the_last_counts(tmp_path: Path) -> None:
    archive = open_team_archive(settings(tmp_path, row(5), row(5, Verdict.SHIM)), now=LATER)
    assert archive is not None
    assert [past.labels.verdict for past in archive.similar(work(7, "Turn gears"), values.delta())] == [Verdict.SHIM]


def test_a_change_is_never_shown_its_own_record_nor_one_from_later(tmp_path: Path) -> None:
    given = settings(tmp_path, row(5))
    archive, early = open_team_archive(given, now=LATER), open_team_archive(given, now=EARLIER)
    assert archive is not None
    assert early is not None
    assert archive.similar(work(5, "Turn gears by the tooth"), values.delta()) == ()
    assert early.similar(work(7, "Turn gears backwards"), values.delta()) == ()


def test_without_a_table_there_is_no_archive_and_one_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert open_team_archive(Settings()) is None
    gone = Settings.model_validate({"model": {"records": tmp_path / "gone.jsonl"}})
    with pytest.raises(InputFileError, match=r"gone\.jsonl"):
        open_team_archive(gone)
