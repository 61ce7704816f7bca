"""``python -m evals.prompts``. Figures on standard output, progress on error; exit codes as in ``evals.errors``."""

from __future__ import annotations

import typer

from evals.prompts import words
from evals.prompts.command import prompts
from evals.running import run
from reviewbot.cli.help import ChineseCommand

app = typer.Typer(add_completion=False, rich_markup_mode=None)
app.command(cls=ChineseCommand, help=words.HELP)(prompts)

if __name__ == "__main__":
    run(app, "evals.prompts")
