"""Costs of saved analyses, lists by score, and finding an analysis that says the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from reviewbot.drafting.template import WRITER
from reviewbot.models import Analysis, AnalysisState, Timing, Usage
from reviewbot.store import Store, open_store
from reviewbot.store.costs import TEMPLATE, AnalysisCost, model_asked, total_of, totals_by
from tests.reviewbot.analyses import example


@pytest.fixture
def store(tmp_path: Path, empty_database: Path) -> Iterator[Store]:
    copyfile(empty_database, tmp_path / "a.db")
    with open_store(f"sqlite:///{tmp_path / 'a.db'}") as opened:
        yield opened


def written(writer: str, usage: Usage, model: str | None = "small", **change: Any) -> Analysis:
    analysis = example(**change)
    draft = analysis.draft.model_copy(update={"writer": writer})
    versions = {} if model is None else {"model": model}
    return analysis.model_copy(update={"draft": draft, "usage": usage, "versions": versions})


def test_costs_of_each_analysis(store: Store) -> None:
    spent = Usage(
        calls=2, prompt_tokens=10, cached_tokens=4, completion_tokens=3, cost=0.5, currency="CNY", seconds=1.5
    )
    store.save(written("small", spent, number=7))
    store.save(written("template", Usage(), model=None, number=8))
    newest, oldest = store.costs()
    assert (oldest.number, oldest.upstream_pr, oldest.writer, oldest.model) == (1, 7, "small", "small")
    assert oldest.usage == spent
    assert (newest.model, newest.usage) == ("", Usage())


def test_which_model_was_asked() -> None:
    assert TEMPLATE == WRITER
    assert model_asked("backup", Usage(calls=1), {"model": "small"}) == "backup"
    assert model_asked(TEMPLATE, Usage(calls=1), {"model": "small"}) == "small", "it failed before the template wrote"
    assert model_asked(TEMPLATE, Usage(), {"model": "small"}) == "", "a plain case"
    assert model_asked(TEMPLATE, Usage(), {}) == ""


def cost(
    number: int, amount: float | None, currency: str = "CNY", model: str = "small", calls: int = 1
) -> AnalysisCost:
    usage = Usage(calls=calls, prompt_tokens=100, completion_tokens=10, cost=amount, currency=currency)
    return AnalysisCost(number, datetime(2026, 3, number, 12, tzinfo=UTC), None, model, model, usage)


def test_totals() -> None:
    total = total_of([cost(1, 0.5), cost(2, 0.25), cost(3, 1.0, "USD"), cost(4, None), cost(5, 0.0, calls=0)])
    assert (total.analyses, total.asked, total.calls) == (5, 4, 4)
    assert total.prompt_tokens == 500
    assert total.completion_tokens == 50
    assert total.cost == {"CNY": 0.75, "USD": 1.0}, "currencies are not added up"
    assert total_of([cost(1, None)]).cost == {}
    assert total_of([]).analyses == 0


def test_totals_by_name_keep_the_order() -> None:
    totals = totals_by(
        lambda one: one.model, [cost(3, 1.0, model="b"), cost(2, 2.0, model="a"), cost(1, 4.0, model="b")]
    )
    assert list(totals) == ["b", "a"]
    assert totals["b"].cost == {"CNY": 5.0}


def scored(score: float, **change: Any) -> Analysis:
    analysis = example(**change)
    return analysis.model_copy(update={"draft": analysis.draft.model_copy(update={"needs_work_score": score})})


def test_a_list_by_score(store: Store) -> None:
    for number, score in enumerate((0.3, 0.9, 0.1, 0.9), 1):
        store.save(scored(score, number=number))
    assert [one.number for one in store.history()] == [4, 3, 2, 1]
    by_score = store.history(by_score=True)
    assert [one.number for one in by_score] == [4, 2, 1, 3], "the newer one first where scores are equal"
    assert [one.needs_work_score for one in by_score] == [0.9, 0.9, 0.3, 0.1]
    assert [one.number for one in store.history(by_score=True, limit=1)] == [4]


def test_the_same_analysis_is_found_again(store: Store) -> None:
    first = example(number=7)
    number = store.save(first)
    store.save(first.model_copy(update={"state": AnalysisState.SUPERSEDED}))
    later = first.model_copy(update={"timing": Timing(delta=9.0), "usage": Usage(calls=5)})
    assert store.same(later) == number
    assert store.same(example(number=7, source="elsewhere")) == number
    assert store.same(example(number=8)) is None
    assert store.same(first.model_copy(update={"versions": {"rubric": "2"}})) is None
    assert store.same(scored(0.75, number=7)) is None
