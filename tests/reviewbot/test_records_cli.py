"""``reviewbot records``: what is printed, what is written, how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.records import words
from reviewbot.records.forms import Form
from reviewbot.records.models import Severity, TeamRecord
from reviewbot.records.reading import read_table
from reviewbot.records.writing import write_table
from tests.reviewbot.cli_runs import CommandLine
from tests.reviewbot.team_tables import LEGACY, RECORDS, team_record

BROKEN = "Maybe 水车。 未引用 low 否 是\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "export.txt"
    path.write_text(BROKEN + LEGACY, encoding="utf-8")
    return path


def test_import_counts_and_names_rows(cli: CommandLine, table: Path) -> None:
    outcome = cli("records", "import", table)
    assert outcome.code == ExitCode.OK
    lines = outcome.out.splitlines()
    assert lines[0] == f"{table}（legacy）：读入 9 条记录"
    assert [line.split() for line in lines if line.startswith(("Check", "Test", "Shim", "合计"))] == [
        ["Check", "4", "2", "2", "0", "1", "0", "1", "3"],
        ["Test", "4", "2", "2", "0", "0", "1", "0", "3"],
        ["Shim", "1", "0", "0", "1", "1", "0", "0", "1"],
        ["合计", "9", "4", "4", "1", "2", "1", "1", "7"],
    ]
    assert any(line.startswith("1   应以 Check") for line in lines)
    assert any(line.startswith("17  看不出摘要") for line in lines)


def test_json_is_one_record_a_line(cli: CommandLine, table: Path) -> None:
    outcome = cli("records", "import", table, "--json")
    assert [TeamRecord.model_validate_json(line) for line in outcome.out.splitlines()] == list(RECORDS)
    assert outcome.err.splitlines()[0].startswith("第 1 行，读不出的行：")
    assert cli("records", "export", table, "--json").out == outcome.out


def test_numbers_from_a_list(cli: CommandLine, table: Path, tmp_path: Path) -> None:
    (tmp_path / "prs.txt").write_text("\n".join(map(str, range(100, 110))), encoding="utf-8")
    outcome = cli("records", "import", table, "--pr-list", tmp_path / "prs.txt", "--out", tmp_path / "new.jsonl")
    assert outcome.code == ExitCode.OK
    assert "new.jsonl" in outcome.out.splitlines()[-1]
    read = read_table((tmp_path / "new.jsonl").read_bytes())
    assert [record.upstream_pr for record in read.records] == list(range(101, 110))


def test_a_table_goes_round_every_form(cli: CommandLine, table: Path, tmp_path: Path) -> None:
    source = table
    for suffix in ("xlsx", "md", "csv", "tsv", "jsonl"):
        target = tmp_path / f"next.{suffix}"
        outcome = cli("records", "export", source, "--out", target)
        form = read_table(target.read_bytes(), target.name).form
        assert (outcome.code, outcome.out) == (0, f"已写入 {target}（{form}，9 条记录）。\n")
        source = target
    assert cli("records", "export", source, "--form", "legacy").out == LEGACY
    assert cli("records", "export", "-", "--form", "legacy", stdin=source.read_bytes()).out == LEGACY
    assert not list(tmp_path.glob(".*"))


def test_what_an_export_leaves_out_is_said(cli: CommandLine, tmp_path: Path) -> None:
    source = tmp_path / "t.jsonl"
    source.write_bytes(write_table([team_record(upstream_pr=7, analyst="磨工")], Form.JSONL))
    outcome = cli("records", "export", source, "--form", "legacy")
    assert outcome.err == "legacy 没有 PR、分析人 列，这些内容没有写出。\n"
    assert cli("records", "export", source, "--form", "csv").err == ""


def test_validate(cli: CommandLine, table: Path, tmp_path: Path) -> None:
    outcome = cli("records", "validate", table)
    assert outcome.code == ExitCode.INPUT
    for title in ("读不出的行（1 处）", "互相矛盾（1 处）", "摘要未定（2 处）"):
        assert title in outcome.out
    rows = [json.loads(line) for line in cli("records", "validate", table, "--json").out.splitlines()]
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 13, 15, 17]
    assert rows[0]["record"] is None
    assert [problem["severity"] for row in rows for problem in row["problems"]] == [
        "malformed",
        "undecided",
        "inconsistent",
        "undecided",
    ]
    sound = tmp_path / "sound.jsonl"
    sound.write_bytes(write_table([team_record()], Form.JSONL))
    outcome = cli("records", "validate", sound)
    assert (outcome.code, outcome.out.splitlines()[-1]) == (ExitCode.OK, words.TABLE_SOUND)


def test_every_severity_has_a_title() -> None:
    assert set(words.PROBLEM_TITLES) == {severity.value for severity in Severity}


def test_nothing_read_is_a_failure(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(BROKEN, encoding="utf-8")
    assert cli("records", "import", tmp_path / "t.txt").code == ExitCode.INPUT
    assert cli("records", "export", tmp_path / "t.txt", "--form", "csv").code == ExitCode.INPUT


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("import", "none.csv"), ExitCode.INPUT, "none.csv"),
        (("import", "."), ExitCode.INPUT, "文件 . 无法读取"),
        (("import", "export.txt", "--form", "xlsx"), ExitCode.INPUT, "不是 .xlsx 工作簿"),
        (("import", "export.txt", "--pr-list", "export.txt"), ExitCode.INPUT, "第 1 行应为 PR 编号"),
        (("import", "export.txt", "--out", "export.txt"), ExitCode.USAGE, words.OUT_IS_SOURCE),
        (("import", "export.txt", "--out", "none/x.csv"), ExitCode.USAGE, "无法写出 none/x.csv"),
        (("export", "export.txt"), ExitCode.USAGE, words.NO_TARGET_FORM),
        (("export", "export.txt", "--form", "xlsx"), ExitCode.USAGE, words.XLSX_NEEDS_OUT),
        (("export", "export.txt", "--json", "--form", "csv"), ExitCode.USAGE, words.JSON_IS_JSONL),
        (("import", "export.txt", "--form", "doc"), ExitCode.USAGE, "--form 只能是"),
    ],
)
def test_mistakes_end_in_one_sentence(
    cli: CommandLine, table: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended, sentence = cli.fails("records", *arguments)
    assert ended == code
    assert said in sentence
    assert table.read_text(encoding="utf-8") == BROKEN + LEGACY
