"""What drafts cost: one saved analysis, and totals of any number of them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from reviewbot.models import Usage

#: The writer of drafts that no model wrote (`reviewbot.drafting.template.WRITER`).
TEMPLATE = "template"


@dataclass(frozen=True, slots=True)
class AnalysisCost:
    """One saved analysis. ``writer`` wrote its draft; ``model`` was asked, "" when none was. ``created_at`` is aware,
    in UTC.
    """

    number: int
    created_at: datetime
    upstream_pr: int | None
    writer: str
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Total:
    """``asked`` of ``analyses`` asked a model. ``cost`` is by currency, empty where no price was set."""

    analyses: int = 0
    asked: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cost: Mapping[str, float] = field(default_factory=dict)


def total_of(costs: Iterable[AnalysisCost]) -> Total:
    found = list(costs)
    usages = [one.usage for one in found]
    money: dict[str, float] = {}
    for usage in usages:
        if usage.cost is not None and usage.calls:
            money[usage.currency] = money.get(usage.currency, 0.0) + usage.cost
    return Total(
        analyses=len(found),
        asked=sum(usage.calls > 0 for usage in usages),
        calls=sum(usage.calls for usage in usages),
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        cached_tokens=sum(usage.cached_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        cost=money,
    )


def totals_by(name_of: Callable[[AnalysisCost], str], costs: Iterable[AnalysisCost]) -> dict[str, Total]:
    """Totals of groups by their name, in the order in which the names first occur."""
    groups: dict[str, list[AnalysisCost]] = {}
    for one in costs:
        groups.setdefault(name_of(one), []).append(one)
    return {name: total_of(group) for name, group in groups.items()}


def model_asked(writer: str, usage: Usage, versions: Mapping[str, object]) -> str:
    """The model that a draft was asked of: its writer, or the one that failed before the template wrote."""
    if writer != TEMPLATE:
        return writer
    return str(versions.get("model", "")) if usage.calls else ""
