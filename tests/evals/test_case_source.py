"""The true diff is preferred where it is at hand, and only where the caller allows it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from evals.case_source import DiffSource, cases_of
from evals.pull_requests.folder import PullRequestFolder
from evals.pull_requests.models import DiffOrigin, FetchedPull, fingerprint
from evals.real_data import RealData
from tests.support.labelled import labelled

DIFF = (
    b"diff --git a/torch/gear.py b/torch/gear.py\n--- a/torch/gear.py\n+++ b/torch/gear.py\n"
    b"@@ -1 +1 @@\n-turn = 1\n+turn = 2\n"
)


def kept(root: Path, number: int) -> None:
    pull = FetchedPull(
        number=number,
        title="Turn twice",
        body="",
        labels=(),
        created=date(2026, 3, 4),
        base_sha="b" * 40,
        head_sha="a" * 40,
        changed_files=1,
        additions=1,
        deletions=1,
        origin=DiffOrigin.WHOLE,
        missing=(),
        sha256=fingerprint(DIFF),
        fetched=datetime(2026, 4, 1, tzinfo=UTC),
    )
    PullRequestFolder(root / "pull-requests").keep(pull, DIFF)


def test_the_pull_request_is_preferred_where_it_was_fetched(tmp_path: Path) -> None:
    real = RealData(tmp_path)
    records = [labelled("r001", 7), labelled("r002", 8), labelled("r003", 9, quality="absent")]
    kept(tmp_path, 7)
    kept(tmp_path, 9)
    auto = {case.record.id: case.source for case in cases_of(records, real)}
    assert auto == {
        "r001": DiffSource.PULL_REQUEST,
        "r002": DiffSource.RELEASE,
        "r003": DiffSource.PULL_REQUEST,
    }, "a record without a reconstruction is judged by its pull request"
    fetched = [case.record.id for case in cases_of(records, real, DiffSource.PULL_REQUEST)]
    rebuilt = [case.record.id for case in cases_of(records, real, DiffSource.RELEASE)]
    assert (fetched, rebuilt) == (["r001", "r003"], ["r001", "r002"])


def test_a_case_reads_its_diff_as_the_product_would(tmp_path: Path) -> None:
    real = RealData(tmp_path)
    kept(tmp_path, 7)
    real.diffs.mkdir()
    real.diff(labelled("r002", 8)).write_bytes(DIFF)
    fetched, rebuilt = (case.change() for case in cases_of([labelled("r001", 7), labelled("r002", 8)], real))
    assert (fetched.head_sha, fetched.diff_complete, fetched.title) == ("a" * 40, True, "Turn twice")
    assert (rebuilt.head_sha, rebuilt.diff_complete, rebuilt.title) == (None, False, "Turn the gears")
    assert fetched.files == rebuilt.files
