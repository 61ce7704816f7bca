"""Options that several commands share, said once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from reviewbot.cli import words


@dataclass(slots=True)
class RunState:
    """What options of any command tell the runner. Lives in the root context's ``obj``."""

    debug: bool = False


def _remember_debug(context: typer.Context, value: bool) -> bool:
    state = context.find_root().obj
    if value and isinstance(state, RunState):
        state.debug = True
    return value


Json = Annotated[bool, typer.Option("--json", help=words.OPTION_JSON)]
Config = Annotated[Path | None, typer.Option("--config", metavar="FILE", help=words.OPTION_CONFIG)]
Debug = Annotated[bool, typer.Option("--debug", help=words.OPTION_DEBUG, callback=_remember_debug, is_eager=True)]
Downstream = Annotated[Path | None, typer.Option("--downstream", metavar="PATH", help=words.OPTION_DOWNSTREAM)]
DownstreamRevision = Annotated[str | None, typer.Option("--downstream-rev", metavar="REV", help=words.OPTION_REVISION)]
Upstream = Annotated[Path | None, typer.Option("--upstream", metavar="DIR", help=words.OPTION_UPSTREAM)]
Base = Annotated[str | None, typer.Option("--base", metavar="REV", help=words.OPTION_BASE)]
Head = Annotated[str | None, typer.Option("--head", metavar="REV", help=words.OPTION_HEAD)]
UpstreamBase = Annotated[Path | None, typer.Option("--upstream-base", metavar="DIR", help=words.OPTION_UPSTREAM_BASE)]
UpstreamHead = Annotated[Path | None, typer.Option("--upstream-head", metavar="DIR", help=words.OPTION_UPSTREAM_HEAD)]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="N", help=words.OPTION_JOBS)]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help=words.OPTION_LIMIT)]
