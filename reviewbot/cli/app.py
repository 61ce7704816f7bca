"""The ``reviewbot`` command: its commands, and the entry point that the package installs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from reviewbot import __version__
from reviewbot.cli import analyze, config, costs, doctor, index, index_diff, index_forks, schema, stored, words
from reviewbot.cli.batch import commands as batch
from reviewbot.cli.batch import words as batch_words
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.groups import add, group
from reviewbot.cli.output import write
from reviewbot.cli.plugins import RootGroup
from reviewbot.cli.records import commands as records
from reviewbot.cli.records import words as records_words
from reviewbot.cli.runner import run
from reviewbot.cli.service import review, serve
from reviewbot.cli.service import words as service_words


def _exit_code_help() -> str:
    lines = (f"  {code.value:<5}{words.EXIT_CODE_HELP[code.name]}" for code in ExitCode)
    return "\n".join((words.HELP_EXIT_CODES, *lines))


def _print_version(value: bool) -> None:
    if value:
        write(f"reviewbot {__version__}\n")
        raise typer.Exit


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

    add(app, "analyze", words.HELP_ANALYZE, analyze.analyze)
    add(app, "review", service_words.HELP_REVIEW, review.review)
    add(app, "serve", service_words.HELP_SERVE, serve.serve)
    add(app, "show", words.HELP_SHOW, stored.show)
    add(app, "history", words.HELP_HISTORY, stored.history)
    add(app, "costs", words.HELP_COSTS, costs.costs)
    batch_app = group(batch_words.HELP)
    add(batch_app, "export", batch_words.HELP_EXPORT, batch.export)
    add(batch_app, "import", batch_words.HELP_IMPORT, batch.import_)
    app.add_typer(batch_app, name="batch")
    index_app = group(words.HELP_INDEX)
    add(index_app, "build", words.HELP_INDEX_BUILD, index.build)
    add(index_app, "show", words.HELP_INDEX_SHOW, index.show)
    add(index_app, "query", words.HELP_INDEX_QUERY, index.query)
    add(index_app, "forks", words.HELP_INDEX_FORKS, index_forks.forks)
    add(index_app, "diff", words.HELP_INDEX_DIFF, index_diff.diff)
    app.add_typer(index_app, name="index")
    records_app = group(records_words.HELP)
    add(records_app, "import", records_words.HELP_IMPORT, records.import_)
    add(records_app, "export", records_words.HELP_EXPORT, records.export)
    add(records_app, "validate", records_words.HELP_VALIDATE, records.validate)
    app.add_typer(records_app, name="records")
    config_app = group(words.HELP_CONFIG)
    add(config_app, "show", words.HELP_CONFIG_SHOW, config.show)
    add(config_app, "path", words.HELP_CONFIG_PATH, config.path)
    add(config_app, "init", words.HELP_CONFIG_INIT, config.init)
    app.add_typer(config_app, name="config")
    add(app, "doctor", words.HELP_DOCTOR, doctor.doctor)
    add(app, "schema", words.HELP_SCHEMA, schema.schema)
    add(app, "version", words.HELP_VERSION, schema.version)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: runs the command line and exits with a code of ``ExitCode``."""
    sys.exit(run(typer.main.get_command(build()), sys.argv[1:] if arguments is None else arguments))
