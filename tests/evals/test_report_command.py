"""``reviewbot eval report``: what it reads, where it writes, and what it says of files it cannot use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from evals.report import words
from evals.report.command import report
from evals.report.loading import load_report
from evals.report.page import words as page_words
from evals.run.loading import load_run, save_portable
from reviewbot.cli import runner
from reviewbot.cli.help import ChineseCommand, ChineseGroup
from tests.evals.report_scene import Scene, texts_file

app = typer.Typer(cls=ChineseGroup)
app.command("report", cls=ChineseCommand, help=words.HELP_REPORT)(report)
app.callback()(lambda: None)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return Scene().write(tmp_path)


def call(*arguments: object) -> int:
    return runner.run(typer.main.get_command(app), ["report", *map(str, arguments)])


def test_the_page_lies_beside_the_run_unless_said_otherwise(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, records = files
    assert call("try", "--runs", runs, "--records", records) == 0
    assert capsys.readouterr().out == f"{runs / 'try' / 'report.html'}\n"
    page = (runs / "try" / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert 'id="r006"' in page
    other = tmp_path / "new" / "page.html"
    assert call(runs / "try", "--records", records, "--out", other) == 0
    assert other.read_text(encoding="utf-8") == page, "the same run gives the same page, to the byte"


def test_other_formats_go_to_standard_output(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, records = files
    assert call("try", "--runs", runs, "--records", records, "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["records"]) == 6
    assert call("try", "--runs", runs, "--records", records, "--format", "junit", "--out", tmp_path / "j.xml") == 0
    assert (tmp_path / "j.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert call("try", "--runs", runs, "--records", records, "--format", "md") == 0
    assert capsys.readouterr().out.endswith("\n")
    assert not (runs / "try" / "report.html").exists()


def test_a_run_in_one_file_is_reported_too(files: tuple[Path, Path], tmp_path: Path) -> None:
    runs, records = files
    portable = tmp_path / "main.json"
    save_portable(load_run("try", runs), portable)
    assert call(portable, "--records", records) == 0
    assert page_words.NO_WHOLE in (tmp_path / "main.html").read_text(encoding="utf-8")


def test_the_teams_texts_stand_beside_the_drafts_and_are_compared(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, records = files
    texts = texts_file(tmp_path / "team.jsonl", 1, "转动方向改变", "mill_npu 引用 spin。")
    told = load_report("try", runs, records, texts, lambda _: None)
    row = next(row for row in told.rows if row.record.id == "r001")
    assert (row.record.summary, row.record.analysis) == ("转动方向改变", "mill_npu 引用 spin。")
    assert told.sheet.score("chrf").n == 1
    bare = load_report("try", runs, records, None, lambda _: None)
    assert bare.sheet.score("chrf").value is None
    assert [one for one in bare.sheet.scores if one.key != "chrf"] == [
        one for one in told.sheet.scores if one.key != "chrf"
    ]


def test_texts_that_belong_to_no_record_are_counted(files: tuple[Path, Path], tmp_path: Path) -> None:
    runs, records = files
    texts = texts_file(tmp_path / "team.jsonl", 99, "别的", "别的")
    said: list[str] = []
    load_report("try", runs, records, texts, said.append)
    assert words.unmatched_texts(str(texts), 1, 1) in said


def test_texts_without_a_number_are_told_how_to_get_one(files: tuple[Path, Path], tmp_path: Path) -> None:
    runs, records = files
    texts = texts_file(tmp_path / "team.jsonl", None, "别的", "别的")
    said: list[str] = []
    load_report("try", runs, records, texts, said.append)
    assert said[1:] == [words.texts_without_numbers(str(texts), 1)]


def test_records_that_changed_since_the_run_are_said_so(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    runs, records = files
    assert call("try", "--runs", runs, "--records", records, "--format", "md") == 0
    assert "与运行时不同" in capsys.readouterr().err, "the scene's manifest has another hash"


@pytest.mark.parametrize("wrong", ["run", "records", "analysis", "texts", "out"])
def test_a_file_that_cannot_be_used_is_one_sentence(
    wrong: str, files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, records = files
    name, arguments = "try", []
    expected = ""
    match wrong:
        case "run":
            name = expected = "other"
        case "records":
            lines = records.read_text(encoding="utf-8").splitlines(keepends=True)
            records.write_text("".join(lines[1:]), encoding="utf-8")
            expected = "r001"
        case "analysis":
            (runs / "try" / "analyses" / "r001.json").write_text('{"state": "done"}', encoding="utf-8")
            expected = "r001.json"
        case "texts":
            arguments = ["--texts", str(tmp_path / "none.tsv")]
            expected = "none.tsv"
        case "out":
            arguments = ["--out", str(tmp_path)]
            expected = str(tmp_path)
    assert call(name, "--runs", runs, "--records", records, *arguments) != 0
    said = capsys.readouterr().err.splitlines()[-1]
    assert expected in said
    assert "Traceback" not in said
