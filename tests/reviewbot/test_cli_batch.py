"""``reviewbot batch``: requests to a file, answers from anyone, records in the store; nothing lost, nothing doubled."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reviewbot.cli.batch.plan import plan_beside
from reviewbot.cli.exit_codes import ExitCode
from tests.reviewbot.cli_runs import CommandLine, Outcome
from tests.reviewbot.conftest import Mill
from tests.support.scripted_model import GOOD, Reply, answers, fails, says

DOCS = "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-one\n+two\n"


class Batch:
    """Exports and imports in the folder of ``cli``; files are ``req.jsonl`` and ``ans.jsonl``."""

    def __init__(self, cli: CommandLine, mill: Mill) -> None:
        self.cli = cli
        self.mill = mill
        self.requests = cli.folder / "req.jsonl"
        self.answers = cli.folder / "ans.jsonl"
        cli.set("REVIEWBOT_MODEL__NAME", "small")

    def export(self, *sources: str | Path, **options: str) -> Outcome:
        return self.cli("batch", "export", *sources, "--out", self.requests, *self._trees(), *_given(options))

    def read(self, lines: Sequence[str], *more: str, **options: str) -> Outcome:
        self.answers.write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
        paths = (self.answers, "--requests", self.requests)
        return self.cli("batch", "import", *paths, *self._trees(), *_given(options), *more)

    def asked(self) -> list[dict[str, Any]]:
        return [json.loads(one) for one in self.requests.read_text(encoding="utf-8").splitlines()]

    def ids(self) -> list[str]:
        return [str(one["custom_id"]) for one in self.asked()]

    def saved(self) -> list[dict[str, Any]]:
        return list(self.cli("history", "--json").json)

    def _trees(self) -> tuple[str | Path, ...]:
        return "--downstream", self.mill.downstream.path, "--upstream", self.mill.upstream.path


def _given(options: dict[str, str]) -> list[str]:
    return [part for name, value in options.items() for part in (f"--{name}", value)]


def line(custom_id: str, reply: Reply) -> str:
    response = {"status_code": reply.status, "body": reply.body}
    return json.dumps({"id": "b", "custom_id": custom_id, "response": response, "error": None}, ensure_ascii=False)


@pytest.fixture
def batch(cli: CommandLine, mill: Mill) -> Batch:
    return Batch(cli, mill)


@pytest.fixture
def docs(batch: Batch) -> Path:
    """A change that is decided without a model."""
    path = batch.cli.folder / "docs.patch"
    path.write_text(DOCS, encoding="utf-8")
    return path


@pytest.fixture
def other(batch: Batch) -> Path:
    """Another change of the same function."""
    path = batch.cli.folder / "other.patch"
    path.write_bytes(batch.mill.patch.read_bytes().replace(b"quiet", b"calm").replace(b"4242", b"4243"))
    return path


def test_requests_and_their_plan(batch: Batch, docs: Path, other: Path) -> None:
    outcome = batch.export(batch.mill.patch, docs, other)
    assert outcome.code == ExitCode.OK
    assert len(batch.ids()) == len(set(batch.ids())) == 2
    for one in batch.asked():
        assert set(one) == {"custom_id", "method", "url", "body"}
        assert one["body"]["model"] == "small"
    plan = [json.loads(one) for one in plan_beside(batch.requests).read_text(encoding="ascii").splitlines()]
    assert [one["custom_id"] for one in plan] == [batch.ids()[0], None, batch.ids()[1]]
    assert [one["source"] for one in plan] == ["spin.patch", "docs.patch", "other.patch"]
    assert "2 个请求" in outcome.out
    assert "另有 1 个改动" in outcome.out
    assert "花费" not in outcome.out, "no price is set"
    assert not (batch.cli.folder / "share").exists(), "an export saves no analysis"


def test_answers_become_records(batch: Batch, docs: Path) -> None:
    batch.export(batch.mill.patch, docs)
    outcome = batch.read([line(batch.ids()[0], answers())])
    assert outcome.code == ExitCode.OK
    assert outcome.err == "导入 2 份记录。\n"
    assert [(one["upstream_pr"], one["writer"]) for one in batch.saved()] == [(None, "template"), (4242, "m")]
    shown = batch.cli("show", "1", "--json").json
    assert shown["labels"]["verdict"] == GOOD["verdict"]
    assert "torch_npu/gears.py:14" in shown["analysis"], "ids are resolved"
    assert shown["usage"]["prompt_tokens"] == 1000
    assert "1 次模型请求" in batch.cli("show", "1").out


def test_answers_are_verified(batch: Batch) -> None:
    batch.export(batch.mill.patch)
    false = answers(analysis=GOOD["analysis"] + "torch_npu 继承了 halt [E9]。")
    batch.read([line(batch.ids()[0], false)])
    shown = batch.cli("show", "1", "--json").json
    assert shown["draft"]["removed"] == ["torch_npu 继承了 halt [E9]。"]
    assert "halt" not in shown["analysis"]


def test_importing_again_saves_nothing_twice(batch: Batch, docs: Path) -> None:
    batch.export(batch.mill.patch, docs)
    lines = [line(batch.ids()[0], answers())]
    first = batch.read(lines, "--json").json["imported"]
    batch.cli.set("REVIEWBOT_MODEL__PRICE_IN", "2")
    batch.cli.set("REVIEWBOT_MODEL__PRICE_OUT", "8")
    again = batch.read(lines, "--json")
    assert [one["known"] for one in first] == [False, False]
    assert again.json["imported"] == [one | {"known": True} for one in first]
    assert len(batch.saved()) == 2
    assert "2 份此前已导入" in batch.read(lines).err


def test_another_answer_is_another_record(batch: Batch) -> None:
    batch.export(batch.mill.patch)
    batch.read([line(batch.ids()[0], answers())])
    batch.read([line(batch.ids()[0], answers(risk="high"))])
    assert [one["labels"]["risk"] for one in batch.saved()] == ["high", "medium"]


def test_every_line_that_fails_is_named_and_the_rest_is_saved(batch: Batch, docs: Path, other: Path) -> None:
    batch.export(batch.mill.patch, docs, other)
    first, second = batch.ids()
    outcome = batch.read(["{broken", line("draft-unknown", answers()), line(second, says("")), line(first, answers())])
    assert outcome.code == ExitCode.WRITER
    assert outcome.err.splitlines() == [
        f"{batch.answers} 第 1 行：不是 JSON 对象",
        f"{batch.answers} 第 3 行（pytorch/pytorch#4243）：输出为空",
        f"{batch.answers} 第 2 行（draft-unknown）：custom_id 不在请求文件中，未采用",
        "导入 2 份记录，1 个改动没有可用的应答。",
    ]
    assert len(batch.saved()) == 2
    later = batch.read([line(second, answers()), line(first, answers())])
    assert later.code == ExitCode.OK
    assert later.err == "导入 1 份记录，2 份此前已导入。\n"


def test_what_a_file_says_of_itself_is_shown_without_its_escapes(batch: Batch) -> None:
    batch.export(batch.mill.patch)
    outcome = batch.read([line("draft\x1b[31m\u202e", answers()), line(batch.ids()[0], fails(400, "no\x1b[2J"))])
    assert "draft[31m" in outcome.err
    assert "no[2J" in outcome.err
    assert "\x1b" not in outcome.err
    assert "\u202e" not in outcome.err


def test_a_line_that_is_not_needed_is_no_failure(batch: Batch) -> None:
    batch.export(batch.mill.patch)
    outcome = batch.read(["{broken", line(batch.ids()[0], answers())])
    assert outcome.code == ExitCode.OK
    assert "第 1 行" in outcome.err


def test_a_change_without_an_answer_is_named(batch: Batch) -> None:
    batch.export(batch.mill.patch)
    outcome = batch.read([])
    assert outcome.code == ExitCode.WRITER
    assert outcome.err.splitlines()[0] == "pytorch/pytorch#4242：应答文件中没有它的应答"
    assert batch.saved() == []


@pytest.mark.parametrize("good_first", [True, False])
def test_a_usable_answer_is_not_lost_to_a_failure(batch: Batch, good_first: bool) -> None:
    batch.export(batch.mill.patch)
    (name,) = batch.ids()
    lines = [line(name, answers()), line(name, fails(429))]
    outcome = batch.read(lines if good_first else lines[::-1])
    assert outcome.code == ExitCode.OK
    dropped, kept = (2, 1) if good_first else (1, 2)
    said = (
        f"{batch.answers} 第 {dropped} 行（pytorch/pytorch#4242）：与第 {kept} 行的 custom_id 相同，以第 {kept} 行为准"
    )
    assert said in outcome.err
    assert len(batch.saved()) == 1


# --- an answer to something else --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "variable", "said"),
    [
        ({"limit": "1"}, None, "ledger.limit 导出时为 20，现在为 1"),
        ({}, ("REVIEWBOT_MODEL__PROMPT_TOKENS", "5000"), "model.prompt_tokens 导出时为 10000，现在为 5000"),
    ],
)
def test_an_answer_to_another_request_is_refused(
    batch: Batch, options: dict[str, str], variable: tuple[str, str] | None, said: str
) -> None:
    batch.export(batch.mill.patch)
    if variable is not None:
        batch.cli.set(*variable)
    outcome = batch.read([line(batch.ids()[0], answers())], **options)
    assert outcome.code == ExitCode.WRITER
    assert said in outcome.err
    assert "应答不再适用" in outcome.err
    assert batch.saved() == []


def test_an_answer_to_another_ledger_is_refused(batch: Batch, tmp_path: Path) -> None:
    batch.export(batch.mill.patch)
    (tmp_path / "npu" / "torch_npu").mkdir(parents=True)
    (tmp_path / "npu" / "torch_npu" / "gears.py").write_text("from torch._mill.gears import spin\n", encoding="utf-8")
    batch.answers.write_text(line(batch.ids()[0], answers()) + "\n", encoding="utf-8")
    paths = ("batch", "import", batch.answers, "--requests", batch.requests)
    outcome = batch.cli(*paths, "--downstream", tmp_path / "npu")
    assert outcome.code == ExitCode.WRITER
    assert f"torch_npu 导出时为 mill_npu {batch.mill.downstream_head}" in outcome.err


def test_a_plain_case_that_is_none_any_more(batch: Batch, tmp_path: Path) -> None:
    """Decided without a model against one tree, coupled in the other: the template must not write it unasked."""
    empty = tmp_path / "empty"
    (empty / "torch_npu").mkdir(parents=True)
    (empty / "torch_npu" / "__init__.py").touch()
    export = ("batch", "export", batch.mill.patch, "--out", batch.requests, "--downstream", empty)
    assert batch.cli(*export, "--json").json["plain"] == 1
    outcome = batch.read([])
    assert outcome.code == ExitCode.WRITER
    assert "应答不再适用" in outcome.err


# --- sources, files, formats ------------------------------------------------------------------------------------------


def test_a_source_that_cannot_be_read_costs_only_itself(batch: Batch) -> None:
    outcome = batch.export("absent.patch", batch.mill.patch)
    assert outcome.code == ExitCode.INPUT
    assert outcome.err.startswith("未导出：absent.patch")
    assert len(batch.ids()) == 1


def test_nothing_to_export_writes_nothing(batch: Batch) -> None:
    outcome = batch.export("absent.patch")
    assert outcome.code == ExitCode.INPUT
    assert outcome.err.splitlines()[-1] == "没有一个改动可以分析，未写文件。"
    assert not batch.requests.exists()


def test_a_change_named_twice_is_asked_about_once(batch: Batch) -> None:
    outcome = batch.export(batch.mill.patch, "pytorch/pytorch#4242", batch.mill.head)
    assert outcome.code == ExitCode.OK
    assert len(batch.ids()) == len(plan_beside(batch.requests).read_text(encoding="ascii").splitlines())
    assert len(set(batch.ids())) == len(batch.ids())
    assert "是同一个改动" in outcome.err


def test_bytes_that_are_no_text(batch: Batch) -> None:
    patch = batch.cli.folder / "latin.patch"
    patch.write_bytes(batch.mill.patch.read_bytes().replace(b"-    y = x\n", b"-    y = x  # caf\xe9\n"))
    batch.export(patch)
    assert batch.read([line(batch.ids()[0], answers())]).code == ExitCode.OK


def test_what_it_may_cost(batch: Batch) -> None:
    batch.cli.set("REVIEWBOT_MODEL__PRICE_IN", "2")
    batch.cli.set("REVIEWBOT_MODEL__PRICE_OUT", "8")
    outcome = batch.export(batch.mill.patch)
    assert "最多花费 0.0" in outcome.out
    assert outcome.out.splitlines()[0].endswith(" CNY。")


def test_formats_of_an_import(batch: Batch, docs: Path) -> None:
    batch.export(batch.mill.patch, docs)
    lines = [line(batch.ids()[0], answers())]
    rows = list(csv.DictReader(io.StringIO(batch.read(lines, "--format", "csv").out)))
    assert [row["upstream_pr"] for row in rows] == ["4242", ""]
    assert len(batch.read(lines, "--format", "json").json) == 2
    assert batch.read(lines, "--format", "comment").out.count("<!-- reviewbot:comment") == 2
    conflict = batch.read(lines, "--format", "row", "--json")
    assert (conflict.code, conflict.out) == (ExitCode.USAGE, "")


def test_files_that_are_not_there(batch: Batch) -> None:
    batch.export(batch.mill.patch)
    paths = (
        "batch",
        "import",
        "absent.jsonl",
        "--requests",
        batch.requests,
        "--downstream",
        batch.mill.downstream.path,
    )
    code, sentence = batch.cli.fails(*paths)
    assert (code, "absent.jsonl" in sentence) == (ExitCode.INPUT, True)
    plan_beside(batch.requests).unlink()
    code, sentence = batch.cli.fails(*paths)
    assert (code, "req.plan.jsonl" in sentence) == (ExitCode.INPUT, True)


@pytest.mark.parametrize(("text", "said"), [("{", "第 1 行不符合格式"), ('{"source": "a"}', "第 1 行的 custom_id ")])
def test_a_plan_that_is_none(batch: Batch, text: str, said: str) -> None:
    batch.export(batch.mill.patch)
    plan_beside(batch.requests).write_text(text, encoding="utf-8")
    batch.answers.touch()
    code, sentence = batch.cli.fails("batch", "import", batch.answers, "--requests", batch.requests)
    assert code == ExitCode.INPUT
    assert said in sentence


def test_where_requests_cannot_go(batch: Batch) -> None:
    patch = batch.cli.folder / "copy.patch"
    patch.write_bytes(batch.mill.patch.read_bytes())
    batch.requests = patch
    assert batch.export(patch).code == ExitCode.USAGE
    assert patch.read_bytes() == batch.mill.patch.read_bytes()
    batch.requests = batch.cli.folder / "absent" / "req.jsonl"
    outcome = batch.export(batch.mill.patch)
    assert outcome.code == ExitCode.USAGE
    assert "无法写入" in outcome.err


def test_requests_need_a_model(cli: CommandLine, mill: Mill) -> None:
    code, sentence = cli.fails("batch", "export", mill.patch, "--out", "r.jsonl", "--downstream", mill.downstream.path)
    assert code == ExitCode.SETTINGS
    assert "model.name" in sentence
