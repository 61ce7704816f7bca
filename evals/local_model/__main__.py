"""``python -m evals.local_model``: a real model drafts on this machine, and the verifier lets nothing unproved through.

Ends with 0 when an answer of the right shape came and the analysis ended as ``evidence_insufficient`` with sentences
removed; anything else is a failure that says what happened instead.
"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from evals import miniature
from evals.local_model import words
from evals.local_model.errors import LocalModelError
from evals.local_model.narrating import NarratingWriter
from evals.local_model.server import local_server, settings_for
from evals.local_model.showing import miniature_changes, show
from evals.local_model.weights import MODEL, find_weights
from evals.running import run
from evals.workbench import open_workbench
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Output
from reviewbot.drafting.model.memory import FILE_NAME, Memory
from reviewbot.drafting.model.tokens import Counter
from reviewbot.drafting.model.writer import ModelWriter
from reviewbot.settings_sources import load_settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.HELP)
def main() -> None:
    began = time.perf_counter()
    output = Output(load_settings().settings.output.color)
    with local_server(find_weights()) as server, TemporaryDirectory(prefix="reviewbot-demo-llm-") as name:
        folder, settings = Path(name), settings_for(server)
        output.line(words.ready(MODEL, server.ready_seconds, server.base_url))
        base, downstream = miniature.write_trees(folder)
        with (
            open_workbench(base, downstream, folder / "cache") as bench,
            ModelWriter(settings, Memory(folder / FILE_NAME), counter=Counter(server.count, factor=1.0)) as writer,
        ):
            narrated = NarratingWriter(writer, server.count, settings.prompt_tokens, output.line)
            proved = show(bench, narrated, miniature_changes(), output.line)
    if not proved:
        raise LocalModelError(words.NOTHING_PROVED)
    output.line(words.proved(time.perf_counter() - began), style="green")


if __name__ == "__main__":
    run(app, "evals.local_model")
