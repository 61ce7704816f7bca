from __future__ import annotations

from pathlib import Path

from evals.places import existing_places, scopes_of, spans_of
from evals.recall import Place
from evals.records import Citation, RecordEvidence
from tests.evals.test_release_diff import record

SOURCE = """\
import os

if os.name:
    def conditional():
        pass


class Gear:
    turns = 0

    @staticmethod
    async def spin():
        def inner():
            class Deep:
                pass
"""


def tree(folder: Path) -> Path:
    (folder / "npu").mkdir()
    (folder / "npu" / "gears.py").write_text("\ufeff" + SOURCE, encoding="utf-8")
    (folder / "npu" / "template.py").write_text("{{ not python }}")
    (folder / "npu" / "gears.h").write_text("namespace mill {\nvoid spin() {}\n}\n")
    return folder


def test_scopes_are_qualnames_without_locals(tmp_path: Path) -> None:
    assert scopes_of(tree(tmp_path) / "npu" / "gears.py") == {
        "<module>",
        "conditional",
        "Gear",
        "Gear.spin",
        "Gear.spin.inner",
        "Gear.spin.inner.Deep",
    }


def test_a_file_python_cannot_read_has_a_top_level_only(tmp_path: Path) -> None:
    assert scopes_of(tree(tmp_path) / "npu" / "template.py") == {"<module>"}


def test_scopes_of_cpp_are_known_too(tmp_path: Path) -> None:
    assert any("spin" in scope for scope in scopes_of(tree(tmp_path) / "npu" / "gears.h"))


def test_a_definition_spans_its_decorators_and_all_it_holds(tmp_path: Path) -> None:
    spans = spans_of(tree(tmp_path) / "npu" / "gears.py")
    assert spans["conditional"] == [(4, 5)]
    assert spans["Gear"] == [(8, 15)]
    assert spans["Gear.spin"] == [(11, 15)]
    assert spans["Gear.spin.inner"] == [(13, 15)]


def test_top_level_is_what_no_definition_holds(tmp_path: Path) -> None:
    assert spans_of(tree(tmp_path) / "npu" / "gears.py")["<module>"] == [(1, 3), (6, 7), (16, 16)]


def test_a_name_defined_twice_has_two_spans(tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text("if x:\n    def f():\n        a\nelse:\n    def f():\n        b\n")
    spans = spans_of(tmp_path / "twice.py")
    assert sorted(spans["f"]) == [(2, 3), (5, 6)]
    assert spans["<module>"] == [(1, 1), (4, 4), (7, 7)]


def test_a_cpp_variable_stays_top_level(tmp_path: Path) -> None:
    (tmp_path / "gears.cpp").write_text("#include <mill.h>\nint turns = 3;\nvoid spin() {\n  turn();\n}\n")
    spans = spans_of(tmp_path / "gears.cpp")
    assert spans["spin"] == [(3, 5)]
    assert spans["<module>"] == [(1, 2), (6, 6)]


def test_an_absent_file_has_no_scope(tmp_path: Path) -> None:
    assert scopes_of(tmp_path / "none.py") == frozenset()


def test_only_places_of_this_tree_are_expected_and_each_once(tmp_path: Path) -> None:
    cited = [
        ("npu/gears.py", "Gear.spin"),
        ("npu/gears.py", "Gear.spin"),
        ("npu/gears.py", "<module>"),
        ("npu/gears.py", "Gear.gone"),
        ("npu/gone.py", "<module>"),
    ]
    items = tuple(Citation(path=path, scope=scope, lines=(1,), token="x") for path, scope in cited)
    evidence = RecordEvidence(snapshot="0123abcd", cited=5, verified=5, items=items)
    one = record("torch/gears.py", ((1, 1), (1, 1))).model_copy(update={"evidence": evidence})
    assert existing_places(one, tree(tmp_path)) == {
        Place("npu/gears.py", "Gear.spin"),
        Place("npu/gears.py", "<module>"),
    }
