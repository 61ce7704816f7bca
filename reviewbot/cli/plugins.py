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
_ORDER = (
    *("analyze", "review", "serve", "batch", "show", "history", "costs", "index", "records"),
    *("doctor", "config", "schema", "version"),
)


class RootGroup(ChineseGroup):
    """The root command: its own commands first, then those of plug-ins, loaded when asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        own = [name for name in _ORDER if name in self.commands]
        return own + sorted((self.commands.keys() | _plugins().keys()) - set(own))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        plugin = None if args[0] in self.commands else _plugins().get(args[0])
        if plugin is not None:
            self.add_command(_load(plugin), plugin.name)  # asked for by name, so its failure is an error
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        plugin = _plugins().get(cmd_name) if command is None else None
        if plugin is None:
            return command
        try:
            self.add_command(_load(plugin), cmd_name)
        except PluginError as error:
            complain(str(error))
        return super().get_command(ctx, cmd_name)


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
    if not command.help and isinstance(app.info.help, str):
        command.help = app.info.help  # Typer drops it when the app has a single command
    return command
