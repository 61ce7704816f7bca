"""``reviewbot eval run`` from its options to its exit code: asks, shows, and prints what came of it.

Exit codes: 0 every record has an answer · 10 the real trees cannot be had · 11 stopped below the cap on money · 12 all
were asked, some ended in an error · 130 stopped by Ctrl-C. Others as in `reviewbot.cli.exit_codes`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from evals.pull_requests.folder import PullRequestFolder
from evals.real_data import RealData, default_root
from evals.records import LabelledRecord, load_records
from evals.run import words
from evals.run.budget import Budget
from evals.run.case import Setup
from evals.run.changes import Changes
from evals.run.engine import Engine
from evals.run.errors import OtherRunError
from evals.run.folder import RunFolder
from evals.run.judging import scoring_of
from evals.run.models import Manifest
from evals.run.progress import run_progress
from evals.run.requests_file import LineOf, dossier_line, export_requests, openai_line
from evals.run.runner import Ending, spent_before
from evals.run.selection import USABLE, select
from evals.run.session import Asked, Sitting, manifest_of, sitting_of, with_precedents
from evals.run.summary import print_summary
from evals.run.writers import Answering, open_answering
from evals.running import say
from evals.workbench import Workbench, open_workbench
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.errors import OptionsError
from reviewbot.settings import Settings

CAP_REACHED = 11
WITH_ERRORS = 12

_NOTES = {Ending.CAP: words.CAPPED, Ending.INTERRUPTED: words.STOPPED}


@dataclass(frozen=True, slots=True)
class Order:
    """The options of the command, as `evals.run.command` describes them."""

    name: str
    engine: Engine = Engine.TEMPLATE
    split: str = USABLE
    sample: int | None = None
    seed: int = 0
    limit_cost: float | None = None
    jobs: int | None = None
    export: Path | None = None
    dossiers: bool = False
    answers: Path | None = None
    replace: bool = False
    yes: bool = False
    pull_requests: bool = True
    records: Path | None = None
    data: Path | None = None
    runs: Path = Path("runs")
    json: bool = False


def drive(order: Order, settings: Settings, output: Output) -> int:
    """Runs, resumes or exports; returns the exit code."""
    _require_fitting_options(order)
    labelled = load_records(order.records)
    folder, real = RunFolder(order.runs, order.name), RealData(order.data or default_root())
    changes = Changes(real.diffs, PullRequestFolder(real.root / "pull-requests") if order.pull_requests else None)
    chosen = select(labelled, order.split, order.sample, order.seed, changes.promised)
    if order.split == USABLE and (without := sum(not changes.promised(record) for record in labelled)):
        say(words.left_out(without))
    asked = Asked(order.name, chosen, labelled, order.records, order.split, order.sample, order.seed)
    line_of = dossier_line if order.dossiers or order.export is None else openai_line(settings.model)
    with open_answering(order.engine, settings, order.answers, say) as answering:
        if order.limit_cost is not None and answering.guess == 0:
            raise OptionsError(words.NO_LIMIT_WITHOUT_PRICE, ("--limit-cost",))
        real.prepare(labelled, say)
        setup = _setup(real, answering, settings, changes)
        with ExitStack() as stack:
            with progress_bar(output, words.OPENING) as report:
                bench = stack.enter_context(open_workbench(setup.base, setup.downstream, setup.cache, report))
            if order.export is not None:
                return _export(asked, setup, bench, order.export, line_of, output)
            return _run(order, folder, asked, setup, answering, bench, output)


def _setup(real: RealData, answering: Answering, settings: Settings, changes: Changes) -> Setup:
    return Setup(
        base=real.base,
        downstream=real.downstream,
        cache=settings.cache.dir,
        changes=changes,
        engine=answering.engine,
        writer_of=answering.writer_of,
        limit=settings.ledger.limit,
        token_budget=settings.ledger.token_budget,
    )


def _require_fitting_options(order: Order) -> None:
    files = (order.export, order.answers)
    if order.engine is not Engine.BATCH and any(files):
        raise OptionsError(words.ONLY_FOR_BATCH, ("--export", "--answers"))
    if order.engine is Engine.BATCH and sum(file is not None for file in files) != 1:
        raise OptionsError(words.EXPORT_OR_ANSWERS, ("--export", "--answers"))


def _run(
    order: Order,
    folder: RunFolder,
    asked: Asked,
    setup: Setup,
    answering: Answering,
    bench: Workbench,
    output: Output,
) -> int:
    manifest = manifest_of(asked, setup, answering, bench)
    with folder.writing():
        _begin(order, folder, manifest)
        sitting = sitting_of(folder, setup, answering, asked.records, order.limit_cost)
        if sitting.answered:
            say(words.resumed(sitting.answered, sitting.total))
        if sitting.waiting:
            if not _agreed(order, sitting, output):
                say(words.DECLINED)
                return ExitCode.OK
            shown = answering.reads_precedents
            sitting = replace(
                sitting, setup=_with_precedents(setup, sitting.waiting, asked, bench, output, shown=shown)
            )
        ending = _sit(order, sitting, output)
        return _conclude(order, folder, asked, ending, output)


def _begin(order: Order, folder: RunFolder, manifest: Manifest) -> None:
    """Raises OtherRunError for another run's folder, and OptionsError rather than throw away what was paid for."""
    try:
        folder.begin(manifest, say)
    except OtherRunError:
        if not order.replace:
            raise
        paid = spent_before(folder.history(), Budget()).spent
        if paid and not order.yes:
            raise OptionsError(words.replacing_paid(paid), ("--replace",)) from None
        folder.begin(manifest, say, replace=True)


def _with_precedents(
    setup: Setup, waiting: Sequence[LabelledRecord], asked: Asked, bench: Workbench, output: Output, *, shown: bool
) -> Setup:
    with progress_bar(output, words.READING_PRECEDENTS) as report:
        return with_precedents(setup, waiting, asked.labelled, bench.base, report, shown=shown)


def _agreed(order: Order, sitting: Sitting, output: Output) -> bool:
    """Whether the money may be spent. Raises OptionsError when there is nobody to ask."""
    guess = sitting.answering.guess
    if guess is None:
        return True
    count, budget = len(sitting.waiting), sitting.budget
    say(words.estimate(count, count * budget.each, budget.spent, sitting.answering.currency))
    if order.yes:
        return True
    if not sys.stdin.isatty():
        raise OptionsError(words.ASK_NEEDS_YES, ("--yes",))
    output.err.print(words.GO_ON, end="")
    return sys.stdin.readline().strip().lower() in words.YES


def _sit(order: Order, sitting: Sitting, output: Output) -> Ending:
    with run_progress(output, words.RUNNING, costs=bool(sitting.answering.guess)) as watch:
        return sitting.go_on(order.jobs, watch, lambda in_flight: output.note(words.finishing(in_flight)))


def _conclude(order: Order, folder: RunFolder, asked: Asked, ending: Ending, output: Output) -> int:
    """Scores what there is and says how the sitting ended."""
    run = folder.run()
    scoring = scoring_of(run, asked.labelled) if run.outcomes else None
    if scoring is not None:
        folder.save_scoring(scoring)
    if order.json:
        scores = scoring.model_dump(mode="json") if scoring is not None else None
        output.json({"run": str(folder.path), "ending": ending, "scoring": scores})
    elif scoring is not None:
        print_summary(output, run, scoring, folder.path)
    if ending in _NOTES:
        say(_NOTES[ending], style="yellow")
    failed = any(outcome.error for outcome in run.outcomes)
    if failed and ending is Ending.COMPLETE:
        say(words.RETRY, style="yellow")
    codes = {Ending.CAP: CAP_REACHED, Ending.INTERRUPTED: ExitCode.INTERRUPTED}
    return codes.get(ending, WITH_ERRORS if failed else ExitCode.OK)


def _export(asked: Asked, setup: Setup, bench: Workbench, path: Path, line_of: LineOf, output: Output) -> int:
    setup = _with_precedents(setup, asked.records, asked, bench, output, shown=True)
    with progress_bar(output, words.EXPORTING) as report:
        failures = export_requests(asked.records, setup, bench, path, line_of, report)
    for record, message in failures.items():
        say(words.not_exported(record, message), style="yellow")
    say(words.exported(len(asked.records) - len(failures), str(path)))
    return WITH_ERRORS if failures else ExitCode.OK
