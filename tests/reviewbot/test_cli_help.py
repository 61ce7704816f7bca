"""Help pages, usage errors, plug-ins and the outermost runner."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from reviewbot import __version__
from reviewbot.cli import words
from reviewbot.cli.app import build
from reviewbot.cli.exit_codes import ExitCode
from tests.reviewbot.cli_runs import ROOT, CommandLine

ENGLISH = re.compile(r"Usage|Options|Arguments|Commands|Show this|default:|required|env var|Error|Try ", re.IGNORECASE)


def command_paths(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, TyperGroup):
        for name, child in command.commands.items():
            yield from command_paths(child, (*path, name))


@pytest.mark.parametrize("path", list(command_paths(typer.main.get_command(build()))), ids=" ".join)
def test_help_is_chinese_throughout(cli: CommandLine, path: tuple[str, ...]) -> None:
    outcome = cli(*path, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"{words.HELP_USAGE}{' '.join(('reviewbot', *path))}")
    text = re.sub(r"reviewbot/\w+", "", outcome.out)
    assert not ENGLISH.search(text), ENGLISH.search(text)
    assert all(len(line) <= 120 and line == line.rstrip() for line in outcome.out.splitlines())
    described = re.findall(r"(?m)^  (--\S+|[A-Z]\S*)(?: .*)?$", outcome.out)
    assert "--help" in described
    assert not re.search(r"(?m)^  (-\S+)( [A-Z]+)?$", outcome.out), "an option without a description"


def test_every_exit_code_is_in_the_help(cli: CommandLine) -> None:
    text = cli("--help").out
    assert set(words.EXIT_CODE_HELP) == {code.name for code in ExitCode}
    for code in ExitCode:
        assert re.search(rf"(?m)^  {code.value} +{re.escape(words.EXIT_CODE_HELP[code.name])}$", text)


@pytest.mark.parametrize("arguments", [(), ("index",), ("config",)])
def test_a_group_alone_shows_its_help(cli: CommandLine, arguments: tuple[str, ...]) -> None:
    outcome = cli(*arguments)
    assert outcome.code == ExitCode.USAGE
    assert outcome.out.rstrip() == cli(*arguments, "--help").out.rstrip()
    assert outcome.err == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("analyse",), "没有命令 analyse，是否想用 analyze？"),
        (("zzzz",), "没有命令 zzzz，用 reviewbot --help 查看用法。"),
        (("index", "bild"), "没有命令 bild，是否想用 build？"),
        (("analyze",), "缺少 SOURCE。用 reviewbot analyze --help 查看用法。"),
        (("analyze", "x", "--limi", "3"), "没有选项 --limi，是否想用 --limit？用 reviewbot analyze --help 查看用法。"),
        (("--zzzz",), "没有选项 --zzzz。用 reviewbot --help 查看用法。"),
        (("analyze", "x", "--limit"), "选项 --limit 需要一个值。用 reviewbot --help 查看用法。"),
        (("version", "--json=yes"), "选项 --json 不接受值。用 reviewbot --help 查看用法。"),
        (("analyze", "x", "--limit", "a"), "--limit 应为整数，现在是 a。用 reviewbot analyze --help 查看用法。"),
        (("show", "x"), "NUMBER 应为整数，现在是 x。用 reviewbot show --help 查看用法。"),
        (("history", "--limit", "0"), "--limit 不能小于 1，现在是 0。用 reviewbot history --help 查看用法。"),
        (("version", "a", "b"), "多余的参数 a b。用 reviewbot version --help 查看用法。"),
        (
            ("analyze", "x", "--format", "pdf"),
            "--format 只能是 terminal、comment、row、row-old、json、csv 之一，现在是 pdf。"
            "用 reviewbot analyze --help 查看用法。",
        ),
    ],
)
def test_a_wrong_command_line_is_one_sentence(cli: CommandLine, arguments: tuple[str, ...], sentence: str) -> None:
    assert cli.fails(*arguments) == (ExitCode.USAGE, sentence)


def test_version(cli: CommandLine) -> None:
    assert cli("--version").out == cli("version").out == f"reviewbot {__version__}\n"
    assert cli("version", "--json").json == {"reviewbot": __version__}


def test_help_loads_nothing_heavy() -> None:
    """What makes it slow, rather than how slow it is today on this machine."""
    script = (
        "import sys\nfrom reviewbot.cli.app import build\nfrom reviewbot.cli.runner import run\nimport typer\n"
        "run(typer.main.get_command(build()), ['--help'])\n"
        "print([name for name in ('pydantic', 'sqlalchemy', 'alembic', 'tree_sitter', 'yaml', 'git', 'sqlite3') "
        "if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


# --- plug-ins and the runner ------------------------------------------------------------------------------------------

PLUGIN = '''\
import typer
from reviewbot.cli.exit_codes import ExitCode

app = typer.Typer(help="Ponders.", add_completion=False)


class TiredError(Exception):
    """Too tired."""

    exit_code = 42


@app.command()
def ponder(how: str) -> ExitCode:
    if how == "tired":
        raise TiredError("累了")
    if how == "badly":
        raise RuntimeError("no thought")
    print("thought")
    return ExitCode.UNMET
'''


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package whose entry points are one good command, three broken ones, and one that is taken."""
    site = tmp_path / "site"
    (site / "pondering-1.dist-info").mkdir(parents=True)
    (site / "pondering.py").write_text(PLUGIN, encoding="utf-8")
    (site / "pondering_broken.py").write_text("def broken(:\n", encoding="utf-8")
    (site / "pondering-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: pondering\nVersion: 1\n")
    (site / "pondering-1.dist-info" / "entry_points.txt").write_text(
        "[reviewbot.commands]\nponder = pondering:app\nabsent = pondering_absent:app\nbroken = pondering_broken:app\n"
        "number = pondering:TiredError\nanalyze = pondering:app\n"
    )
    monkeypatch.syspath_prepend(str(site))


@pytest.mark.usefixtures("plugins")
def test_a_plugin_is_a_command_like_the_others(cli: CommandLine) -> None:
    outcome = cli("ponder", "well")
    assert (outcome.code, outcome.out, outcome.err) == (ExitCode.UNMET, "thought\n", "")
    assert cli.fails("ponder", "tired") == (42, "累了。")
    assert cli.fails("pondr", "well") == (ExitCode.USAGE, "没有命令 pondr，是否想用 ponder？")


@pytest.mark.usefixtures("plugins")
def test_a_broken_plugin_costs_one_line_and_nothing_else(cli: CommandLine) -> None:
    outcome = cli("--help")
    assert outcome.code == 0
    assert re.search(r"(?m)^  ponder +Ponders\.$", outcome.out)
    assert "absent" not in outcome.out
    assert "分析一个上游改动" in outcome.out, "a plug-in cannot take the place of a command"
    warnings = outcome.err.splitlines()
    assert len(warnings) == 3
    for name in ("absent", "broken", "number"):
        assert any(warning.startswith(f"扩展命令 {name}（") for warning in warnings)
        assert cli.fails(name)[0] == ExitCode.FAILED
    assert cli("version").err == ""


@pytest.mark.usefixtures("plugins")
def test_an_unforeseen_error_is_one_sentence_too(cli: CommandLine) -> None:
    code, sentence = cli.fails("ponder", "badly")
    assert code == ExitCode.FAILED
    assert "RuntimeError: no thought" in sentence
    assert "--debug" in sentence


def test_a_traceback_only_with_debug(cli: CommandLine) -> None:
    outcome = cli("config", "show", "--config", "absent.toml", "--debug")
    assert outcome.code == ExitCode.SETTINGS
    assert "Traceback" in outcome.err
    assert outcome.err.splitlines()[-1].startswith("--config 指定的配置文件")
    assert "Traceback" not in cli("config", "show", "--config", "absent.toml").err


def test_no_command_is_missing_from_the_page(cli: CommandLine) -> None:
    root: Any = typer.main.get_command(build())
    listed = {line.split()[0] for line in cli("--help").out.splitlines() if line.startswith("  ") and line.strip()}
    assert set(root.commands) <= listed
