"""Settings of one command: the shared options laid over file and environment, and the output they ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reviewbot.cli.output import Output

if TYPE_CHECKING:  # pydantic is slow to import, and the help pages must not wait for it
    from reviewbot.settings_sources import LoadedSettings

#: Option → the key that it sets.
KEY_OF_OPTION = {
    "--downstream": "downstream.path",
    "--downstream-rev": "downstream.revision",
    "--upstream": "upstream.clone",
    "--base": "upstream.base",
    "--head": "upstream.head",
    "--upstream-base": "upstream.base_dir",
    "--upstream-head": "upstream.head_dir",
    "--limit": "ledger.limit",
    "--jobs": "index.jobs",
}


def load(config: Path | None, **options: object) -> LoadedSettings:
    """Settings with ``options`` (names as typed, dashes as underscores) on top. None means "not given"."""
    from reviewbot.settings_sources import Flag, load_settings

    flags = {}
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        flags[KEY_OF_OPTION[option]] = Flag(option, value)
    return load_settings(config=config, flags=flags)


def output_for(loaded: LoadedSettings) -> Output:
    return Output(loaded.settings.output.color.value)
