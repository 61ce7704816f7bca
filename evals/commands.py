"""``reviewbot eval …``: the commands of ``evals``, joined to ``reviewbot`` through the group ``reviewbot.commands``.

Command modules stay light: they import what they run with inside the function, so that help pages stay quick.
"""

from __future__ import annotations

import typer

from evals import words
from reviewbot.cli.help import ChineseGroup

app = typer.Typer(cls=ChineseGroup, help=words.HELP_EVAL, no_args_is_help=True, add_completion=False)
