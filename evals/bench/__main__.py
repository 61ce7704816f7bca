"""``python -m evals.bench``: figures on standard output, progress on standard error. A missed target is no failure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.status import Status

from evals import words as shared_words
from evals.bench import building, forks, growth, lookup, query, words
from evals.bench.figures import Say, Topic
from evals.bench.report import document, machine, table
from evals.bench.repository import make_repository
from evals.bench.subject import Subject, real_subject, spread, synthetic_subject
from evals.real_data import RealData, default_root
from evals.records import load_records
from evals.running import run, say
from retrieval.source_tree import open_tree
from reviewbot.cli.help import ChineseCommand
from reviewbot.cli.output import Output


@dataclass(frozen=True, slots=True)
class Effort:
    """``files`` and ``grown`` are the sizes of the synthetic trees; of ``compared`` changes ``git grep`` is timed."""

    runs: int
    compared: int
    files: int
    grown: int


THOROUGH = Effort(runs=3, compared=15, files=300, grown=60)
QUICK = Effort(runs=1, compared=3, files=12, grown=6)

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=ChineseCommand, help=words.HELP)
def main(
    data: Annotated[Path | None, typer.Option("--data", help=words.DATA_HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help=shared_words.JSON_HELP)] = False,
    quick: Annotated[bool, typer.Option("--quick", help=words.QUICK_HELP)] = False,
    synthetic: Annotated[bool, typer.Option("--synthetic", help=words.SYNTHETIC_HELP)] = False,
) -> None:
    effort, output, before = (QUICK if quick else THOROUGH), Output(), machine()
    with TemporaryDirectory(prefix="reviewbot-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        subject = None if synthetic else real_subject(RealData(data or default_root()), load_records())
        if subject is None:
            if not synthetic:
                say(words.NO_REAL_DATA, style="yellow")
            subject = synthetic_subject(folder / "synthetic", effort.files)
        progress = stack.enter_context(output.err.status("")) if output.err.is_terminal else None
        topics = []
        if not as_json:
            output.line(words.header(subject.name, before["cores"], before["load"], before["python"]))
        for topic in measure(subject, folder, effort, _said_by(progress)):
            topics.append(topic)
            if not as_json:
                output.out.print(table(topic))
        if as_json:
            output.json(document(topics, subject, before, quick))


def measure(subject: Subject, folder: Path, effort: Effort, say: Say) -> Iterator[Topic]:
    """Every topic, as soon as it is measured. ``folder`` is for what has to be built."""
    say(words.MAKING_REPOSITORY)
    with open_tree(subject.downstream) as tree:
        repository = make_repository(tree, folder / "bare.git")
    caches = [folder / f"cache-{number}" for number in range(effort.runs)]
    yield building.cold(subject.downstream, caches, say)
    yield building.phases(subject.downstream, say)
    yield building.one_changed_file(repository, caches[0], effort.runs, say)
    yield building.memory(subject.downstream, folder / "cache-watched", say)
    yield building.upstream(subject.base, caches[0], say)
    with open_tree(subject.base) as base, open_tree(subject.downstream) as tree:
        topic, asked = query.whole_query(tree, base, caches[0], subject.changes, effort.runs, say)
        yield topic
        yield lookup.against_grep(repository, base, caches[0], tuple(spread(asked, effort.compared)), say)
    yield growth.with_tree_size(effort.grown, effort.runs, say)
    yield growth.with_symbols(effort.grown, effort.runs, say)
    yield forks.forks(subject, folder / "cache-forks", say)  # takes longest, and so comes last


def _said_by(progress: Status | None) -> Say:
    """Shows what is being measured where someone looks, and is silent elsewhere."""
    return progress.update if progress is not None else lambda sentence: None


if __name__ == "__main__":
    run(app, "evals.bench")
