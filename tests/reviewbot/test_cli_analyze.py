"""``reviewbot analyze`` from every kind of source to every format, on an invented upstream and downstream."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from retrieval.models import UpstreamChange
from reviewbot.cli.analyze import exit_code_for
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.models import AnalysisState, Labels
from reviewbot.records.reading import read_table
from reviewbot.render import json_schema
from reviewbot.store import open_store
from tests.reviewbot.analyses import example
from tests.reviewbot.cli_runs import CommandLine
from tests.reviewbot.conftest import BASE, DOWNSTREAM, Mill

PATCHED = ("torch_npu/gears.py", "<module>")


def places(report: dict[str, object]) -> set[tuple[str, str]]:
    ledger = report["ledger"]
    assert isinstance(ledger, dict)
    return {(item["path"], item["scope"]) for item in ledger["items"]}


def test_a_patch_to_a_record(cli: CommandLine, mill: Mill) -> None:
    outcome = cli("analyze", mill.patch, "--downstream", mill.downstream.path, "--json", "--no-save")
    assert outcome.err == ""
    report = outcome.json
    assert outcome.code == (ExitCode.OK if report["state"] == "done" else ExitCode.UNSETTLED)
    assert set(report["labels"]) == set(Labels.model_fields)
    assert PATCHED in places(report)
    assert set(report) == set(json_schema()["properties"])
    for item in report["ledger"]["items"]:
        assert {"kind", "path", "scope", "lines"} <= set(item)
    assert report["ledger"]["revision"] == mill.downstream_head
    assert report["change"]["number"] == 4242
    assert report["timing"]["index"] > 0
    assert not (cli.folder / "share").exists(), "--no-save opens no database"


def test_every_source_is_the_same_change(cli: CommandLine, mill: Mill) -> None:
    clone = ("--upstream", mill.upstream.path)
    sources: list[tuple[str | Path, ...]] = [
        (mill.patch,),
        (mill.head, *clone),
        (f"{mill.base}..{mill.head}", *clone),
        ("pytorch/pytorch#4242", *clone),
    ]
    options = ("--downstream", mill.downstream.path, "--json", "--no-save")
    reports = [cli("analyze", *source, *options).json for source in sources]
    reports.append(cli("analyze", "-", *options, stdin=mill.patch.read_bytes()).json)
    for report in reports:
        assert [file["path"] for file in report["change"]["files"]] == ["torch/_mill/gears.py"]
        assert report["labels"] == reports[0]["labels"]
        assert places(report) == places(reports[0])


def test_every_kind_of_downstream_tree(cli: CommandLine, mill: Mill, tmp_path: Path) -> None:
    bare = mill.downstream.bare_clone(tmp_path / "bare")
    folder = tmp_path / "folder"
    wheel = tmp_path / "torch_npu-2.13.0-py3-none-any.whl"
    files = {
        "torch_npu/gears.py": DOWNSTREAM,
        "torch_npu/__init__.py": "",
        "torch_npu-2.13.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: torch-npu\nVersion: 2.13.0\n",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
            if "dist-info" not in name:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(content, encoding="utf-8")
    revisions = {}
    for tree in (bare, folder, wheel):
        report = cli("analyze", mill.patch, "--downstream", tree, "--json", "--no-save").json
        assert PATCHED in places(report), tree
        revisions[tree] = report["ledger"]["revision"]
    assert revisions[bare] == mill.downstream_head
    assert revisions[folder].startswith("folder:")
    assert revisions[wheel] == "torch-npu 2.13.0"


def test_a_revision_of_the_downstream(cli: CommandLine, mill: Mill, tmp_path: Path) -> None:
    bare = mill.downstream.bare_clone(tmp_path / "bare")
    report = cli("analyze", mill.patch, "--downstream", bare, "--downstream-rev", "main", "--json", "--no-save").json
    assert report["ledger"]["revision"] == mill.downstream_head
    code, sentence = cli.fails("analyze", mill.patch, "--downstream", bare, "--downstream-rev", "v9")
    assert code == ExitCode.TREE
    assert "v9" in sentence


def test_upstream_sides(cli: CommandLine, mill: Mill, tmp_path: Path) -> None:
    base, head = tmp_path / "base", tmp_path / "head"
    for folder, revision in ((base, mill.base), (head, mill.head)):
        (folder / "torch/_mill").mkdir(parents=True)
        (folder / "torch/_mill/gears.py").write_text(
            mill.upstream.git("show", f"{revision}:torch/_mill/gears.py") + "\n", encoding="utf-8"
        )
    clone = ("--upstream", mill.upstream.path)
    sides: list[tuple[str | Path, ...]] = [
        ("--upstream-base", base),
        ("--upstream-head", head),
        ("--upstream-base", base, "--upstream-head", head),
        (*clone, "--base", mill.base),
        (*clone, "--base", mill.base, "--head", mill.head),
    ]
    patch = tmp_path / "plain.diff"  # names no commit, so without trees there are only its hunks
    patch.write_text(mill.upstream.git("diff", mill.base, mill.head) + "\n", encoding="utf-8")
    options = ("--downstream", mill.downstream.path, "--json", "--no-save")
    for side in sides:
        report = cli("analyze", patch, *side, *options).json
        assert [file["complete"] for file in report["delta"]["files"]] == [True], side
    assert [file["complete"] for file in cli("analyze", patch, *options).json["delta"]["files"]] == [False]
    by_commit = cli("analyze", mill.head, *clone, *options).json
    assert [file["complete"] for file in by_commit["delta"]["files"]] == [True], "the change names its own commits"


def test_what_a_patch_cannot_carry(cli: CommandLine, mill: Mill, tmp_path: Path) -> None:
    about = tmp_path / "about.json"
    about.write_text(
        json.dumps(
            {"number": 77, "title": "Quiet", "labels": ["Reverted"], "date": "2026-05-06", "tests": ["T.test_a"]}
        ),
        encoding="utf-8",
    )
    options = ("--downstream", mill.downstream.path, "--json", "--no-save")
    change = cli("analyze", mill.patch, "--about", about, *options).json["change"]
    assert (change["number"], change["title"], change["reverted"]) == (77, "Quiet", True)
    assert (change["date"], change["test_names"]) == ("2026-05-06", ["T.test_a"])
    about.write_text('{"titel": "x"}', encoding="utf-8")
    code, sentence = cli.fails("analyze", mill.patch, "--about", about, *options)
    assert code == ExitCode.INPUT
    assert "titel" in sentence


def test_formats(cli: CommandLine, mill: Mill) -> None:
    options = ("analyze", mill.patch, "--downstream", mill.downstream.path, "--no-save")
    labels = cli(*options, "--json").json["labels"]
    assert cli(*options, "--format", "json").json["labels"] == labels
    comment = cli(*options, "--format", "comment").out
    assert labels["verdict"] in comment
    assert "torch_npu/gears.py" in comment
    for form in ("row", "row-old"):
        (record,) = read_table(cli(*options, "--format", form).out.encode()).records
        assert record.labels.verdict == labels["verdict"]
    (row,) = csv.DictReader(io.StringIO(cli(*options, "--format", "csv").out))
    assert row["verdict"] == labels["verdict"]
    terminal = cli(*options).out
    assert labels["verdict"] in terminal
    assert "\x1b" not in terminal, "no colour when nobody looks"
    assert max(map(len, terminal.splitlines())) <= 120


def test_the_grounds(cli: CommandLine, mill: Mill) -> None:
    options = ("analyze", mill.patch, "--downstream", mill.downstream.path, "--no-save")
    report = cli(*options, "--json").json
    text = cli(*options, "--explain").out
    for rule in report["prior"]["rules"]:
        assert rule["id"] in text
    for item in report["ledger"]["items"]:
        assert re.search(rf"(?m)^{item['id']} +{item['score']:.2f} ", text), item
        assert item["scope"] in text
    for miss in report["ledger"]["misses"]:
        assert re.search(rf"(?m)^{miss['id']} +{re.escape(miss['pattern'])} ", text)
    assert "证据清单" in text
    assert "证据清单" not in cli(*options).out


def test_a_short_ledger_says_what_it_cut(cli: CommandLine, mill: Mill) -> None:
    options = ("analyze", mill.patch, "--downstream", mill.downstream.path, "--no-save", "--limit", "1")
    totals = cli(*options, "--json").json["ledger"]["totals"]
    assert totals["shown"] == 1
    assert totals["cut"] == totals["found"] - 1 > 0
    assert f"略去 {totals['cut']} 处" in cli(*options, "--explain").out
    assert cli.fails(*options[:-1], "0") == (ExitCode.SETTINGS, "选项 --limit 不能小于 1，现在是 0。")


def test_narrow_terminals_lose_nothing(cli: CommandLine, mill: Mill) -> None:
    cli.set("COLUMNS", "60")
    text = cli("analyze", mill.patch, "--downstream", mill.downstream.path, "--no-save", "--explain").out
    joined = re.sub(r"[\s│]", "", text)
    assert "torch._mill.gears.spin" in joined
    assert "torch_npu/gears.py" in joined


def test_settings_stand_in_for_options(cli: CommandLine, mill: Mill) -> None:
    (cli.folder / "reviewbot.toml").write_text(
        f'[downstream]\npath = "{mill.downstream.path}"\n[upstream]\nclone = "{mill.upstream.path}"\n'
        "[ledger]\nlimit = 1\n",
        encoding="utf-8",
    )
    report = cli("analyze", "pytorch/pytorch#4242", "--json", "--no-save").json
    assert report["ledger"]["totals"]["shown"] == 1
    assert report["change"]["head_sha"] == mill.head


# --- what cannot be analysed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--json", "--format", "row"), ExitCode.USAGE, ("--json", "--format row")),
        (("--explain", "--format", "comment"), ExitCode.USAGE, ("--explain", "terminal")),
        (("--base", "v1"), ExitCode.USAGE, ("--base", "--upstream")),
        (("--head", "v1", "--upstream-base", "."), ExitCode.USAGE, ("--head", "--upstream-base")),
        (("--upstream", "absent", "--base", "v1"), ExitCode.INPUT, ("absent",)),
        (("--upstream-base", "absent"), ExitCode.TREE, ("absent",)),
        (("--about", "absent.json"), ExitCode.INPUT, ("absent.json",)),
        (("--config", "absent.toml"), ExitCode.SETTINGS, ("absent.toml",)),
        (("--downstream", "absent"), ExitCode.TREE, ("absent",)),
    ],
)
def test_options_that_cannot_be_met(
    cli: CommandLine, mill: Mill, options: tuple[str, ...], code: ExitCode, words: tuple[str, ...]
) -> None:
    found, sentence = cli.fails("analyze", mill.patch, "--downstream", mill.downstream.path, "--no-save", *options)
    assert found == code
    assert all(word in sentence for word in words), sentence


def test_no_downstream_at_all(cli: CommandLine, mill: Mill) -> None:
    code, sentence = cli.fails("analyze", mill.patch)
    assert code == ExitCode.USAGE
    assert "--downstream" in sentence
    assert "downstream.path" in sentence


@pytest.mark.parametrize("source", ["absent.patch", "pytorch/pytorch#1", "v1..v2", "other/repository#3"])
def test_sources_that_cannot_be_read(cli: CommandLine, mill: Mill, source: str) -> None:
    code, sentence = cli.fails("analyze", source, "--downstream", mill.downstream.path)
    assert code == ExitCode.INPUT
    assert source in sentence


def test_something_that_is_no_patch(cli: CommandLine, mill: Mill) -> None:
    options = ("--downstream", mill.downstream.path)
    assert cli.fails("analyze", "-", *options, stdin=b"\x00\x01 not a diff")[0] == ExitCode.INPUT


def test_a_weaker_source_gives_way_to_options(cli: CommandLine, mill: Mill, tmp_path: Path) -> None:
    """The file names revisions of a clone, the command line names a folder: no conflict, the folder counts."""
    (tmp_path / "base/torch/_mill").mkdir(parents=True)
    (tmp_path / "base/torch/_mill/gears.py").write_text(BASE, encoding="utf-8")
    (cli.folder / "reviewbot.toml").write_text(
        f'[upstream]\nclone = "{mill.upstream.path}"\nbase = "nowhere"\n', encoding="utf-8"
    )
    options = ("--downstream", mill.downstream.path, "--json", "--no-save")
    assert cli.fails("analyze", mill.patch, *options)[0] == ExitCode.TREE
    assert cli("analyze", mill.patch, "--upstream-base", tmp_path / "base", *options).json["state"]
    (cli.folder / "reviewbot.toml").write_text('[upstream]\nbase = "v1"\n', encoding="utf-8")
    code, sentence = cli.fails("analyze", mill.patch, *options)
    assert code == ExitCode.SETTINGS
    assert "upstream.base" in sentence


def test_markup_and_escapes_in_a_title_are_text(cli: CommandLine, mill: Mill) -> None:
    about = cli.folder / "about.json"
    about.write_text(json.dumps({"title": "[red]Stop[/red] \x1b[31mred\x1b[0m :smile:"}), encoding="utf-8")
    options = ("analyze", mill.patch, "--downstream", mill.downstream.path, "--about", about)
    text = cli(*options).out
    assert "[red]Stop[/red]" in text
    assert ":smile:" in text
    assert "\x1b" not in text
    assert "\x1b" not in cli("history").out


# --- saved analyses ---------------------------------------------------------------------------------------------------


def test_an_analysis_is_kept(cli: CommandLine, mill: Mill) -> None:
    options = ("analyze", mill.patch, "--downstream", mill.downstream.path)
    first = cli(*options, "--json").json
    assert "reviewbot show 2" in cli(*options).out
    assert cli("show", "1", "--json").json == first
    assert cli("show", "--json").json["timing"] != first["timing"], "the newest when no number is given"
    assert cli("show", "1", "--format", "row").out == cli(*options, "--no-save", "--format", "row").out
    assert "证据清单" in cli("show", "1", "--explain").out
    entries = cli("history", "--json").json
    assert [entry["number"] for entry in entries] == [2, 1]
    assert entries[0]["labels"] == first["labels"]
    assert entries[0]["upstream_pr"] == 4242
    assert [entry["number"] for entry in cli("history", "4242", "--limit", "1", "--json").json] == [2]
    assert cli("history", "1", "--json").json == []
    assert re.search(r"(?m)^2 .* #4242 .*Make spin quiet", cli("history").out)
    assert cli.fails("show", "9")[0] == ExitCode.STORE


def test_nothing_saved_yet(cli: CommandLine) -> None:
    for command in ("show", "history"):
        outcome = cli(command)
        assert (outcome.code, outcome.out) == (0, "")
        assert outcome.err == "数据库里还没有这样的分析。\n"


def test_a_database_that_fails_does_not_cost_the_result(cli: CommandLine, mill: Mill) -> None:
    cli.set("REVIEWBOT_STORE__URL", f"sqlite:///{cli.folder}/notes.db")
    (cli.folder / "notes.db").write_bytes(b"notes" * 1000)
    outcome = cli("analyze", mill.patch, "--downstream", mill.downstream.path, "--json")
    assert PATCHED in places(outcome.json)
    assert outcome.code == ExitCode.STORE
    assert outcome.err.startswith(f"数据库 {cli.folder}/notes.db 已损坏")
    assert (cli.folder / "notes.db").read_bytes() == b"notes" * 1000


def test_how_an_analysis_ends_is_in_the_exit_code(cli: CommandLine) -> None:
    codes = {state: exit_code_for(example().model_copy(update={"state": state})) for state in AnalysisState}
    assert codes.pop(AnalysisState.DONE) == ExitCode.OK
    assert codes.pop(AnalysisState.FAILED) == ExitCode.FAILED
    assert set(codes.values()) == {ExitCode.UNSETTLED}
    with open_store(f"sqlite:///{cli.folder}/share/reviewbot/reviewbot.db") as store:
        number = store.save(example().model_copy(update={"state": AnalysisState.SCOPE_TOO_LARGE, "reason": "太大"}))
    outcome = cli("show", str(number))
    assert outcome.code == ExitCode.UNSETTLED
    assert "太大" in outcome.out


def test_a_change_from_bytes_that_are_no_text(cli: CommandLine, mill: Mill) -> None:
    """Latin-1 in a diff travels through the database and every format."""
    patch = mill.patch.read_bytes().replace(b"-    y = x\n", b"-    y = x  # caf\xe9\n")
    options = ("--downstream", mill.downstream.path)
    for form in ("terminal", "json", "comment", "csv", "row"):
        outcome = cli("analyze", "-", *options, "--format", form, stdin=patch)
        assert outcome.err == ""
        assert outcome.out
    number = cli("history", "--json").json[0]["number"]
    with open_store(f"sqlite:///{cli.folder}/share/reviewbot/reviewbot.db") as store:
        assert isinstance(store.load(number).change, UpstreamChange)
