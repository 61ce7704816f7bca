"""From a team's table, invented here, to a data set file, and what the commands say on the way."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
import typer

from evals.dataset import command
from evals.dataset.completing import completed
from evals.dataset.errors import TableError
from evals.dataset.importing import Joined, Origin, join, write_records
from evals.records import Confidence, LabelledRecord, Quality, RecordRevisions, Source, load_records
from reviewbot.cli import runner
from reviewbot.models import Verdict
from reviewbot.records.models import ReadRow, TeamRecord
from tests.evals.dataset_cases import MILL, mill, record
from tests.reviewbot.precedent_cases import labels
from tests.support.pulls import fetched_pull, keep_pull


def row(number: int | None, analysis: str = "未触及 mill_npu。", line: int = 1, **fields: object) -> ReadRow:
    given = {"upstream_pr": number, "labels": labels(), "summary": "转动齿轮。", "analysis": analysis} | fields
    return ReadRow(line=line, record=TeamRecord.model_validate(given))


JULY = Origin("july")


def joined(*rows: ReadRow, existing: tuple[LabelledRecord, ...] = (), origin: Origin = JULY) -> Joined:
    return join(existing, rows, origin, mill())


def test_a_row_becomes_a_record() -> None:
    text = "mill_npu/gears.py:6 调用 turn，mill_npu/gone.py:1 没有"
    (one,) = joined(row(41, text, title="Turn", date=date(2026, 7, 1), batch="b3", analyst="Li")).records
    assert (one.id, one.upstream_pr, one.pr_confidence, one.source) == ("pr41", 41, Confidence.HIGH, Source.TABLE)
    assert (one.title, one.upstream_date, one.batch, one.analyst) == ("Turn", date(2026, 7, 1), "b3", "Li")
    assert one.labels == labels()
    assert one.change.quality is Quality.ABSENT
    assert (one.evidence.cited, one.evidence.verified) == (2, 1)
    assert [(item.scope, item.token) for item in one.evidence.items] == [("Gear.turn", "turn")]
    assert one.revisions == RecordRevisions(downstream="memory:0")
    assert (one.summary, one.analysis) == ("转动齿轮。", text)


def test_batch_and_analyst_come_from_the_option_then_the_row_then_the_file() -> None:
    plain, told = row(1), row(2, batch="b3", analyst="Li")
    assert [one.batch for one in joined(plain, told).records] == ["july", "b3"]
    options = Origin("july", batch="x", analyst="Wang")
    assert {(one.batch, one.analyst) for one in joined(plain, told, origin=options).records} == {("x", "Wang")}


@pytest.mark.parametrize(
    ("summary", "reverted"), [("转动齿轮；已被 Revert。", True), ("回退齿轮。", False), (None, False)]
)
def test_a_revert_is_read_from_the_summary(summary: str | None, reverted: bool) -> None:
    assert joined(row(1, summary=summary)).records[0].reverted is reverted


def test_a_row_without_a_number_is_told_of_and_the_rest_comes_in() -> None:
    found = joined(row(None, line=4), row(2, line=5))
    assert found.nameless == (4,)
    assert [one.id for one in found.records] == ["pr2"]


def test_what_is_there_already_is_not_added_again() -> None:
    first = joined(row(1), row(2))
    again = joined(row(1), row(2), row(3), existing=first.records)
    assert [one.id for one in again.records] == ["pr1", "pr2", "pr3"]
    assert ([one.id for one in again.added], again.known) == (["pr3"], 2)


def test_another_opinion_on_a_known_pull_request_is_a_record_of_its_own() -> None:
    """So that ``eval data check`` can show both."""
    found = joined(row(1), row(1, labels=labels(Verdict.TEST)), row(1, "另一段话"))
    assert [one.id for one in found.records] == ["pr1", "pr1-2", "pr1-3"]


def test_lost_citations_name_their_record() -> None:
    found = joined(row(7, "见 mill_npu/gone.py:1"))
    assert [(name, lost.path, lost.lines) for name, lost in found.unresolved] == [("pr7", "mill_npu/gone.py", "1")]


def test_records_that_were_written_read_back(tmp_path: Path) -> None:
    records = joined(row(1, '引号 " 与换行\n第二行', title="Turn", date=date(2026, 7, 1))).records
    write_records(tmp_path / "data.jsonl", records)
    assert load_records(tmp_path / "data.jsonl") == records
    assert [path.name for path in tmp_path.iterdir()] == ["data.jsonl"]


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"none/data\.jsonl"):
        write_records(tmp_path / "none" / "data.jsonl", joined(row(1)).records)


# --- completing ------------------------------------------------------------------------------------------------------


def test_open_fields_are_filled_and_written_ones_kept() -> None:
    bare = record(1, "", upstream_date=None, revisions=RecordRevisions(downstream="abc"))
    whole, unknown = record(2, "Own title"), record(3, "")
    pulls = {1: fetched_pull(1, labels=("Merged", "Reverted")), 2: fetched_pull(2)}
    filled = completed([bare, whole, unknown], pulls.get)
    assert filled[0] == bare.model_copy(
        update={
            "title": "Turn twice",
            "upstream_date": date(2026, 3, 4),
            "reverted": True,
            "revisions": RecordRevisions(upstream_base="b" * 40, upstream_head="a" * 40, downstream="abc"),
        }
    )
    assert filled[1:] == (whole, unknown)


# --- commands --------------------------------------------------------------------------------------------------------

TABLE = (
    "PR\t结论\t摘要\t分析\t风险\t需改码\t影响 NPU\n"
    "41\tCheck\t转动齿轮。\t见 mill_npu/gears.py:6 与 mill_npu/gone.py:3。\tlow\t否\t否\n"
    "\tCheck\t给齿轮上油。\t未引用。\tlow\t否\t否\n"
    "42\tMaybe\t停下齿轮。\t未引用。\tlow\t否\t否\n"
    "43\tShim\t涂漆。\t未引用。\thigh\t否\t是\n"
)


class Commands:
    """``run("import", ...)`` in a folder and a home of its own; gives exit code, standard output, standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._app = typer.Typer()
        for name in ("import", "complete", "check", "schema"):
            self._app.command(name)(command.import_table if name == "import" else getattr(command, name))

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        code = runner.run(typer.main.get_command(self._app), arguments)
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVIEWBOT_CACHE__DIR", str(tmp_path / "cache"))
    for path, text in MILL.items():
        (tmp_path / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / path).write_text(text, encoding="utf-8")
    (tmp_path / "july.tsv").write_text(TABLE, encoding="utf-8")
    return Commands(capsys)


def test_a_table_is_imported_and_every_oddity_named(run: Commands) -> None:
    code, out, err = run("import", "july.tsv", "--out", "data.jsonl", "--downstream", "tree")
    assert code == 0
    assert "写入 2 条" in out
    assert "2 处 路径:行号，1 处在" in out
    assert "第 3 行没有 PR 编号" in err
    assert "第 4 行" in err
    assert "pr41：mill_npu/gone.py:3" in err
    records = load_records(Path("data.jsonl"))
    assert [(one.id, one.batch, one.labels.verdict) for one in records] == [
        ("pr41", "july", Verdict.CHECK),
        ("pr43", "july", Verdict.SHIM),
    ]
    assert records[0].revisions.downstream == records[0].evidence.snapshot


def test_numbers_come_from_a_list(run: Commands) -> None:
    Path("bare.tsv").write_text("\n".join(line.partition("\t")[2] for line in TABLE.split("\n")), encoding="utf-8")
    Path("numbers.txt").write_text("41\n-\n42\n#43\n", encoding="utf-8")
    arguments = ("import", "bare.tsv", "--out", "data.jsonl", "--pr-list", "numbers.txt", "--json")
    code, out, _ = run(*arguments)
    told = json.loads(out)
    assert code == 0
    assert told["added"] == ["pr41", "pr43"]
    assert (told["rows_without_number"], told["cited"], told["verified"], told["revision"]) == ([3], 2, 0, None)
    again = json.loads(run(*arguments)[1])
    assert (again["added"], again["known"], again["records"]) == ([], 2, 2)


def test_an_unreadable_table_leaves_no_file(run: Commands) -> None:
    code, out, err = run("import", "none.tsv", "--out", "data.jsonl")
    assert (code, out) == (4, "")
    assert "none.tsv" in err
    assert not Path("data.jsonl").exists()


def test_a_revision_without_its_tree_is_refused(run: Commands) -> None:
    code, _, err = run("import", "july.tsv", "--out", "data.jsonl", "--downstream-rev", "v1")
    assert code == 2
    assert "--downstream" in err
    assert not Path("data.jsonl").exists()


def test_check_tells_and_fails_only_when_strict(run: Commands) -> None:
    run("import", "july.tsv", "--out", "data.jsonl", "--downstream", "tree")
    code, out, _ = run("check", "--records", "data.jsonl", "--downstream", "tree")
    assert code == 0
    assert "2 条记录" in out
    assert "pr43" in out
    assert run("check", "--records", "data.jsonl", "--strict")[0] == 1
    told = json.loads(run("check", "--records", "data.jsonl", "--json")[1])
    assert told["missing"]["diff"] == ["pr41", "pr43"]
    assert told["revision"] is None
    assert [one["record"] for one in told["flags"]] == ["pr43"]
    assert run("check", "--records", "none.jsonl")[0] == 1


def test_complete_takes_what_was_fetched(run: Commands, tmp_path: Path) -> None:
    run("import", "july.tsv", "--out", "data.jsonl")
    keep_pull(tmp_path / "cache" / "real-data", 41, b"diff")
    code, out, _ = run("complete", "--records", "data.jsonl", "--json")
    assert (code, json.loads(out)["completed"]) == (0, ["pr41"])
    assert [one.title for one in load_records(Path("data.jsonl"))] == ["Turn twice", ""]
    told = json.loads(run("check", "--records", "data.jsonl", "--json")[1])
    assert told["missing"]["diff"] == ["pr43"]


def test_the_schema_names_every_key(run: Commands) -> None:
    shown = json.loads(run("schema")[1])
    line = json.loads(record(1).model_dump_json())
    assert set(shown["properties"]) == set(line)
    assert shown["properties"]["schema"]["const"] == 2
