"""`test_copy`: downstream tests that were copied from changed upstream tests, by path and by content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from retrieval.coupling.coupling import Coupling
from retrieval.coupling.question import question_of
from retrieval.coupling.registry import couplings
from retrieval.coupling.twin_paths import are_twins, twin_stems
from retrieval.delta.texts import ChangedText
from retrieval.index import Index
from retrieval.models import ChangeKind, CopyState, DefinitionChange, EvidenceKind, Nature, Relation, TestCaseChange
from tests.support.tree import IndexOf, code, facts_of
from tests.support.values import GEARS, case, definition, delta

KIND = EvidenceKind.TEST_COPY
UPSTREAM = "test/mill/test_gears.py"
TWIN = "test/_mill/test_gears.py"
MODULE = "test.mill.test_gears"
SPIN = case("TestGears.test_spin")
FILE = code("""
    # Owner(s): ["module: mill"]
    import torch
    from torch.testing import TestCase

    class TestGears(TestCase):
        def test_spin(self):
            pass

        def test_stop(self):
            pass
    """)
BODY = code("""
    def test_spin(self):
        wheel = torch.ones(3, device="cuda")
        for speed in range(10):
            wheel = torch.mill.spin(wheel, speed)
            self.assertEqual(wheel.sum().item(), 3 * speed)
    """)


def copies(
    index: Index,
    *changes: TestCaseChange | DefinitionChange,
    texts: Mapping[str, ChangedText] | None = None,
    other_paths: Sequence[str] = (),
) -> Sequence[Coupling]:
    found = couplings(question_of(delta(*changes), texts, other_paths), index)
    return [one for one in found if one.kind is KIND]


def shown(found: Sequence[Coupling]) -> list[tuple[Relation, str, str, tuple[int, ...], str]]:
    return sorted((one.relation, one.path, one.scope, one.lines, one.symbol) for one in found)


def test_facts_are_cases_their_classes_and_the_file() -> None:
    source = code("""
        \"""Tests.\"""
        if True:
            from unittest import (
                TestCase,
            )

        @decorated
        class TestGears(TestCase):
            def helper(self): ...
            @parametrize("x", [1])
            def test_spin(self, x):
                def test_inner(): ...
            class Nested:
                def test_nested(self): ...

        class Gear:
            test_not_a_case = 1

        async def test_alone(): ...
        """)
    assert [(one.name, one.scope, one.lines, one.token, one.span) for one in facts_of(source, KIND)] == [
        ("<module>", "<module>", (4,), "TestCase", None),
        ("TestGears", "TestGears", (8,), "TestGears", (7, 14)),
        ("test_spin", "TestGears.test_spin", (11,), "test_spin", (10, 12)),
        ("test_alone", "test_alone", (19,), "test_alone", (19, 19)),
    ]


@pytest.mark.parametrize("source", ["", "import torch\n", "def spin(): ...\n", "class T:\n    tests = 1\n"])
def test_a_file_without_cases_has_no_facts(source: str) -> None:
    assert facts_of(source, KIND) == ()


@pytest.mark.parametrize(
    ("upstream", "downstream"),
    [
        (UPSTREAM, UPSTREAM),
        (UPSTREAM, TWIN),
        (UPSTREAM, "test/_mill/test_gears_npu.py"),
        (UPSTREAM, "test/npu/mill/test_npu_gears.py"),
        ("test/test_gears_cuda.py", "test/test_gears_npu.py"),
        ("test/test_gears_cuda.py", "test/test_gears.py"),
        ("test/test_cuda.py", "test/test_npu.py"),
        ("test/test_cuda.py", "test/npu/test_npu.py"),
    ],
)
def test_corresponding_paths(upstream: str, downstream: str) -> None:
    assert are_twins(upstream, downstream)
    assert downstream.rpartition("/")[2].removesuffix(".py") in twin_stems(upstream)


@pytest.mark.parametrize(
    ("upstream", "downstream"),
    [
        (UPSTREAM, "test/test_gears.py"),
        (UPSTREAM, "test/fan/test_gears.py"),
        (UPSTREAM, "test/mill/test_gears_more.py"),
        (UPSTREAM, "test/mill/test_gear.py"),
        (UPSTREAM, "test/mill/test_gears.cpp"),
        (UPSTREAM, "mill_npu/gears.py"),
        ("test/test_cuda.py", "test/test_gears.py"),
        ("test/test_cuda.py", "test/test.py"),
        (GEARS, GEARS),
    ],
)
def test_paths_that_do_not_correspond(upstream: str, downstream: str) -> None:
    assert not are_twins(upstream, downstream)


@pytest.mark.parametrize("path", [UPSTREAM, TWIN, "test/_mill/test_gears_npu.py"])
def test_in_a_twin_the_same_scope_is_the_copy(index_of: IndexOf, path: str) -> None:
    found = copies(index_of({path: FILE}), SPIN)
    assert shown(found) == [(Relation.SAME_SYMBOL, path, "TestGears.test_spin", (6,), f"{MODULE}.TestGears.test_spin")]


def test_in_a_twin_that_renamed_the_class_the_name_is_enough(index_of: IndexOf) -> None:
    renamed = FILE.replace("TestGears", "TestGearsNPU")
    found = copies(index_of({TWIN: renamed}), SPIN)
    assert shown(found) == [
        (Relation.SAME_SYMBOL, TWIN, "TestGearsNPU.test_spin", (6,), f"{MODULE}.TestGears.test_spin")
    ]


def test_in_a_twin_that_has_the_class_another_class_is_no_copy(index_of: IndexOf) -> None:
    source = FILE.replace("test_spin", "test_start") + "\nclass TestFans(TestCase):\n    def test_spin(self): ...\n"
    found = copies(index_of({TWIN: source}), SPIN)
    assert shown(found) == [(Relation.ENCLOSING, TWIN, "TestGears", (5,), f"{MODULE}.TestGears.test_spin")]


def test_without_case_and_class_the_twin_itself_is_named(index_of: IndexOf) -> None:
    found = copies(index_of({TWIN: FILE}), case("TestFans.test_blow"))
    assert shown(found) == [(Relation.SAME_MODULE, TWIN, "<module>", (2,), MODULE)]
    assert [(one.token, one.word) for one in found] == [("torch", MODULE)]


def test_a_renamed_case_is_found_under_its_old_name(index_of: IndexOf) -> None:
    renamed = definition(
        "TestGears.test_rotate",
        ChangeKind.RENAMED,
        path=UPSTREAM,
        nature=Nature.TEST,
        old_qualname="TestGears.test_spin",
    )
    test = TestCaseChange(path=UPSTREAM, scope="TestGears.test_rotate", kind=ChangeKind.RENAMED)
    found = copies(index_of({TWIN: FILE}), renamed, test)
    assert [(one.relation, one.scope) for one in found] == [(Relation.SAME_SYMBOL, "TestGears.test_spin")]


def test_a_path_that_no_diff_shows_leads_to_its_twin(index_of: IndexOf) -> None:
    index = index_of({TWIN: FILE, "test/_mill/test_fans.py": FILE})
    assert shown(copies(index, definition("spin"), other_paths=(UPSTREAM, GEARS))) == [
        (Relation.SAME_MODULE, TWIN, "<module>", (2,), MODULE)
    ]


def test_a_case_without_a_path_is_looked_for_in_every_twin(index_of: IndexOf) -> None:
    index = index_of({TWIN: FILE, "test/_mill/test_fans.py": FILE})
    found = copies(index, case("TestGears.test_stop", ""), other_paths=(UPSTREAM, "test/mill/test_wheels.py"))
    assert (Relation.SAME_SYMBOL, TWIN, "TestGears.test_stop", (9,), "TestGears.test_stop") in shown(found)
    assert {one.path for one in found} == {TWIN}


def test_bodies_tell_copies_anywhere(index_of: IndexOf) -> None:
    copy = "class TestOther:\n" + BODY.replace("cuda", "npu").replace("def", "    def", 1).replace(
        "\n    ", "\n        "
    )
    other = "class TestGears:\n    def test_spin(self):\n        " + "self.assertEqual(blow(3), slow(4)); " * 6
    index = index_of({"test/npu/test_moved.py": copy, "test/npu/test_else.py": other, TWIN: other})
    new = BODY.replace("range(10)", "range(20)")
    texts = {f"{MODULE}.TestGears.test_spin": ChangedText(BODY, new)}
    found = copies(index, SPIN, texts=texts)
    assert shown(found) == [
        (Relation.ENCLOSING, TWIN, "TestGears", (1,), f"{MODULE}.TestGears.test_spin"),
        (
            Relation.SAME_SYMBOL,
            "test/npu/test_moved.py",
            "TestOther.test_spin",
            (2,),
            f"{MODULE}.TestGears.test_spin",
        ),
    ]
    (copied,) = [one.detail for one in found if one.relation is Relation.SAME_SYMBOL]
    assert copied.copy_state is CopyState.CARRIES_OLD_CODE
    assert copied.similarity is not None
    assert copied.similarity > 0.8


def test_cases_written_after_one_pattern_are_no_copies(index_of: IndexOf) -> None:
    other = code("""
        def test_spin(self):
            wheel = torch.ones(3, device="npu")
            for brake in self.brakes():
                wheel = torch.mill.stop(wheel, brake)
                brake.release()
                self.assertTrue(brake.is_free())
            with self.assertRaises(RuntimeError):
                torch.mill.check(wheel)
        """)
    moved = "test/npu/test_moved.py"
    texts = {f"{MODULE}.TestGears.test_spin": ChangedText(BODY, BODY.replace("range(10)", "range(20)"))}
    assert copies(index_of({moved: other}), SPIN, texts=texts) == []
    renamed = BODY.replace("wheel", "gear").replace("cuda", "npu")
    (found,) = copies(index_of({moved: renamed}), SPIN, texts=texts)
    assert found.detail.similarity == 1.0


def test_a_case_in_cpp_has_no_copy_in_python(index_of: IndexOf) -> None:
    index = index_of({"test/npu/test_other.py": FILE.replace("test_spin", "test_spin_backwards")})
    name = "TestGears.test_spin_backwards"
    assert copies(index, case(name, "test/mill/test_gears.cpp")) == []
    assert len(copies(index, case(name, "test/mill/test_gears.py"))) == 1


def test_names_alone_must_tell_outside_a_twin(index_of: IndexOf) -> None:
    telling = FILE.replace("test_spin", "test_spin_backwards")
    index = index_of({"test/npu/test_other.py": telling})
    found = copies(index, case("TestGears.test_spin_backwards"))
    assert [(one.relation, one.scope) for one in found] == [(Relation.SAME_SYMBOL, "TestGears.test_spin_backwards")]
    both = copies(index_of({"test/npu/test_other.py": FILE}), SPIN, case("TestGears.test_stop"))
    assert sorted(one.scope for one in both) == ["TestGears.test_spin", "TestGears.test_stop"]
    long = code("""
        def test_spin_with_two_teeth(): ...
        def test_stop_with_two_teeth(): ...
        """)
    names = (case("TestGears.test_spin_with_two_teeth"), case("TestGears.test_stop_with_two_teeth"))
    assert len(copies(index_of({"test/npu/test_other.py": long}), *names)) == 2
    assert copies(index_of({"test/npu/test_other.py": long}), names[0]) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("test/npu/test_fans.py", FILE.replace("TestGears", "TestFans")),  # a generic name, nothing else in common
        ("test/npu/test_fans.py", FILE),  # … in a class of the same name either
        ("test/fan/test_gears.py", FILE.replace("TestGears", "TestFans")),  # the file name in another folder
        ("mill_npu/testing_gears.py", FILE),  # product code
        ("mill_npu/mill/test.py", "def test_spin(): ...\n"),
        (TWIN, "# class TestGears: def test_spin\nx = 'test_spin'\n"),  # comment and string
        (TWIN.replace(".py", ".txt"), FILE),
    ],
)
def test_look_alikes_are_no_copies(index_of: IndexOf, path: str, source: str) -> None:
    assert copies(index_of({path: source}), SPIN) == []


@pytest.mark.parametrize("name", ["test_spin_float32", "test_spins", "test_spi", "xtest_spin", "test_spin_cuda"])
def test_in_a_twin_a_longer_or_shorter_name_is_another_case(index_of: IndexOf, name: str) -> None:
    found = copies(index_of({TWIN: FILE.replace("test_spin", name)}), SPIN)
    assert [(one.relation, one.scope) for one in found] == [(Relation.ENCLOSING, "TestGears")]


def test_a_test_of_the_changed_function_is_no_copy(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import spin\ndef test_spin(): spin(1)\n"
    assert copies(index_of({"test/_mill/test_gears.py": source}), definition("spin")) == []
