"""Runs the ``reviewbot`` command in tests: in this process, as the installed entry point would, or as a real process.

Both see a home of their own, so neither the machine's settings nor its cache or database are read or written.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

from reviewbot.cli.app import build
from reviewbot.cli.runner import run

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """``cli("analyze", "a.diff")``; the working directory and the home are ``folder``."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        monkeypatch.chdir(folder)
        for name in [name for name in os.environ if name.startswith("REVIEWBOT_")]:
            monkeypatch.delenv(name)
        for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in home_of(folder).items():
            monkeypatch.setenv(name, value)

    def __call__(self, *arguments: str | Path, stdin: bytes = b"") -> Outcome:
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capsys.readouterr()
        code = run(typer.main.get_command(build()), [str(one) for one in arguments])
        captured = self._capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    def set(self, name: str, value: str) -> None:
        """An environment variable for the rest of the test."""
        self._monkeypatch.setenv(name, value)

    def fails(self, *arguments: str | Path, stdin: bytes = b"") -> tuple[int, str]:
        """Runs what has to fail: nothing on standard output, one sentence and no traceback on standard error."""
        outcome = self(*arguments, stdin=stdin)
        assert outcome.code != 0
        assert outcome.out == ""
        assert "Traceback" not in outcome.err
        (sentence,) = outcome.err.splitlines()
        assert sentence.endswith(("。", "？"))
        return outcome.code, sentence


def home_of(folder: Path) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "share"),
        "REVIEWBOT_INDEX__JOBS": "1",  # a tiny tree is parsed faster than a process pool starts
    }


def process(folder: Path, *arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Starts ``python -m reviewbot`` as a user's shell would; ``environment`` adds variables."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("REVIEWBOT_", "PYTHONUNBUFFERED"))
    }
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        kept.pop(name, None)
    environment = kept | home_of(folder) | {"PYTHONPATH": str(ROOT)} | options.pop("environment", {})
    command = [sys.executable, "-m", "reviewbot", *map(str, arguments)]
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, env=environment, **(pipes | options))
