"""Commands from other packages, through the entry-point group ``reviewbot.commands``.

An entry point's name is the name of the command, its value a ``typer.Typer``. A plug-in that cannot be loaded costs one
line of warning on standard error, and the other commands work.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer

from reviewbot.cli import words
from reviewbot.cli.help import ChineseGroup
from reviewbot.cli.output import complain
from reviewbot.errors import PluginError

GROUP = "reviewbot.commands"
#: Own commands as the help lists them; Typer would put groups last.
_ORDER = ("analyze", "show", "history", "index", "doctor", "config", "schema", "version")


class RootGroup(ChineseGroup):
    """The root command: its own commands first, then those of plug-ins, loaded when asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        own = sorted(super().list_commands(ctx), key=_ORDER.index)
        return own + sorted(_plugins().keys() - set(own))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        plugin = _plugins().get(cmd_name)
        if plugin is None:
            return None
        try:
            command = _load(plugin)
        except PluginError as error:
            # Invoked by name it is an error; in a list of commands the others still count.
            if cmd_name in ctx.args or cmd_name in ctx._protected_args:
                raise
            complain(str(error))
            return None
        self.add_command(command, cmd_name)
        return command


def _plugins() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _load(entry: EntryPoint) -> Any:
    try:
        app = entry.load()
    except Exception as error:  # code of others, which may fail in any way while it is imported
        raise PluginError(entry.name, entry.value, f"{type(error).__name__}: {error}") from error
    if not isinstance(app, typer.Typer):
        raise PluginError(entry.name, entry.value, words.PLUGIN_NO_TYPER)
    command = typer.main.get_command(app)
    command.name = entry.name
    return command
