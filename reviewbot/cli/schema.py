"""``reviewbot schema`` and ``reviewbot version``."""

from __future__ import annotations

from reviewbot import __version__
from reviewbot.cli import options
from reviewbot.cli.output import Output, write


def schema(debug: options.Debug = False) -> None:
    from reviewbot.render import json_schema

    Output().json(json_schema())


def version(json: options.Json = False, debug: options.Debug = False) -> None:
    if json:
        Output().json({"reviewbot": __version__})
    else:
        write(f"reviewbot {__version__}\n")
