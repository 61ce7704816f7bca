"""Help pages in Chinese: the same facts Typer would print, in our layout.

Typer's own page mixes in English headings and default texts that no option can change; this page takes everything from
the command and its parameters. Plug-ins get it by building their ``Typer`` with ``cls=ChineseGroup`` and their commands
with ``cls=ChineseCommand``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from reviewbot.cli import words
from reviewbot.cli.output import Terminal
from reviewbot.errors import OptionsError

Command = TyperCommand | TyperGroup
Row = tuple[Text, Text]


class ChineseCommand(TyperCommand):
    def format_help(self, ctx: Any, formatter: object) -> None:
        print_help(self, ctx)


class ChineseGroup(TyperGroup):
    def format_help(self, ctx: Any, formatter: object) -> None:
        print_help(self, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            nearest = get_close_matches(args[0], self.list_commands(ctx), n=1)
            raise OptionsError(words.no_such_command(ctx.command_path, args[0], nearest[0] if nearest else None))
        return super().resolve_command(ctx, args)


def print_help(command: Command, context: typer.Context) -> None:
    """The page of one command on standard output."""
    terminal = Terminal(sys.stdout)
    parameters = command.get_params(context)
    arguments = [one for one in parameters if isinstance(one, TyperArgument) and not one.hidden]
    options = [one for one in parameters if isinstance(one, TyperOption) and not one.hidden]
    terminal.print(_usage(command, context, arguments))
    for paragraph in (command.help or "").split("\n\n"):
        terminal.print()
        terminal.block(Padding(Text(paragraph), (0, 0, 0, 2)))
    _print_section(terminal, words.HELP_ARGUMENTS, [_argument_row(one) for one in arguments])
    _print_section(terminal, words.HELP_OPTIONS, [_option_row(one, context) for one in options])
    if isinstance(command, TyperGroup):
        _print_section(terminal, words.HELP_COMMANDS, list(_command_rows(command, context)))
    if command.epilog:
        terminal.print()
        terminal.print(Text(command.epilog, style="dim"))


def _usage(command: Command, context: typer.Context, arguments: list[TyperArgument]) -> Text:
    pieces = [context.command_path, words.HELP_USAGE_OPTIONS]
    pieces += [one.metavar or one.name.upper() for one in arguments]
    if isinstance(command, TyperGroup):
        pieces.append(words.HELP_USAGE_COMMAND)
    return Text.assemble((words.HELP_USAGE, "bold"), " ".join(piece for piece in pieces if piece))


def _print_section(terminal: Terminal, title: str, rows: list[Row]) -> None:
    if not rows:
        return
    terminal.print()
    terminal.print(Text(title, style="bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    terminal.block(Padding(table, (0, 0, 0, 2)))


def _argument_row(argument: TyperArgument) -> Row:
    return Text(argument.metavar or argument.name.upper(), style="cyan"), Text(argument.help or "")


def _option_row(option: TyperOption, context: typer.Context) -> Row:
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        names += " / " + ", ".join(option.secondary_opts)
    name = Text(names, style="cyan")
    if not (option.is_flag or option.count):
        name.append(f" {option.metavar or option.display_type(context)}", style="yellow")
    text = Text(words.HELP_THIS_PAGE if "--help" in option.opts else option.help or "")
    if isinstance(option.show_default, str):
        text.append(words.help_default(option.show_default), style="dim")
    return name, text


def _command_rows(group: TyperGroup, context: typer.Context) -> Iterator[Row]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            short = command.short_help or (command.help or "").partition("\n\n")[0]
            yield Text(name, style="cyan"), Text(short)
