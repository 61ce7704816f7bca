"""``reviewbot index``: what it builds, what it shows, what it answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retrieval.models import ChangeKind, DefinitionKind, EvidenceKind
from reviewbot import words
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.ledger_view import show_ledger
from reviewbot.cli.output import Output
from reviewbot.errors import OptionsError
from reviewbot.symbol_query import delta_of
from tests.reviewbot.cli_runs import CommandLine
from tests.reviewbot.conftest import Mill
from tests.support import values
from tests.support.git_repo import GitRepo


def test_a_second_build_parses_nothing(cli: CommandLine, mill: Mill) -> None:
    tree = ("--downstream", mill.downstream.path)
    first = cli("index", "build", *tree, "--json").json
    assert (first["files"], first["parsed"]) == (2, 2)
    assert first["revision"] == mill.downstream_head
    assert first["facts"]["patch"] >= 1
    assert first["bytes"] > 0
    assert Path(first["cache"]).parent == cli.folder / "cache" / "reviewbot"
    second = cli("index", "build", *tree, "--json").json
    assert (second["files"], second["parsed"]) == (2, 0)
    assert second["facts"] == first["facts"]
    text = cli("index", "build", *tree).out
    assert mill.downstream_head in text
    assert "全部文件已在缓存中" in text
    assert first["cache"] in text


def test_the_next_revision_costs_its_changed_files(cli: CommandLine, tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "mill_npu")
    repo.commit({f"torch_npu/m{number}.py": f"x = {number}\n" for number in range(9)} | {"copy.py": "x = 0\n"})
    tree = ("--downstream", repo.path)
    first = cli("index", "build", *tree, "--json").json
    assert (first["files"], first["reused"], first["parsed"]) == (10, 0, 9)
    repo.commit({"torch_npu/m3.py": "x = 33\n", "torch_npu/moved.py": "x = 4\n", "torch_npu/m4.py": None})
    assert "复用缓存中的 8 份文件内容，新解析 1 份，用时 " in cli("index", "build", *tree).out
    back = cli("index", "build", *tree, "--downstream-rev", "HEAD~1", "--json").json
    assert (back["reused"], back["parsed"]) == (9, 0)
    assert back["seconds"] >= 0


def test_what_is_cached(cli: CommandLine, mill: Mill) -> None:
    assert "index build" in cli("index", "show").out
    empty = cli("index", "show", "--json").json
    assert (empty["blobs"], empty["facts"], empty["bytes"]) == (0, {}, 0)
    assert not (cli.folder / "cache").exists(), "looking creates nothing"
    built = cli("index", "build", "--downstream", mill.downstream.path, "--json").json
    old = cli.folder / "cache" / "reviewbot" / "facts-0.sqlite3"
    old.write_bytes(b"x" * 3072)
    shown = cli("index", "show", "--json").json
    assert shown["facts"] == built["facts"]
    assert shown["outdated"] == [{"path": str(old), "bytes": 3072}]
    text = cli("index", "show").out
    for kind, count in built["facts"].items():
        assert re.search(rf"(?m)^{words.EVIDENCE_KIND_WORDS[kind]} +{count}$", text)
    assert "1 个旧版本的缓存文件（3.0 KB）" in text


def test_a_damaged_cache_is_built_again(cli: CommandLine, mill: Mill) -> None:
    tree = ("--downstream", mill.downstream.path)
    cache = Path(cli("index", "build", *tree, "--json").json["cache"])
    cache.write_bytes(b"noise" * 5000)
    assert cli("index", "build", *tree, "--json").json["parsed"] == 2


def test_a_cache_that_cannot_be_written(cli: CommandLine, mill: Mill) -> None:
    (cli.folder / "file").touch()
    cli.set("REVIEWBOT_CACHE__DIR", str(cli.folder / "file" / "cache"))
    assert cli.fails("index", "build", "--downstream", mill.downstream.path)[0] == ExitCode.CACHE


def test_what_is_coupled_to_a_symbol(cli: CommandLine, mill: Mill) -> None:
    tree = ("--downstream", mill.downstream.path)
    answer = cli("index", "query", "torch._mill.gears.spin", *tree, "--json").json
    assert answer["symbol"] == "torch._mill.gears.spin"
    top = answer["ledger"]["items"][0]
    assert (top["kind"], top["path"], top["scope"]) == (EvidenceKind.PATCH, "torch_npu/gears.py", "<module>")
    text = cli("index", "query", "torch._mill.gears.spin", *tree).out
    assert f"torch_npu/gears.py:{top['lines'][0]}" in text
    assert words.EVIDENCE_KIND_WORDS["patch"] in text
    override = cli("index", "query", "torch._mill.gears.Gear.turn", *tree, "--json").json["ledger"]["items"][0]
    assert (override["kind"], override["scope"]) == (EvidenceKind.OVERRIDE, "NPUGear.turn")


def test_an_unknown_symbol_is_a_counted_miss(cli: CommandLine, mill: Mill) -> None:
    outcome = cli("index", "query", "torch._mill.gears.backwards", "--downstream", mill.downstream.path)
    assert outcome.code == 0
    assert "没有找到与它耦合的位置。" in outcome.out
    assert re.search(r"(?m)^零命中（检索了 2 个文件）$", outcome.out)
    assert re.search(r"(?m)^Z1 +backwards +torch\._mill\.gears\.backwards$", outcome.out)


def test_limits_and_narrow_terminals(cli: CommandLine, mill: Mill) -> None:
    arguments = ("index", "query", "torch._mill.gears.Gear", "--downstream", mill.downstream.path)
    found = cli(*arguments, "--json").json["ledger"]["totals"]["found"]
    assert found > 1
    assert f"略去 {found - 1} 处" in cli(*arguments, "--limit", "1").out
    wide = cli(*arguments).out
    cli.set("COLUMNS", "60")
    narrow = cli(*arguments).out
    assert max(map(len, narrow.splitlines())) <= 60 < max(map(len, wide.splitlines()))
    for scope in ("NPUGear", "torch._mill.gears.Gear"):
        assert scope in re.sub(r"\s", "", narrow)


@pytest.mark.parametrize("columns", ["60", "200"])
def test_further_couplings_of_a_place_follow_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    place = values.merged(values.patch(lines=(9,)), values.imported(lines=(2, 3)), values.flag_use(lines=(7,)))
    show_ledger(Output(), values.ledger(place, values.reference()))
    text = capsys.readouterr().out
    assert re.search(r"E1 .*E1\.2 +导入 .*:2-3\b.*E1\.3 +配置项 .*:7\b.*E2 ", text, re.DOTALL)
    assert "E2.2" not in text


@pytest.mark.parametrize("symbol", ["spin", "", "torch..spin", "torch.自旋", "torch.spin()", "-x"])
def test_what_is_no_symbol(cli: CommandLine, mill: Mill, symbol: str) -> None:
    code, sentence = cli.fails("index", "query", "--downstream", mill.downstream.path, "--", symbol)
    assert code == ExitCode.USAGE
    assert "点分名" in sentence


def test_symbols_are_taken_apart_by_their_capitals() -> None:
    def parts(symbol: str) -> tuple[str, str, DefinitionKind]:
        (definition,) = delta_of(symbol).definitions
        assert definition.symbol == symbol
        assert definition.kind is ChangeKind.REWRITTEN
        return definition.module, definition.qualname, definition.definition

    assert parts("torch._mill.gears.spin") == ("torch._mill.gears", "spin", DefinitionKind.FUNCTION)
    assert parts("torch._mill.gears.Gear") == ("torch._mill.gears", "Gear", DefinitionKind.CLASS)
    assert parts("torch._mill.gears.Gear.turn") == ("torch._mill.gears", "Gear.turn", DefinitionKind.METHOD)
    assert parts("torch._mill.gears._Gear.turn") == ("torch._mill.gears", "_Gear.turn", DefinitionKind.METHOD)


def test_operators_and_flags_are_asked_for_as_such() -> None:
    for symbol in ("aten.spin", "aten.spin.default"):
        assert [change.operator for change in delta_of(symbol).operators] == ["aten.spin"]
    assert [change.flag for change in delta_of("torch._mill.config.turbo.on").configs] == [
        "torch._mill.config.turbo.on"
    ]
    with pytest.raises(OptionsError):
        delta_of("spin")
