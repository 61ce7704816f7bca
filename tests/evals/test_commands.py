"""``reviewbot eval``: every command has a Chinese page, and the group loads nothing heavy."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
import typer

from evals.commands import app
from reviewbot.cli import runner

GROUP = typer.main.get_command(app)


def paths(command: typer.core.TyperGroup, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, child in command.commands.items():
        yield (*before, name)
        if isinstance(child, typer.core.TyperGroup):
            yield from paths(child, (*before, name))


assert isinstance(GROUP, typer.core.TyperGroup)
PATHS = sorted(paths(GROUP))


def test_every_command_is_there() -> None:
    told = {" ".join(path) for path in PATHS}
    assert told >= {"run", "rescore", "report", "compare", "gate", "hostile", "prompts", "cases fetch", "data check"}
    assert told >= {"data import", "data complete", "data schema", "judge run", "judge form", "judge calibrate"}


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_has_a_chinese_page(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.run(GROUP, [*path, "--help"], program="reviewbot eval") == 0
    page = capsys.readouterr().out
    assert page.startswith(f"用法：reviewbot eval {' '.join(path)}")
    assert not re.search(r"\b(Usage|Options|Show this message)\b", page)


def test_the_group_loads_nothing_heavy() -> None:
    script = (
        "import sys, evals.commands\n"
        "print([name for name in ('numpy', 'matplotlib', 'openai', 'github', 'pydantic', 'sqlalchemy', 'tree_sitter')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
