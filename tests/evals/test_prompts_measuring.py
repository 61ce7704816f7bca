"""What is measured of a prompt, and the figures over several."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evals.prompts import words
from evals.prompts.figures import MOST_TOKENS, figures_of
from evals.prompts.measuring import Measured, measured
from evals.prompts.view import document, rows
from evals.recall import Place, Ratio
from reviewbot.drafting.model.prompt import Message, Prompt, assemble
from reviewbot.drafting.model.tokens import estimated_tokens
from reviewbot.drafting.writer import Dossier
from tests.reviewbot.model_cases import dossier
from tests.reviewbot.precedent_cases import past
from tests.support import values

PATCHED = Place(values.patch().path, values.patch().scope)
REFERRED = Place("mill_npu/rods.py", values.reference().scope)
NOWHERE = Place("mill_npu/nowhere.py", "f")


def of(given: Dossier, budget: int = 10_000, expected: frozenset[Place] = frozenset()) -> Measured:
    return measured("r001", given, assemble(given, estimated_tokens, budget), expected)


def without(prompt: Prompt, text: str) -> Prompt:
    """The prompt with the lines gone that hold ``text``."""
    first, last = prompt.messages
    kept = "\n".join(line for line in last.content.split("\n") if text not in line)
    return replace(prompt, messages=(first, Message("user", kept)))


def test_a_prompt_with_everything_in_it() -> None:
    one = of(dossier(), expected=frozenset({PATCHED, NOWHERE}))
    assert (one.places, one.missing) == (2, ())
    assert one.expected == {PATCHED, NOWHERE}
    assert one.cited == one.cited_told == {PATCHED}
    assert (one.files, one.files_told) == (1, 1)
    assert (one.hunks, one.hunks_told, one.unread) == (1, 1, 0)
    assert 0 < one.prefix_tokens < one.tokens
    assert (one.decided, one.plain, one.past) == (False, False, False)


def test_past_records_are_seen() -> None:
    assert of(dossier(precedents=(past(7, "Spin the gears"),))).past


def test_a_place_counts_only_where_the_text_names_it() -> None:
    given = dossier(values.patch(), values.reference(path=REFERRED.path))
    prompt = without(assemble(given, estimated_tokens, 10_000), "E1 ")
    one = measured("r001", given, prompt, frozenset({PATCHED, REFERRED}))
    assert one.missing == ("E1",)
    assert one.cited == {PATCHED, REFERRED}
    assert one.cited_told == {REFERRED}


def test_a_file_counts_only_where_the_manifest_names_it() -> None:
    given = dossier(change=values.change(values.changed_file(), values.changed_file("torch/_mill/wheels.py")))
    prompt = assemble(given, estimated_tokens, 10_000)
    assert measured("r001", given, prompt, frozenset()).files_told == 2
    lost = measured("r001", given, without(prompt, "修改 torch/_mill/wheels.py"), frozenset())
    assert (lost.files, lost.files_told) == (2, 1)


def test_many_files_are_found_by_folder() -> None:
    files = [values.changed_file(f"torch/_mill/part{at % 3}/gear{at}.py") for at in range(60)]
    one = of(dossier(change=values.change(*files)))
    assert (one.files, one.files_told) == (60, 60)


def test_hunks_that_do_not_fit() -> None:
    files = [values.changed_file(f"torch/_mill/gear{at}.py", added=60) for at in range(20)]
    one = of(dossier(change=values.change(*files)), budget=3_000)
    assert one.hunks == 20
    assert one.hunks_told < 20
    assert one.unread == one.hunks - one.hunks_told


MADE = Measured("r001", 1_000, 400, 4, (), frozenset(), frozenset(), frozenset(), 2, 2, 3, 3, 0, False, False, False)
TWO = frozenset({PATCHED, REFERRED})


def test_figures() -> None:
    other = replace(
        MADE,
        record="r002",
        tokens=2_000,
        missing=("E3",),
        expected=TWO | {NOWHERE},
        cited=TWO,
        cited_told=frozenset({PATCHED}),
        files_told=1,
        hunks_told=1,
        unread=2,
        decided=True,
        plain=True,
        past=True,
    )
    figures = figures_of([MADE, other])
    assert figures.tokens == (1_500, 2_000, 2_000)
    assert figures.prefix == pytest.approx((0.4 + 0.2) / 2)
    assert figures.places == Ratio(7, 8)
    assert figures.cited_in_ledger == Ratio(2, 3)
    assert figures.cited_in_prompt == Ratio(1, 2)
    assert figures.files == Ratio(3, 4)
    assert figures.hunks == Ratio(4, 6)
    assert (figures.unread, figures.unread_in) == (2, 1)
    assert figures.decided == figures.plain == figures.past == Ratio(1, 2)
    assert figures.targets == {"tokens_median": True, "places": False, "cited_in_prompt": False, "files": False}
    assert figures_of([replace(MADE, tokens=MOST_TOKENS + 1)]).targets["tokens_median"] is False
    assert all(figures_of([MADE]).targets.values()), "nobody cited anything, so nothing is missed"
    with pytest.raises(ValueError, match=r"\[\]"):
        figures_of([])


def test_the_95th_percentile_is_a_prompt() -> None:
    made = [replace(MADE, tokens=tokens) for tokens in range(1, 101)]
    assert figures_of(made).tokens == (50, 95, 100)


def test_the_table_and_the_document() -> None:
    figures = figures_of([replace(MADE, tokens=9_000, missing=("E2",))])
    shown = {name: (value, target, mark) for name, value, target, mark in rows(figures)}
    assert shown[words.TOKENS_MEDIAN] == ("9,000", "≤ 8,000", words.MISSED)
    assert shown[words.PLACES] == ("0.750（3/4）", "≥ 0.95", words.MISSED)
    assert shown[words.FILES] == ("1.000（2/2）", "≥ 1", words.MET)
    assert shown[words.CITED_IN_PROMPT][0] == words.NOTHING
    given = document(figures, [MADE], exact=True)
    assert given["tokens"] == {"median": 9_000, "p95": 9_000, "max": 9_000}
    assert given["places"] == {"hits": 3, "total": 4, "value": 0.75}
    assert given["records"][0]["record"] == "r001"
