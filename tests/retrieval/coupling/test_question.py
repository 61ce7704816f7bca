"""`question`: what a delta asks for."""

from __future__ import annotations

import pytest

from retrieval.coupling.question import CHANGE_WEIGHT, MAX_TOUCHED, question_of, reachable_name
from retrieval.models import ChangeKind, DefinitionKind, Nature, OperatorRole, Relation
from tests.support.values import config, definition, delta, moved, operator, renamed

G = "torch._mill.gears"


@pytest.mark.parametrize(
    ("qualname", "kind", "expected", "holders"),
    [
        ("spin", DefinitionKind.FUNCTION, "spin", ()),
        ("spin.inner", DefinitionKind.FUNCTION, "spin", ()),
        ("spin.inner.deep", DefinitionKind.FUNCTION, "spin", ()),
        ("Gear", DefinitionKind.CLASS, "Gear", ()),
        ("Gear.turn", DefinitionKind.METHOD, "Gear.turn", ("Gear",)),
        ("_Gear.turn", DefinitionKind.METHOD, "_Gear.turn", ("_Gear",)),
        ("gear.turn", DefinitionKind.METHOD, "gear.turn", ("gear",)),
        ("Gear.turn.inner", DefinitionKind.FUNCTION, "Gear.turn", ("Gear",)),
        ("Gear.Tooth", DefinitionKind.CLASS, "Gear.Tooth", ("Gear",)),
        ("Gear.Tooth.bite", DefinitionKind.METHOD, "Gear.Tooth.bite", ("Gear.Tooth", "Gear")),
        ("spin.Local.m", DefinitionKind.METHOD, "spin", ()),
        ("spin.Local", DefinitionKind.CLASS, "spin", ()),
        ("triton.turbo", DefinitionKind.VARIABLE, "triton.turbo", ("triton",)),
        ("SIZE", DefinitionKind.VARIABLE, "SIZE", ()),
    ],
)
def test_a_definition_is_asked_for_as_what_others_can_name(
    qualname: str, kind: DefinitionKind, expected: str, holders: tuple[str, ...]
) -> None:
    (target,) = question_of(delta(definition(qualname, definition=kind))).targets
    assert target.symbol == f"{G}.{expected}"
    assert target.holders == tuple(f"{G}.{holder}" for holder in holders)
    assert target.is_member is bool(holders)


def test_both_sides_of_a_rename_and_a_move_are_asked_for() -> None:
    first, second = question_of(
        delta(renamed("Gear.spin", "Gear.rotate"), moved("Wheel.turn", "torch._mill.old"))
    ).targets
    assert (first.symbol, first.old_symbol, first.names) == (
        f"{G}.Gear.rotate",
        f"{G}.Gear.spin",
        ("rotate", "spin", "Gear"),
    )
    assert (second.symbol, second.old_symbol) == (f"{G}.Wheel.turn", "torch._mill.old.Wheel.turn")
    assert second.holders == ("torch._mill.old.Wheel",)


def test_how_a_name_relates_to_a_target() -> None:
    member, whole = question_of(
        delta(definition("Gear.turn"), definition("Cog", definition=DefinitionKind.CLASS))
    ).targets
    asked = [f"{G}.Gear.turn", f"{G}.Gear", f"{G}.Gear.stop", f"{G}.Gear.turn.cache", f"{G}.Gears", "torch.Gear.turn"]
    assert [member.relation_to(name) for name in asked] == [
        Relation.SAME_SYMBOL,
        Relation.ENCLOSING,
        None,
        Relation.MEMBER,
        None,
        None,
    ]
    assert [whole.relation_to(f"{G}.{name}") for name in ("Cog", "Cog.turn", "Cogs")] == [
        Relation.SAME_SYMBOL,
        Relation.MEMBER,
        None,
    ]


def test_of_two_changes_to_one_symbol_the_stronger_counts() -> None:
    question = question_of(
        delta(
            definition("spin.inner", ChangeKind.REFORMATTED, definition=DefinitionKind.FUNCTION),
            definition("spin", ChangeKind.RESIGNED),
        )
    )
    assert [(one.symbol, one.weight) for one in question.targets] == [(f"{G}.spin", CHANGE_WEIGHT[ChangeKind.RESIGNED])]


def test_tests_and_documents_ask_nothing() -> None:
    question = question_of(delta(definition("spin", nature=Nature.TEST), definition("stop", nature=Nature.DOCS)))
    assert question.targets == ()


def test_operators_come_from_the_delta_and_from_definitions_with_the_higher_weight() -> None:
    question = question_of(
        delta(
            operator("aten.spin", kind=ChangeKind.REFORMATTED),
            operator("aten.stop", kind=ChangeKind.ADDED),
            definition("spin", ChangeKind.RESIGNED, operators=("aten.spin",)),
        )
    )
    assert question.operators == {"aten.spin": 1.0, "aten.stop": CHANGE_WEIGHT[ChangeKind.ADDED]}


def test_flags_and_modules_are_taken_over() -> None:
    question = question_of(delta(config("torch._mill.config.turbo"), definition("spin")))
    assert question.flags == {"torch._mill.config.turbo": CHANGE_WEIGHT[ChangeKind.REWRITTEN]}
    assert set(question.modules) == {G, "torch._mill.config"}


def test_touched_names_are_limited_and_do_not_repeat_what_is_asked_anyway() -> None:
    names = ("spin", *(f"name{n}" for n in range(100)))
    question = question_of(delta(definition("spin", touched=names)))
    assert "spin" not in question.touched
    assert len(question.touched) <= MAX_TOUCHED


def test_every_definition_has_a_say_in_what_is_touched() -> None:
    many = tuple(f"many{n}" for n in range(MAX_TOUCHED))
    question = question_of(delta(definition("spin", touched=many), definition("turn", touched=("one",))))
    assert "one" in question.touched
    assert len(question.touched) == MAX_TOUCHED


def test_every_kind_of_change_has_a_weight() -> None:
    assert set(CHANGE_WEIGHT) == set(ChangeKind)
    assert all(0 < weight <= 1 for weight in CHANGE_WEIGHT.values())


def test_of_two_changes_to_one_operator_the_stronger_counts() -> None:
    parts = [operator("aten.spin", OperatorRole.LOWERING, ChangeKind.REMOVED)]
    parts.append(operator("aten.spin", OperatorRole.DECOMPOSITION, ChangeKind.REFORMATTED))
    for given in (parts, parts[::-1]):
        assert question_of(delta(*given)).operators == {"aten.spin": CHANGE_WEIGHT[ChangeKind.REMOVED]}


def test_modules_that_no_diff_shows_lie_beside_those_that_changed() -> None:
    others = (
        "torch/_mill/wheels.py",
        "torch/_fan/__init__.py",
        "torch/_mill/gears.py",  # shown as well
        "test/mill/test_wheels.py",
        "torch/csrc/wheels.cpp",
        "tools/torch/wheels.py",
        "torchgen/wheels.py",
        "docs/wheels.md",
    )
    question = question_of(delta(definition("spin")), other_paths=iter(others))
    assert question.beside == ("torch._mill.wheels", "torch._fan")
    assert question.modules == (G,)


def test_a_module_of_higher_order_operators_asks_for_the_operator_of_its_name() -> None:
    shown = delta(definition("spin", path="torch/_higher_order_ops/whirl.py"))
    question = question_of(shown, other_paths=("torch/_higher_order_ops/twirl.py",))
    assert set(question.operators) == {"higher_order.whirl", "higher_order.twirl"}
    assert 0 < question.operators["higher_order.whirl"] < CHANGE_WEIGHT[ChangeKind.REWRITTEN]


def test_an_operator_that_the_delta_knows_keeps_its_weight() -> None:
    path = "torch/_higher_order_ops/whirl.py"
    question = question_of(delta(operator("higher_order.whirl", kind=ChangeKind.REMOVED, path=path)))
    assert question.operators == {"higher_order.whirl": CHANGE_WEIGHT[ChangeKind.REMOVED]}


@pytest.mark.parametrize(
    "path",
    ["torch/_higher_order_ops.py", "torch/_higher_order_ops/deep/whirl.py", "torch/_mill/_higher_order_ops/whirl.py"],
)
def test_look_alikes_of_a_module_of_higher_order_operators(path: str) -> None:
    assert question_of(delta(definition("spin", path=path))).operators == {}


@pytest.mark.parametrize(
    ("qualname", "expected"),
    [
        ("spin", "spin"),
        ("spin.inner", "spin"),
        ("Gear.turn", "Gear.turn"),
        ("Gear.turn.inner", "Gear.turn"),
        ("Gear", "Gear"),
    ],
)
def test_what_others_can_name_of_a_scope(qualname: str, expected: str) -> None:
    assert reachable_name(qualname) == expected
