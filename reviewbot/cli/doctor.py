"""``reviewbot doctor``: one line for each thing the program needs."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from reviewbot import words as shared
from reviewbot.cli import options, words
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.output import Output
from reviewbot.cli.settings import load

_MARKS = {"ok": ("✓", "green"), "notice": ("·", "yellow"), "failed": ("✗", "bold red")}

Online = Annotated[bool, typer.Option("--online", help=words.OPTION_ONLINE)]


def doctor(
    online: Online = False,
    json: options.Json = False,
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> ExitCode:
    from reviewbot.doctor import CheckState, examine

    checks = examine(lambda: load(config, downstream=downstream, downstream_rev=downstream_rev), online=online)
    failed = sum(check.state is CheckState.FAILED for check in checks)
    output = Output()
    if json:
        rows = [
            {"name": one.name, "state": one.state.value, "found": one.found, "remedy": one.remedy} for one in checks
        ]
        output.json({"ok": not failed, "checks": rows})
        return ExitCode.UNMET if failed else ExitCode.OK
    lines = Table.grid(padding=(0, 2, 0, 0))
    for fold in (False, False, True):
        lines.add_column(no_wrap=not fold, overflow="fold")
    for check in checks:
        mark, style = _MARKS[check.state.value]
        text = Text(check.found)
        if check.remedy:
            text.append(f"  → {check.remedy}", style=style)
        lines.add_row(Text(mark, style=style), Text(shared.CHECK_TITLES[check.name], style="bold"), text)
    output.out.print(lines)
    output.line()
    output.line(shared.failed_checks(failed) if failed else shared.ALL_CHECKS_PASSED)
    return ExitCode.UNMET if failed else ExitCode.OK
