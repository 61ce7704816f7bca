"""``python -m evals.audit EXPORT… --tree PATH``: exit code 0 when all printed claims hold, 11 when one does not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from evals import words
from evals.audit import Auditor, TreeText, read_export
from evals.running import run
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Terminal

FAULTY = 11

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.AUDIT_HELP)
def main(
    exports: Annotated[list[Path], typer.Argument(help=words.AUDIT_EXPORTS_HELP, show_default=False)],
    tree: Annotated[Path, typer.Option("--tree", exists=True, help=words.AUDIT_TREE_HELP, show_default=False)],
) -> None:
    auditor = Auditor(TreeText.read(tree))
    audited = [auditor.audit(record) for export in exports for record in read_export(export)]
    console = Terminal(sys.stdout)
    faults = [fault for one in audited for fault in one.faults]
    for fault in faults:
        console.print(str(fault), style="red")
    places, misses = sum(one.places for one in audited), sum(one.misses for one in audited)
    relations = sum(one.relations for one in audited)
    console.print(words.audit_summary(len(audited), places, misses, relations, len(faults)))
    if faults:
        raise typer.Exit(FAULTY)


if __name__ == "__main__":
    run(app, "evals.audit")
