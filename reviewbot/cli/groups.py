"""Groups and commands with Chinese pages, for the commands of this package and for those of plug-ins."""

from __future__ import annotations

from collections.abc import Callable

import typer

from reviewbot.cli import words
from reviewbot.cli.help import ChineseCommand, ChineseGroup


def group(help_text: str) -> typer.Typer:
    return typer.Typer(
        cls=ChineseGroup, help=help_text, no_args_is_help=True, add_completion=False, epilog=words.HELP_SEE_EXIT_CODES
    )


def add(app: typer.Typer, name: str, help_text: str, function: Callable[..., object]) -> None:
    app.command(name, help=help_text, cls=ChineseCommand, epilog=words.HELP_SEE_EXIT_CODES)(function)
