"""Runs a command of ``evals`` as ``reviewbot`` runs its own: known errors are one sentence and an exit code."""

from __future__ import annotations

import sys

import typer
from rich.text import Text

from reviewbot.cli import runner
from reviewbot.cli.output import Terminal


def run(app: typer.Typer, module: str) -> None:
    """Runs ``app`` on the command line's arguments and ends the process. ``module`` is what follows ``python -m``."""
    sys.exit(runner.run(typer.main.get_command(app), sys.argv[1:], program=f"python -m {module}"))


def say(sentence: str, style: str | None = None) -> None:
    """One sentence to standard error; standard output is for results. Terminals wrap it, we do not."""
    Terminal(sys.stderr).print(Text(sentence), style=style, soft_wrap=True)
