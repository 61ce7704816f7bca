"""``reviewbot costs``: tokens and money of saved analyses, and of every request this machine sent to a model.

Sums of money are kept apart by currency. Shape of ``--json``: ``by``, ``rows`` (each a total with what it is of),
``total``, and ``requests`` as the model's memory counts them by day and model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewbot.cli import options, words
from reviewbot.cli.output import Output
from reviewbot.cli.settings import load, output_for

if TYPE_CHECKING:
    from reviewbot.drafting.model.memory import Spent
    from reviewbot.store import AnalysisCost
    from reviewbot.store.costs import Total


class By(StrEnum):
    """What costs are summed over."""

    DAY = "day"
    MODEL = "model"
    ANALYSIS = "analysis"


ByOption = Annotated[By, typer.Option("--by", metavar="BY", help=words.OPTION_COSTS_BY)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help=words.OPTION_COSTS_LIMIT, show_default="20")]


def costs(
    by: ByOption = By.DAY,
    limit: Limit = 20,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    from reviewbot.store import open_store
    from reviewbot.store.costs import total_of, totals_by

    loaded = load(config)
    output = output_for(loaded)
    with open_store(loaded.settings.store.url) as store:
        found = store.costs()
    model = loaded.settings.model
    requests = _requests(loaded.settings.cache.dir, output)
    groups, firsts = totals_by(_NAMES[by], found), {_NAMES[by](one): one for one in found}
    if json:
        rows = [{**_named(by, name, firsts[name]), **asdict(total)} for name, total in groups.items()]
        sent = [_request(one, model.currency) for one in requests]
        output.json({"by": by.value, "rows": rows, "total": asdict(total_of(found)), "requests": sent})
        return
    if not found:
        output.note(words.NOTHING_SAVED)
    else:
        _print_totals(output, by, groups, firsts, total_of(found), limit)
    if requests and by is not By.ANALYSIS:
        output.line()
        output.line(words.COSTS_REQUESTS, style="bold")
        _print_requests(output, by, requests, model.currency, limit)


#: What a group of costs is called.
_NAMES: Mapping[By, Callable[[AnalysisCost], str]] = {
    By.DAY: lambda one: one.created_at.astimezone().date().isoformat(),
    By.MODEL: lambda one: one.model or one.writer,
    By.ANALYSIS: lambda one: str(one.number),
}


def _requests(cache: Path, output: Output) -> tuple[Spent, ...]:
    """What the model's memory holds; looking makes no file, and one that cannot be read costs a line, not the rest."""
    from reviewbot.drafting.model import words as model_words
    from reviewbot.drafting.model.memory import FILE_NAME, Memory, MemoryUnusableError

    path = cache / FILE_NAME
    if not path.is_file():
        return ()
    try:
        return Memory(path).spending()
    except MemoryUnusableError as error:
        output.note(model_words.memory_unusable(str(error.path), error.reason))
        return ()


def _named(by: By, name: str, one: AnalysisCost) -> dict[str, Any]:
    if by is not By.ANALYSIS:
        return {by.value: name}
    at = one.created_at.isoformat(timespec="seconds")
    return {"number": one.number, "created_at": at, "upstream_pr": one.upstream_pr, "writer": one.writer}


def _request(one: Spent, currency: str) -> dict[str, Any]:
    usage = one.usage.model_dump(mode="json", exclude={"seconds", "currency", "cost"})
    cost = {} if one.usage.cost is None else {currency: one.usage.cost}
    return {"day": one.day, "model": one.model, **usage, "cost": cost}


def _print_totals(
    output: Output, by: By, groups: Mapping[str, Total], firsts: Mapping[str, AnalysisCost], whole: Total, limit: int
) -> None:
    counted = () if by is By.ANALYSIS else words.COSTS_COUNTED
    columns = (*words.COSTS_FIRST[by], *counted, *words.COSTS_COLUMNS)
    rows = [_first(by, name, firsts[name]) + _cells(by, total) for name, total in list(groups.items())[:limit]]
    blank = ("",) * (len(words.COSTS_FIRST[by]) - 1)
    output.table(columns, [*rows, (words.COSTS_TOTAL, *blank, *_cells(by, whole))])
    if len(groups) > limit:
        output.note(words.costs_cut(len(groups) - limit))


def _first(by: By, name: str, one: AnalysisCost) -> tuple[str, ...]:
    if by is not By.ANALYSIS:
        return (words.writer_name(name),)
    number = "" if one.upstream_pr is None else f"#{one.upstream_pr}"
    return name, one.created_at.astimezone().strftime("%Y-%m-%d %H:%M"), number, words.writer_name(one.writer)


def _cells(by: By, total: Total) -> tuple[str, ...]:
    counted = () if by is By.ANALYSIS else (f"{total.analyses:,}", f"{total.asked:,}")
    tokens = (total.calls, total.prompt_tokens, total.cached_tokens, total.completion_tokens)
    return (*counted, *(f"{one:,}" for one in tokens), _money(total.cost))


def _money(cost: Mapping[str, float]) -> str:
    return " + ".join(words.money(amount, currency) for currency, amount in cost.items()) or words.NO_COST


def _print_requests(output: Output, by: By, requests: tuple[Spent, ...], currency: str, limit: int) -> None:
    """By day the days alone, by model the models alone."""
    from reviewbot.drafting.model.money import together
    from reviewbot.models import Usage

    sums: dict[str, Usage] = {}
    for one in requests:
        name = one.day if by is By.DAY else one.model
        sums[name] = together(sums.get(name, Usage()), one.usage)
    rows = []
    for name, usage in list(sums.items())[:limit]:
        counted = (usage.calls, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)
        cost = {} if usage.cost is None else {currency: usage.cost}
        rows.append((name, *(f"{one:,}" for one in counted), _money(cost)))
    output.table((*words.COSTS_FIRST[by], *words.COSTS_COLUMNS), rows)
