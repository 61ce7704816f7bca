"""``python -m evals.hostile``: the same command without the rest of ``reviewbot``."""

from __future__ import annotations

import typer

from evals.hostile import words
from evals.hostile.command import hostile
from evals.running import run
from reviewbot.cli.help import ChineseCommand

app = typer.Typer(add_completion=False, rich_markup_mode=None)
app.command(cls=ChineseCommand, help=words.HELP)(hostile)

if __name__ == "__main__":
    run(app, "evals.hostile")
