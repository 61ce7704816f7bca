"""From answers to saved records: every planned change is analysed again, its answer verified, the record saved.

Contract: nothing is lost and nothing doubled. What has no usable answer is named with its reason and stays in the plan;
what was imported before is found again by what it says (`Store.same`) and not saved twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.index import Progress
from reviewbot.cli.analyst import Analyst
from reviewbot.cli.batch import words
from reviewbot.cli.batch.exporting import prompts_of
from reviewbot.cli.batch.plan import Planned, conditions_of, differences
from reviewbot.drafting.model.batch import BatchAnswers, BatchWriter, read_batch
from reviewbot.drafting.model.sparing import is_plain
from reviewbot.drafting.model.tokens import counter_for
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Writer, Written
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Analysis
from reviewbot.settings import ModelSettings
from reviewbot.store import Store


@dataclass(frozen=True, slots=True)
class Imported:
    """One planned change with its record. ``known``: it had been imported before, as ``number``."""

    planned: Planned
    analysis: Analysis
    number: int
    known: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line or a planned change came to nothing. ``line`` is 1-based, None where no line is at fault."""

    line: int | None
    custom_id: str | None
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """``failed`` are planned changes without a usable answer, ``loose`` lines that were not needed, ``unread`` says of
    the other lines why they cannot be read.
    """

    done: tuple[Imported, ...]
    failed: tuple[Problem, ...]
    loose: tuple[Problem, ...]
    unread: tuple[str, ...]


def import_answers(
    lines: Sequence[str], plan: Sequence[Planned], analyst: Analyst, store: Store, progress: Progress
) -> Outcome:
    """``lines`` are those of the file of answers, without their ends."""
    model = analyst.settings.model
    places = lines_by_id(lines)
    chosen = {name: _chosen(name, numbers, lines, model) for name, numbers in places.items()}
    unwanted = {number for name, numbers in places.items() for number in numbers if number != chosen[name]}
    answers = read_batch(["" if number in unwanted else line for number, line in enumerate(lines, 1)], model)
    outcomes = list(import_all(plan, answers, chosen, analyst, store, progress))
    return Outcome(
        done=tuple(one for one in outcomes if isinstance(one, Imported)),
        failed=tuple(one for one in outcomes if isinstance(one, Problem)),
        loose=tuple(_loose(places, chosen, plan)),
        unread=answers.problems,
    )


def lines_by_id(lines: Sequence[str]) -> dict[str, list[int]]:
    """The numbers of the lines that name a request, by its custom id, in order."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        try:
            given = json.loads(line.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            continue
        name = given.get("custom_id") if isinstance(given, dict) else None
        if isinstance(name, str):
            found.setdefault(name, []).append(number)
    return found


def _chosen(name: str, numbers: Sequence[int], lines: Sequence[str], model: ModelSettings) -> int:
    """The line that counts of those that answer one request: the last one with a usable answer, else the last one."""
    usable = (number for number in reversed(numbers) if len(numbers) > 1 and _is_usable(lines[number - 1], name, model))
    return next(usable, numbers[-1])


def _is_usable(line: str, name: str, model: ModelSettings) -> bool:
    return read_batch([line], model).by_id[name].answer is not None


def _loose(
    places: Mapping[str, Sequence[int]], chosen: Mapping[str, int], plan: Sequence[Planned]
) -> Iterator[Problem]:
    """Lines that belong to no request of the plan, and lines that another one of the same request stands for."""
    asked = {one.custom_id: one.name for one in plan}
    for name, numbers in places.items():
        if name not in asked:
            yield from (Problem(number, name, name, words.NOT_ASKED) for number in numbers)
        else:
            told = words.answered_twice(chosen[name])
            yield from (Problem(number, name, asked[name], told) for number in numbers if number != chosen[name])


def import_all(
    plan: Sequence[Planned],
    answers: BatchAnswers,
    places: Mapping[str, int],
    analyst: Analyst,
    store: Store,
    progress: Progress,
) -> Iterator[Imported | Problem]:
    """In the order of the plan; each record is saved before the next change is looked at."""
    for done, planned in enumerate(plan, 1):
        outcome = _analysed(planned, answers, analyst)
        if isinstance(outcome, str):
            line = places.get(planned.custom_id or "")
            yield Problem(line, planned.custom_id, planned.name, outcome)
        else:
            known = store.same(outcome)
            number = store.save(outcome) if known is None else known
            yield Imported(planned, outcome, number, known is not None)
        progress(done, len(plan))


def _analysed(planned: Planned, answers: BatchAnswers, analyst: Analyst) -> Analysis | str:
    """The analysis, or why there is none."""
    model = analyst.settings.model
    counter = counter_for(model.name)
    writer: Writer = BatchWriter(answers, model, counter=counter) if planned.custom_id else _PlainWriter()
    try:
        return analyst.analyse(planned.change, writer)
    except WriterError as error:
        if error.fault is not WriterFault.MISSING:
            return words.no_draft(error.fault, error.detail)
        if error.detail == planned.custom_id:  # the request is the one that was exported
            return words.NO_ANSWER
    # Only the analysis itself tells by what it differs from the one that was exported.
    now = conditions_of(analyst.analyse(planned.change, TemplateWriter()), analyst.settings, prompts_of(model, counter))
    return words.evidence_changed(differences(planned.conditions, now))


class _PlainWriter(TemplateWriter):
    """The template for what was planned without a request, as long as it can do without one."""

    def write(self, dossier: Dossier) -> Written:
        if not is_plain(dossier):
            raise WriterError(self.name, WriterFault.MISSING)
        return super().write(dossier)
