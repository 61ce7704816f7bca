"""The ``reviewbot`` command: its commands, and the entry point that the package installs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from reviewbot import __version__
from reviewbot.cli import analyze, config, costs, doctor, index, index_diff, index_forks, schema, stored, words
from reviewbot.cli.batch import commands as batch
from reviewbot.cli.batch import words as batch_words
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.help import ChineseCommand, ChineseGroup
from reviewbot.cli.output import write
from reviewbot.cli.plugins import RootGroup
from reviewbot.cli.records import commands as records
from reviewbot.cli.records import words as records_words
from reviewbot.cli.runner import run


def _exit_code_help() -> str:
    lines = (f"  {code.value:<5}{words.EXIT_CODE_HELP[code.name]}" for code in ExitCode)
    return "\n".join((words.HELP_EXIT_CODES, *lines))


def _print_version(value: bool) -> None:
    if value:
        write(f"reviewbot {__version__}\n")
        raise typer.Exit


def _group(help_text: str) -> typer.Typer:
    return typer.Typer(
        cls=ChineseGroup, help=help_text, no_args_is_help=True, add_completion=False, epilog=words.HELP_SEE_EXIT_CODES
    )


def _add(app: typer.Typer, name: str, help_text: str, function: Callable[..., object]) -> None:
    app.command(name, help=help_text, cls=ChineseCommand, epilog=words.HELP_SEE_EXIT_CODES)(function)


def build() -> typer.Typer:
    """The command tree without plug-ins; those join when they are asked for."""
    app = typer.Typer(
        cls=RootGroup, help=words.HELP_ROOT, no_args_is_help=True, add_completion=False, epilog=_exit_code_help()
    )

    @app.callback()
    def root(
        version: Annotated[
            bool, typer.Option("--version", help=words.OPTION_VERSION, callback=_print_version, is_eager=True)
        ] = False,
    ) -> None:
        """Options of the root command."""

    _add(app, "analyze", words.HELP_ANALYZE, analyze.analyze)
    _add(app, "show", words.HELP_SHOW, stored.show)
    _add(app, "history", words.HELP_HISTORY, stored.history)
    _add(app, "costs", words.HELP_COSTS, costs.costs)
    batch_app = _group(batch_words.HELP)
    _add(batch_app, "export", batch_words.HELP_EXPORT, batch.export)
    _add(batch_app, "import", batch_words.HELP_IMPORT, batch.import_)
    app.add_typer(batch_app, name="batch")
    index_app = _group(words.HELP_INDEX)
    _add(index_app, "build", words.HELP_INDEX_BUILD, index.build)
    _add(index_app, "show", words.HELP_INDEX_SHOW, index.show)
    _add(index_app, "query", words.HELP_INDEX_QUERY, index.query)
    _add(index_app, "forks", words.HELP_INDEX_FORKS, index_forks.forks)
    _add(index_app, "diff", words.HELP_INDEX_DIFF, index_diff.diff)
    app.add_typer(index_app, name="index")
    records_app = _group(records_words.HELP)
    _add(records_app, "import", records_words.HELP_IMPORT, records.import_)
    _add(records_app, "export", records_words.HELP_EXPORT, records.export)
    _add(records_app, "validate", records_words.HELP_VALIDATE, records.validate)
    app.add_typer(records_app, name="records")
    config_app = _group(words.HELP_CONFIG)
    _add(config_app, "show", words.HELP_CONFIG_SHOW, config.show)
    _add(config_app, "path", words.HELP_CONFIG_PATH, config.path)
    _add(config_app, "init", words.HELP_CONFIG_INIT, config.init)
    app.add_typer(config_app, name="config")
    _add(app, "doctor", words.HELP_DOCTOR, doctor.doctor)
    _add(app, "schema", words.HELP_SCHEMA, schema.schema)
    _add(app, "version", words.HELP_VERSION, schema.version)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: runs the command line and exits with a code of ``ExitCode``."""
    sys.exit(run(typer.main.get_command(build()), sys.argv[1:] if arguments is None else arguments))
