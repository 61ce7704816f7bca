"""What a question asks of a changed C++ definition: names without files, classes without namespaces, headers."""

from __future__ import annotations

import pytest

from retrieval.coupling.cpp.asking import same_name
from retrieval.coupling.cpp.naming import include_path
from retrieval.coupling.question import question_of
from retrieval.models import ChangeKind, DefinitionKind, EvidenceKind, Nature, Relation
from tests.support.tree import IndexOf, felt
from tests.support.values import definition, delta

HEADER = "torch/csrc/mill/gears.h"


@pytest.mark.parametrize(
    ("qualname", "kind", "holders"),
    [
        ("torch.mill.spin", DefinitionKind.FUNCTION, ()),
        ("torch.mill.Gear", DefinitionKind.CLASS, ()),
        ("torch.mill.Gear.turn", DefinitionKind.METHOD, ("::torch.mill.Gear",)),
        ("torch.mill.gear.turn", DefinitionKind.METHOD, ("::torch.mill.gear",)),
        ("torch.mill.Gear.Tooth", DefinitionKind.CLASS, ("::torch.mill.Gear",)),
        ("torch.mill.Gear.Tooth.bite", DefinitionKind.METHOD, ("::torch.mill.Gear.Tooth", "::torch.mill.Gear")),
        ("torch.mill.kSize", DefinitionKind.VARIABLE, ()),
        ("torch.mill.Gear.size_", DefinitionKind.VARIABLE, ("::torch.mill.Gear",)),
        ("torch.mill.MillAllocator.spin", DefinitionKind.FUNCTION, ()),
    ],
)
def test_namespaces_are_no_classes(qualname: str, kind: DefinitionKind, holders: tuple[str, ...]) -> None:
    (target,) = question_of(delta(definition(qualname, path=HEADER, definition=kind))).targets
    assert (target.symbol, target.known_as) == (f"{HEADER}.{qualname}", (f"::{qualname}",))
    assert (target.holders, target.is_member) == (holders, bool(holders))


def test_both_names_of_a_rename_are_asked_for() -> None:
    changed = definition("torch.mill.rotate", ChangeKind.RENAMED, path=HEADER, old_qualname="torch.mill.spin")
    (target,) = question_of(delta(changed)).targets
    assert target.known_as == ("::torch.mill.rotate", "::torch.mill.spin")
    assert target.own_names == ("rotate", "spin")


def test_a_declaration_and_its_definition_are_asked_for_once_as_the_definition() -> None:
    declared = definition("torch.mill.Gear.turn", path=HEADER, new_lines=(4, 4))
    defined = definition("torch.mill.Gear.turn", path="torch/csrc/mill/gears.cpp", new_lines=(9, 20))
    other = definition("torch.mill.Gear.turn", ChangeKind.REFORMATTED, path="torch/csrc/mill/a.cpp", new_lines=(1, 99))
    for order in ((declared, defined, other), (other, defined, declared)):
        (target,) = question_of(delta(*order)).targets
        assert target.symbol == "torch/csrc/mill/gears.cpp.torch.mill.Gear.turn"


@pytest.mark.parametrize(
    ("one", "other", "least", "same"),
    [
        ("::torch.mill.spin", "::torch.mill.spin", 2, True),
        ("::mill.spin", "::torch.mill.spin", 2, True),
        ("::torch.mill.spin", "::mill.spin", 2, True),
        ("::spin", "::torch.mill.spin", 2, False),
        ("::spin", "::torch.mill.spin", 1, True),
        ("::spin", "::spin", 2, True),
        ("::ill.spin", "::torch.mill.spin", 2, False),
        ("::wheel.spin", "::torch.mill.spin", 1, False),
        ("::", "::torch.mill.spin", 1, False),
        ("torch.mill.spin", "::torch.mill.spin", 1, False),
        ("mill.spin", "torch.mill.spin", 1, False),
    ],
)
def test_names_agree_from_their_ends(one: str, other: str, least: int, same: bool) -> None:
    assert same_name(one, other, least) is same


def test_a_hunk_that_does_not_show_the_namespace_still_finds_the_class(index_of: IndexOf) -> None:
    changed = definition("Gear.turn", path=HEADER)
    index = index_of({"csrc/a.h": "struct N : torch::mill::Gear {\n  void turn() override;\n};\n"})
    assert [one.scope for one in felt(index, EvidenceKind.OVERRIDE, changed)] == ["N.turn"]


@pytest.mark.parametrize(
    ("path", "included"),
    [
        ("torch/csrc/mill/gears.h", "torch/csrc/mill/gears.h"),
        ("aten/src/ATen/mill/gears.h", "ATen/mill/gears.h"),
        ("torch/csrc/api/include/torch/gears.h", "torch/gears.h"),
    ],
)
def test_changed_headers_are_found_where_they_are_included(index_of: IndexOf, path: str, included: str) -> None:
    assert include_path(path) == included
    changed = definition("torch.mill.spin", path=path, definition=DefinitionKind.FUNCTION)
    source = (
        f"// #include <{included}>\n#include <{included}>\n#include <other/{included}>\n"
        '#include "gears.h"\nauto s = "#include <x>";\n'
    )
    found = [
        one
        for one in felt(index_of({"csrc/a.cpp": source}), EvidenceKind.IMPORT, changed)
        if one.relation is Relation.SAME_MODULE
    ]
    assert {(one.scope, one.lines, one.token, one.symbol) for one in found} == {("<module>", (2,), "gears.h", path)}


def test_headers_of_tests_and_sources_are_not_asked_for() -> None:
    test = definition("torch.mill.spin", path="test/cpp/gears.h", nature=Nature.TEST)
    source = definition("torch.mill.stop", path="torch/csrc/mill/gears.cpp")
    question = question_of(delta(test, source, modules=()))
    assert question.modules == ()
