"""``reviewbot eval judge run`` from its options to its exit code: refuses, asks, shows, and says what came of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import typer

from evals.judge import words
from evals.judge.asking import Asker, open_asker
from evals.judge.cases import Case, cases_of, folder_of
from evals.judge.form import judge_prompt
from evals.judge.independence import drafting_models, same_as
from evals.judge.models import Judge, JudgedParagraph
from evals.judge.sitting import sit
from evals.judge.storage import Judgements, standing
from evals.judge.summary import judge_summary
from evals.judge.view import show_summary
from evals.run.budget import Budget
from evals.run.driving import CAP_REACHED, WITH_ERRORS
from evals.run.folder import RunFolder
from evals.run.progress import run_progress
from evals.run.runner import Ending, Tally
from evals.run.words import NO_LIMIT_WITHOUT_PRICE
from evals.running import say
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.output import Output
from reviewbot.errors import OptionsError
from reviewbot.settings import ModelSettings, Settings

_NOTES = {Ending.CAP: words.CAPPED, Ending.INTERRUPTED: words.STOPPED}
_FAILURES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Order:
    """The options of the command, as `evals.judge.command` describes them."""

    run: str
    model: str
    sample: int | None = None
    seed: int = 0
    same_model: bool = False
    limit_cost: float | None = None
    jobs: int = 4
    yes: bool = False
    runs: Path = Path("runs")


@dataclass(frozen=True, slots=True)
class _Job:
    """One command under way. ``configured`` is the model of the settings, whose prices count."""

    order: Order
    folder: RunFolder
    judge: Judge
    cases: tuple[Case, ...]
    configured: ModelSettings
    output: Output

    @property
    def file(self) -> Judgements:
        return Judgements(self.folder)

    def standing(self) -> Mapping[str, JudgedParagraph]:
        """What this judge has said of the paragraphs asked for, by record."""
        return standing(self.file.read(), self.judge, {case.record: case.paragraph for case in self.cases})

    def costs(self) -> list[float | None]:
        """Of every request this judge ever had for the run."""
        return [line.usage.cost for line in self.file.read() if line.judge == self.judge]


def drive(order: Order, settings: Settings, output: Output) -> int:
    """Judges, or goes on judging; returns the exit code."""
    folder = folder_of(order.run, order.runs)
    run = folder.run()
    cases = cases_of(folder, run, order.sample, order.seed)
    judge = Judge(model=order.model, prompt=judge_prompt().name)
    drafting = same_as(order.model, drafting_models(run.manifest, cases))
    if drafting is not None and not order.same_model:
        raise OptionsError(words.same_model(order.model, drafting), ("--model", "--same-model"))
    if drafting is not None:
        say(words.wrote_itself(order.model), style="yellow")
    job = _Job(order, folder, judge, cases, settings.model, output)
    with folder.writing(), open_asker(settings, judge, own=drafting is not None) as asker:
        if order.limit_cost is not None and asker.most(0) is None:
            raise OptionsError(NO_LIMIT_WITHOUT_PRICE, ("--limit-cost",))
        job.file.mend()
        ending = _judge(job, asker)
    if ending is None:
        say(words.DECLINED)
        return ExitCode.OK
    return _conclude(job, ending)


def _judge(job: _Job, asker: Asker) -> Ending | None:
    """None when the money may not be spent."""
    found = job.standing()
    waiting = [case for case in job.cases if case.record not in found or found[case.record].judgement is None]
    done = len(job.cases) - len(waiting)
    if done:
        say(words.resumed(done, len(job.cases)))
    if not waiting:
        return Ending.COMPLETE
    tokens = [asker.tokens(case) for case in waiting]
    costs = [cost for one in tokens if (cost := asker.most(one)) is not None]
    if not _agreed(job, len(waiting), sum(tokens), sum(costs) if costs else None):
        return None
    limit = job.order.limit_cost
    # A cap has to hold when the dearest paragraph is asked about twice; without one the mean tells more.
    guess = sum(costs) / len(waiting) if limit is None else 2 * max(costs)
    budget = reduce(Budget.after, job.costs(), Budget(limit=limit, guess=guess))
    with run_progress(job.output, words.JUDGING, costs=bool(costs)) as watch:
        return sit(
            waiting,
            asker.judged,
            job.file.append,
            Tally(total=len(job.cases), done=done, errors=0, budget=budget),
            watch,
            lambda in_flight: say(words.finishing(in_flight), style="yellow"),
            min(job.order.jobs, len(waiting)),
        )


def _agreed(job: _Job, paragraphs: int, tokens: int, most: float | None) -> bool:
    """Whether the money may be spent. Raises OptionsError when there is nobody to ask."""
    configured = job.configured
    say(words.estimate(paragraphs, tokens, most, configured.currency, job.judge.model))
    if most is not None and configured.name not in (None, job.judge.model):
        say(words.price_of_other(str(configured.name)), style="yellow")
    if job.order.yes:
        return True
    if not sys.stdin.isatty():
        raise OptionsError(words.ASK_NEEDS_YES, ("--yes",))
    return typer.confirm(words.GO_ON, err=True)


def _conclude(job: _Job, ending: Ending) -> int:
    found = job.standing().values()
    failed = [(line.record, line.error.message) for line in found if line.error is not None]
    costs = [cost for cost in job.costs() if cost is not None]
    spent = sum(costs) if costs else None
    total, currency = len(job.cases), job.configured.currency
    job.output.line(words.finished(len(found) - len(failed), total, len(failed), spent, currency))
    for record, message in failed[:_FAILURES_SHOWN]:
        job.output.line(words.failure(record, message), style="yellow")
    show_summary(job.output, judge_summary(job.folder))
    if ending in _NOTES:
        say(_NOTES[ending], style="yellow")
    elif failed:
        say(words.RETRY, style="yellow")
    codes = {Ending.CAP: CAP_REACHED, Ending.INTERRUPTED: ExitCode.INTERRUPTED}
    return codes.get(ending, WITH_ERRORS if failed else ExitCode.OK)
