"""The pull request itself is preferred where it was fetched, and only where the caller allows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.pull_requests.folder import PullRequestFolder
from evals.run.changes import Changes, NoDiffError
from tests.support.labelled import labelled
from tests.support.pulls import keep_pull

DIFF = (
    b"diff --git a/torch/gear.py b/torch/gear.py\n--- a/torch/gear.py\n+++ b/torch/gear.py\n"
    b"@@ -1 +1 @@\n-turn = 1\n+turn = 2\n"
)
FETCHED, REBUILT = labelled("r001", 7), labelled("r002", 8)
NEITHER, ONLY_FETCHED = labelled("r003", 9, quality="absent"), labelled("r004", 10, quality="absent")
RECORDS = (FETCHED, REBUILT, NEITHER, ONLY_FETCHED)


@pytest.fixture
def changes(tmp_path: Path) -> Changes:
    for record in (FETCHED, REBUILT):
        (tmp_path / f"{record.id}.diff").write_bytes(DIFF)
    for record in (FETCHED, ONLY_FETCHED):
        keep_pull(tmp_path, record.upstream_pr, DIFF)
    return Changes(tmp_path, PullRequestFolder(tmp_path / "pull-requests"))


def test_the_pull_request_is_preferred_where_it_was_fetched(changes: Changes) -> None:
    assert [one.id for one in RECORDS if changes.pulled(one)] == ["r001", "r004"]
    assert [one.id for one in RECORDS if changes.promised(one)] == ["r001", "r002", "r004"]
    assert set(changes.readable(RECORDS)) == {"r001", "r002", "r004"}


def test_pull_requests_can_be_left_aside(changes: Changes) -> None:
    rebuilt = Changes(changes.diffs)
    assert [one.id for one in RECORDS if rebuilt.pulled(one)] == []
    assert [one.id for one in RECORDS if rebuilt.promised(one)] == ["r001", "r002"]
    assert rebuilt.source(FETCHED) == changes.diffs / "r001.diff"


def test_a_change_is_read_as_the_product_would(changes: Changes) -> None:
    fetched, rebuilt = changes.change(FETCHED), changes.change(REBUILT)
    assert (fetched.head_sha, fetched.diff_complete, fetched.title) == ("a" * 40, True, "Turn twice")
    assert (rebuilt.head_sha, rebuilt.diff_complete, rebuilt.title) == (None, False, "Turn the gears")
    assert fetched.files == rebuilt.files


def test_no_diff_is_an_error(changes: Changes) -> None:
    with pytest.raises(NoDiffError):
        changes.change(NEITHER)
