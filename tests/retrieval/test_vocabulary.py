"""The words of a change, and what they weigh."""

from __future__ import annotations

import pytest

from retrieval.models import ChangeKind, Nature
from retrieval.vocabulary import vocabulary_of
from tests.support.values import change, definition, delta, operator

SILENT = change(title="")


def test_every_part_of_a_change_gives_its_words() -> None:
    asked = delta(
        definition("Gear.grind_teeth", touched=("torch._fan.blade_lamp",), operators=("aten.turbo",)),
        operator("aten.whirl"),
    )
    found = vocabulary_of(asked, change(title="Oil the belt"))
    assert found.keys() == {"gear", "grind", "teeth", "blade", "lamp", "aten", "turbo", "whirl", "mill", "oil", "belt"}


def test_what_a_title_says_weighs_most_and_a_touched_name_least() -> None:
    asked = delta(definition("grind", touched=("blade",)))
    found = vocabulary_of(asked, change(title="Oil it"))
    assert found["oil"] > found["mill"] > found["blade"]
    assert found["grind"] > found["blade"]


def test_a_word_weighs_as_much_as_the_weightiest_name_it_stands_in() -> None:
    weak, strong = definition("grind", ChangeKind.REFORMATTED), definition("grind_all", ChangeKind.REMOVED)
    for parts in ((weak, strong), (strong, weak)):
        found = vocabulary_of(delta(*parts), SILENT)
        assert found["grind"] == found["all"] == vocabulary_of(delta(strong), SILENT)["grind"]
    assert vocabulary_of(delta(weak), SILENT)["grind"] < vocabulary_of(delta(strong), SILENT)["grind"]


@pytest.mark.parametrize("nature", [Nature.TEST, Nature.DOCS, Nature.BUILD])
def test_tests_documents_and_build_files_give_no_words(nature: Nature) -> None:
    asked = delta(definition("grind", nature=nature, touched=("blade",), operators=("aten.whirl",)), modules=())
    assert vocabulary_of(asked, SILENT) == {}


@pytest.mark.parametrize(
    "title",
    [
        "Add support for the new #1234",
        "Fixes: improved handling of (#99)",
        "[fix] Allow, improve & refactor",
        "Reverted: no-op",
        "",
        "创建选项 (#12)",
        "#1234",
    ],
)
def test_words_of_any_title_say_nothing(title: str) -> None:
    assert vocabulary_of(delta(), change(title=title)).keys() <= {"op"}


@pytest.mark.parametrize(
    "title", ["[Mill] grind", "mill.grind", "GRIND in the Mill!", "Grinding, mills (#7)", "修复grind与Mill"]
)
def test_words_of_a_title_are_found_in_any_form(title: str) -> None:
    assert {"mill", "grind"} == vocabulary_of(delta(), change(title=title)).keys()


def test_a_number_of_a_pull_request_is_no_word_and_an_operator_named_like_a_verb_is_one() -> None:
    found = vocabulary_of(delta(operator("aten.add")), change(title="Add #12"))
    assert found.keys() == {"aten", "add", "mill", "gear"}
