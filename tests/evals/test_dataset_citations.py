"""Places that a paragraph cites, found again in a tree."""

from __future__ import annotations

import pytest

from evals.dataset.cited_places import Unresolved, evidence_of
from retrieval.models import MODULE_SCOPE
from tests.evals.dataset_cases import mill

PLACES = mill()


def found(text: str) -> list[tuple[str, str, tuple[int, ...]]]:
    evidence, _ = evidence_of(text, PLACES)
    return [(item.path, item.scope, item.lines) for item in evidence.items]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("见 mill_npu/gears.py:6。", [("mill_npu/gears.py", "Gear.turn", (6,))]),
        ("（mill_npu/gears.py:4）", [("mill_npu/gears.py", "Gear", (4,))]),
        ("mill_npu/gears.py:1 导入", [("mill_npu/gears.py", MODULE_SCOPE, (1,))]),
        ("mill_npu/gears.py:9", [("mill_npu/gears.py", MODULE_SCOPE, (9,))]),
        ("mill_npu/gears.py:5-6 覆写", [("mill_npu/gears.py", "Gear.turn", (5, 6))]),
        (
            "mill_npu/gears.py:1,5-6、4",
            [
                ("mill_npu/gears.py", MODULE_SCOPE, (1,)),
                ("mill_npu/gears.py", "Gear.turn", (5, 6)),
                ("mill_npu/gears.py", "Gear", (4,)),
            ],
        ),
        ("先 mill_npu/gears.py:6，再 gears.py:5", [("mill_npu/gears.py", "Gear.turn", (5, 6))]),
        ("teeth.py:2 与 deep/.../teeth.py:1", [("mill_npu/deep/below/teeth.py", "bite", (1, 2))]),
        ("mill_npu/init.py:5 覆盖", [("mill_npu/__init__.py", "load", (5,))]),
    ],
)
def test_places_are_found(text: str, expected: list[tuple[str, str, tuple[int, ...]]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("mill_npu/gone.py:3", ("mill_npu/gone.py", "3")),
        ("mill_npu/gears.py:10000", ("mill_npu/gears.py", "10000")),
        ("mill_npu/gears.py:0", ("mill_npu/gears.py", "0")),
        ("gears.py:1，有两个文件叫这个名字", ("gears.py", "1")),
    ],
)
def test_what_does_not_resolve_is_counted_and_told(text: str, lost: tuple[str, str]) -> None:
    evidence, unresolved = evidence_of(text, PLACES)
    assert unresolved == (Unresolved(*lost),)
    assert (evidence.cited, evidence.verified, evidence.items) == (1, 0, ())


@pytest.mark.parametrize("text", ["torch/_mill/gears.py:6", "改动 torch/_mill/wheel.py，见 wheel.py:6", "12:30 的会议"])
def test_places_of_upstream_are_no_citations(text: str) -> None:
    evidence, unresolved = evidence_of(text, PLACES)
    assert (evidence.cited, unresolved) == (0, ())


def test_the_token_is_the_longest_word_that_text_and_line_share() -> None:
    evidence, _ = evidence_of("mill_npu/gears.py:6 的 return 调用 mill.turn", PLACES)
    assert [item.token for item in evidence.items] == ["return"]
    evidence, _ = evidence_of("mill_npu/gears.py:6 处调用上游", PLACES)
    assert [item.token for item in evidence.items] == [None]


def test_counts_are_of_citations_and_items_of_scopes() -> None:
    evidence, _ = evidence_of("mill_npu/gears.py:5，mill_npu/gears.py:6，mill_npu/gone.py:1", PLACES)
    assert (evidence.cited, evidence.verified, len(evidence.items)) == (3, 2, 1)
    assert evidence.snapshot == "memory:0"


def test_without_a_tree_citations_are_counted_only() -> None:
    evidence, unresolved = evidence_of("mill_npu/gears.py:5，mill_npu/gone.py:1", None)
    assert (evidence.cited, evidence.verified, evidence.snapshot, unresolved) == (2, 0, None, ())


def test_a_scope_is_in_the_tree_or_not() -> None:
    assert PLACES.has("mill_npu/gears.py", "Gear.turn")
    assert PLACES.has("mill_npu/gears.py", MODULE_SCOPE)
    assert not PLACES.has("mill_npu/gears.py", "Gear.stop")
    assert not PLACES.has("mill_npu/gone.py", MODULE_SCOPE)
