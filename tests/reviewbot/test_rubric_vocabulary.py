"""The word and path classes that the rules read: what belongs to each, and what only looks like it."""

from __future__ import annotations

import pytest
import yaml
from pydantic import ValidationError

from reviewbot.rubric import load_rubric
from reviewbot.rubric.vocabulary import Areas, Vocabulary, Words, claimed, load_vocabulary
from tests.support.values import change

VOCABULARY = load_vocabulary()


def words_of(name: str, title: str, body: str = "") -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(VOCABULARY.words, name).found(change(title=title, body=body))
    return found


@pytest.mark.parametrize(
    ("name", "title", "other"),
    [
        ("fix", "Fixes the gear box", "Prefix the gear box"),
        ("fix", "The gear box breaks", "Say why the graph breaks"),
        ("demand", "Don't turn twice", "Turn twice"),
        ("refactor", "Rename gears", "Named gears"),
        ("addition", "Support gears", "Unsupported gears"),
        ("cost", "Cut compile time", "Cut run time"),
        ("cost", "Avoid redundant gear reads", "Avoid redundant copies"),
        ("silent", "Silently wrong gears", "Silence the gears"),
        ("silent", "Index overflow", "OverflowError for ints"),
        ("numbers", "Gears differ: rounding", "Round gears"),
        ("breakdown", "Turning hangs", "Change the gears"),
        ("breakdown", "Stop the memory leak", "Memory of gears"),
        ("shapes", "Guard on gears", "Safeguard gears"),
        ("shapes", "Keep dynamic sequence lengths", "Keep dynamic gears"),
        ("defaults", "Turn by default", "Take a defaultdict"),
        ("elsewhere", "[ROCm] Turn gears", "Rock the gears"),
        ("elsewhere", "Gears for sm90", "Gears for small boxes"),
    ],
)
def test_a_class_holds_whole_words_in_any_case(name: str, title: str, other: str) -> None:
    assert words_of(name, title)
    assert words_of(name, title.upper())
    assert not words_of(name, other)


def test_only_words_of_harm_are_looked_for_in_bodies() -> None:
    body = "Refactor and add support. The old result was silently wrong, then it hung in a deadlock."
    found = {name for name in Words.model_fields if words_of(name, "Gears", body)}
    assert found == {"silent", "breakdown"}


def test_words_come_once_and_in_order() -> None:
    assert words_of("addition", "Add support: ADD gears") == ("add", "support")


@pytest.mark.parametrize(("title", "holds"), [("Rename gears", True), ("Fix: rename gears", False)])
def test_a_claim_of_harmlessness_does_not_count_beside_a_repair(title: str, holds: bool) -> None:
    assert bool(claimed(VOCABULARY.words.refactor, change(title=title))) is holds


@pytest.mark.parametrize(
    ("path", "areas"),
    [
        ("torch/_inductor/gears.py", {"generated_code"}),
        ("torch/_inductor/codegen/gears.py", {"generated_code"}),
        ("torch/_decomp/gears.py", {"generated_code"}),
        ("torch/_inductor/gear_config.py", set()),
        ("torch/_inductor/fb/gears.py", set()),
        ("torch/_inductor/codegen/rocm/gears.py", {"generated_code", "elsewhere"}),
        ("torch/_dynamo/gears.py", {"captured_program"}),
        ("torch/_dynamo/variables/gears.py", set()),
        ("torch/_dynamo/guards.py", {"captured_program", "shape_reasoning"}),
        ("torch/_functorch/gears.py", {"captured_program"}),
        ("torch/fx/experimental/gears.py", {"shape_reasoning"}),
        ("torch/nn/gears.py", set()),
        ("torch/nn/trick_gears.py", set()),
    ],
)
def test_areas_are_told_by_the_path(path: str, areas: set[str]) -> None:
    assert {name for name in Areas.model_fields if getattr(VOCABULARY.areas, name).holds(path)} == areas


def test_table_and_vocabulary_carry_one_version() -> None:
    assert load_rubric().version.rpartition("-")[2] == str(VOCABULARY.version)


@pytest.mark.parametrize("change_", [{"fix": None}, {"fixes": {"entries": ["fix"]}}, {"fix": {"entries": []}}])
def test_a_class_that_is_missing_misspelt_or_empty_is_refused(change_: dict[str, object]) -> None:
    given = yaml.safe_load(VOCABULARY.model_dump_json())
    given["words"] |= change_
    with pytest.raises(ValidationError):
        Vocabulary.model_validate(given)
