"""``reviewbot config``: what is set, where it came from, and a file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot import words as shared
from reviewbot.cli import options, words
from reviewbot.cli.settings import load, output_for

if TYPE_CHECKING:
    from reviewbot.settings_sources import Origin


def show(
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    upstream: options.Upstream = None,
    base: options.Base = None,
    head: options.Head = None,
    upstream_base: options.UpstreamBase = None,
    upstream_head: options.UpstreamHead = None,
    limit: options.Limit = None,
    jobs: options.Jobs = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    from reviewbot.settings import setting_fields, shown_value
    from reviewbot.settings_sources import variable_of

    loaded = load(
        config,
        downstream=downstream,
        downstream_rev=downstream_rev,
        upstream=upstream,
        base=base,
        head=head,
        upstream_base=upstream_base,
        upstream_head=upstream_head,
        limit=limit,
        jobs=jobs,
    )
    output = output_for(loaded)
    keys = [key for key, _ in setting_fields()]
    shown = {key: shown_value(loaded.settings, key) for key in keys}
    if json:
        values = {
            key: {
                "value": shown[key],
                "origin": loaded.origins[key].kind.value,
                "from": loaded.origins[key].name,
                "variable": variable_of(key),
                "help": shared.SETTING_HELP[key],
            }
            for key in keys
        }
        output.json({"file": str(loaded.file) if loaded.file else None, "settings": values})
        return
    rows = [(key, words.shown_setting(shown[key]), _origin(key, loaded.origins[key])) for key in keys]
    output.table(words.CONFIG_COLUMNS, rows, fold=(1, 2))


def path(json: options.Json = False, config: options.Config = None, debug: options.Debug = False) -> None:
    from reviewbot.settings_sources import search_places

    loaded = load(config)
    output = output_for(loaded)
    places = [str(place) for place in search_places(Path.cwd())]
    if json:
        output.json({"file": str(loaded.file) if loaded.file else None, "searched": places})
    elif loaded.file:
        output.raw(str(loaded.file))
    else:
        output.line(words.no_settings_file(places))


def init(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help=words.ARGUMENT_CONFIG_FILE)] = Path("reviewbot.toml"),
    force: Annotated[bool, typer.Option("--force", help=words.OPTION_FORCE)] = False,
    debug: options.Debug = False,
) -> None:
    from reviewbot.cli.output import Output
    from reviewbot.errors import InputFileError
    from reviewbot.settings_template import settings_template

    try:
        with file.open("w" if force else "x", encoding="utf-8") as target:
            target.write(settings_template())
    except FileExistsError as error:
        raise InputFileError(str(file), words.FILE_EXISTS) from error
    except OSError as error:
        raise InputFileError(str(file), error.strerror or str(error)) from error
    Output().line(words.settings_file_written(str(file)))


def _origin(key: str, origin: Origin) -> str:
    return words.setting_origin(origin.kind.value, origin.name, key)
