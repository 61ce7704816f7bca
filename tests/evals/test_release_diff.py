"""The rebuilt diff must turn the base into the base with this record's hunks, as git itself applies it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from evals.errors import RealDataError
from evals.records import HunkRange, LabelledRecord, Quality, RecordChange, RecordEvidence, RecordFile
from evals.records.models import Confidence
from evals.release_diff import release_diff
from reviewbot.models import Labels, NeedsAdaptation, Risk, Verdict, YesNo


def record(path: str, *hunks: tuple[tuple[int, int], tuple[int, int]]) -> LabelledRecord:
    ranges = tuple(HunkRange(old=old, new=new) for old, new in hunks)
    return LabelledRecord(
        id="r001",
        upstream_pr=7,
        pr_confidence=Confidence.HIGH,
        upstream_date=None,
        batch="b00",
        title="Turn the gears",
        reverted=False,
        labels=Labels(verdict=Verdict.CHECK, risk=Risk.LOW, needs_adaptation=NeedsAdaptation.NO, npu_affected=YesNo.NO),
        change=RecordChange(
            quality=Quality.CLEAN, files=(RecordFile(path=path, hunks=ranges, scopes=()),), other_paths=()
        ),
        evidence=RecordEvidence(snapshot=None, cited=0, verified=0, items=()),
    )


def trees(folder: Path, base: str | None, head: str | None) -> tuple[Path, Path]:
    for name, text in (("base", base), ("head", head)):
        (folder / name / "torch").mkdir(parents=True)
        if text is not None:
            (folder / name / "torch" / "gears.py").write_text(text, encoding="utf-8", newline="")
    return folder / "base", folder / "head"


def applied(diff: bytes, base: Path) -> str:
    subprocess.run(["git", "apply", "--whitespace=nowarn"], cwd=base, input=diff, check=True)
    return (base / "torch" / "gears.py").read_bytes().decode()


def numbered(*replaced: tuple[int, str]) -> str:
    lines = {number: f"line {number}\n" for number in range(1, 21)} | dict(replaced)
    return "".join(lines.values())


def test_only_the_records_own_hunks_are_applied(tmp_path: Path) -> None:
    head = numbered((5, "ours\nours too\n"), (15, "a neighbour's\n"))
    base, after = trees(tmp_path, numbered(), head)
    diff = release_diff(record("torch/gears.py", ((5, 5), (5, 6))), base, after)
    assert b"neighbour" not in diff
    assert b"@@ -2,7 +2,8 @@" in diff
    assert applied(diff, base) == numbered((5, "ours\nours too\n"))


def test_insertions_and_deletions_are_empty_ranges(tmp_path: Path) -> None:
    head = numbered((3, "line 3\nnew\n"), (10, ""))
    base, after = trees(tmp_path, numbered(), head)
    diff = release_diff(record("torch/gears.py", ((4, 3), (4, 4)), ((10, 10), (11, 10))), base, after)
    assert applied(diff, base) == head


@pytest.mark.parametrize("text", ["a = 1\n", "a = 1\nb = 2"])
def test_a_new_file_comes_from_nowhere(tmp_path: Path, text: str) -> None:
    base, after = trees(tmp_path, None, text)
    (base / "torch").rmdir()
    diff = release_diff(record("torch/gears.py", ((1, 0), (1, text.count("\n") + 1))), base, after)
    header, _, plain = diff.partition(b"\n")
    assert header == b"diff --git a/torch/gears.py b/torch/gears.py"
    assert plain.startswith(b"--- /dev/null\n+++ b/torch/gears.py\n")
    assert applied(plain, base) == text


def test_a_missing_last_line_end_survives(tmp_path: Path) -> None:
    base, after = trees(tmp_path, "a\nb", "a\nc")
    diff = release_diff(record("torch/gears.py", ((2, 2), (2, 2))), base, after)
    assert diff.count(b"\\ No newline at end of file\n") == 2
    assert applied(diff, base) == "a\nc"


def test_form_feeds_do_not_count_as_line_ends(tmp_path: Path) -> None:
    base, after = trees(tmp_path, "a\x0ca\nb\nc\n", "a\x0ca\nB\nc\n")
    diff = release_diff(record("torch/gears.py", ((2, 2), (2, 2))), base, after)
    assert applied(diff, base) == "a\x0ca\nB\nc\n"


def test_ranges_of_another_tree_are_refused(tmp_path: Path) -> None:
    base, after = trees(tmp_path, "a\n", "b\n")
    with pytest.raises(RealDataError, match="r001"):
        release_diff(record("torch/gears.py", ((9, 9), (9, 9))), base, after)
