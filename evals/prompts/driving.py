"""Sets up trees, index, earlier records and settings, and measures every prompt, with a progress bar."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from evals import words as shared_words
from evals.dataset.precedents import labelled_precedents
from evals.errors import EvalsError
from evals.prompts import words
from evals.prompts.figures import Figures, figures_of
from evals.prompts.measuring import ArchiveOf, Measured, measure_all
from evals.pull_requests.folder import PullRequestFolder
from evals.real_data import RealData, default_root
from evals.records import load_records
from evals.run.changes import Changes
from evals.running import say
from evals.workbench import open_workbench
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.drafting.model.tokens import counter_for, estimated_tokens
from reviewbot.settings_sources import load_settings


def measure(
    data: Path | None, records: Path | None, *, past: bool, output: Output
) -> tuple[Figures, list[Measured], bool]:
    """Figures, what they are of, and whether tokens are those of a real encoding. Prompts are as the settings have
    them; ``past``: they show earlier records, as in an evaluation.
    """
    labelled = load_records(records)
    real = RealData(data or default_root())
    changes = Changes(real.diffs, PullRequestFolder(real.root / "pull-requests"))
    usable = [record for record in labelled if changes.promised(record)]
    if not usable:
        raise EvalsError(shared_words.NO_USABLE_RECORDS)
    real.prepare(labelled, say)
    settings = load_settings().settings
    counter = counter_for(settings.model.name)
    with ExitStack() as stack:
        report = stack.enter_context(progress_bar(output, words.MEASURING))
        bench = stack.enter_context(open_workbench(real.base, real.downstream, settings.cache.dir, report))
        archive_of: ArchiveOf | None = None
        if past:
            archive_of = labelled_precedents(labelled, changes.readable(labelled), bench.base, report).archive
        measured = []
        for one in measure_all(usable, changes, bench, real.downstream, settings.model, counter, archive_of):
            measured.append(one)
            report(len(measured), len(usable))
    return figures_of(measured), measured, counter.count is not estimated_tokens
