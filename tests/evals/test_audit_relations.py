"""What a line must show for the relations that a place may have besides naming the changed symbol itself."""

from __future__ import annotations

from typing import Any

import pytest

from evals.audit import Auditor, FaultKind, TreeText, parse_record
from evals.audit.python_facts import PythonFile

GEARS = b"""\
from torch._mill.gears import Gear
from torch._mill import gears

NPU_FALLBACK_LIST = [
    aten.stop,
    aten.spin.default,
]
SPIN_DECOMPS: set[object] = {aten.spin}
INTERESTING = [aten.spin]
fallbacks.spin = [aten.spin]


def make(raw):
    def turn(self):
        return raw(self)

    return turn


def rest(x):
    return gears.spin(NPUGear(x).spin_up)


@register_lowering(aten.spin_as)
def lower(x): return x


class NPUGear(
    Gear,
):
    teeth = 12


gears.stop = rest
"""
PATH = "mill_npu/gears.py"
TREE = TreeText({PATH: GEARS})


def item(kind: str, line: int, scope: str, token: str, relation: str, **detail: Any) -> dict[str, Any]:
    place = {"path": PATH, "scope": scope, "lines": [line], "token": token, "symbol": f"torch._mill.gears.{token}"}
    return {"id": "E1", "kind": kind, "relation": relation, **place, "detail": detail, "symbols": [place["symbol"]]}


def faults(one: dict[str, Any], told: str = "见") -> set[FaultKind]:
    document = {
        "record": {
            "title": "Turn",
            "upstream_pr": 7,
            "summary": "改写。",
            "analysis": f"{told} {PATH}:{one['lines'][0]}。",
        },
        "ledger": {"items": [one], "misses": [], "counts": []},
    }
    return {fault.kind for fault in Auditor(TREE).audit(parse_record(document, "test")).faults}


LISTED = item("registration", 6, "<module>", "spin", "same_operator", registrar="NPU_FALLBACK_LIST", listed=True)
TYPED = item("registration", 8, "<module>", "spin", "same_operator", registrar="SPIN_DECOMPS", listed=True)
SIBLING = item("registration", 24, "lower", "spin_as", "sibling", registrar="register_lowering")
REPLACEMENT = item("hook", 20, "rest", "rest", "replacement")
MADE = item("hook", 14, "make.turn", "turn", "replacement")
MAKER = item("hook", 13, "make", "make", "replacement")
CLASS = item("hook", 28, "NPUGear", "NPUGear", "replacement")
HEIR = item("reference", 21, "rest", "NPUGear", "heir")
CONSUMER = item("reference", 21, "rest", "spin", "consumer")
PATCHED = item("patch", 34, "<module>", "stop", "consumer")
IMPORTED = item("import", 2, "<module>", "gears", "consumer")
AKIN = item("reference", 21, "rest", "spin_up", "akin")
AKIN_SCOPE = item("hook", 31, "NPUGear", "teeth", "akin")
ALL = [LISTED, TYPED, SIBLING, REPLACEMENT, MADE, MAKER, CLASS, HEIR, CONSUMER, PATCHED, IMPORTED, AKIN, AKIN_SCOPE]


def label(one: dict[str, Any]) -> str:
    return f"{one['relation']} {one['kind']} {one['token']}"


@pytest.mark.parametrize("one", ALL, ids=label)
def test_a_right_item_passes(one: dict[str, Any]) -> None:
    assert faults(one) == set()


@pytest.mark.parametrize("one", ALL, ids=label)
@pytest.mark.parametrize(
    ("lie", "kind"),
    [
        ({"token": "brake"}, FaultKind.WORD_ABSENT),
        ({"scope": "brake"}, FaultKind.WRONG_SCOPE),
        ({"lines": [3]}, FaultKind.WORD_ABSENT),
        ({"lines": [999]}, FaultKind.NO_SUCH_LINE),
    ],
    ids=["word", "scope", "line", "beyond the end"],
)
def test_every_relation_has_its_word_on_its_line_inside_its_scope(
    one: dict[str, Any], lie: dict[str, Any], kind: FaultKind
) -> None:
    assert kind in faults(one | lie)


@pytest.mark.parametrize(
    ("one", "lie"),
    [
        (LISTED, {"detail": {"registrar": "NPU_FALLBACK_LIST"}}),
        (LISTED, {"lines": [9], "detail": {"registrar": "INTERESTING", "listed": True}}),
        (SIBLING, {"detail": {"registrar": "register_lowering", "listed": True}}),
        (LISTED, {"lines": [9]}),
        (LISTED, {"lines": [8]}),
        (LISTED, {"lines": [10], "detail": {"registrar": "spin", "listed": True}}),
        (LISTED, {"detail": {"registrar": "register_lowering", "listed": True}}),
        (LISTED, {"kind": "patch"}),
        (LISTED, {"kind": "import"}),
        (SIBLING, {"detail": {"registrar": "NPU_FALLBACK_LIST"}}),
        (REPLACEMENT, {"lines": [34], "scope": "<module>"}),
        (MADE, {"lines": [17], "scope": "make"}),
        (CLASS, {"lines": [21], "scope": "rest"}),
        (PATCHED, {"kind": "registration"}),
        (IMPORTED, {"lines": [34], "token": "gears"}),
    ],
    ids=lambda part: label(part) if "kind" in part and "id" in part else str(part),
)
def test_a_line_that_does_not_show_the_relation_is_found(one: dict[str, Any], lie: dict[str, Any]) -> None:
    assert FaultKind.WRONG_RELATION in faults(one | lie)


@pytest.mark.parametrize(
    ("one", "word", "right"),
    [
        (LISTED, "列于", True),
        (LISTED, "注册", False),
        (SIBLING, "注册", True),
        (SIBLING, "列于", False),
        (CONSUMER, "列于", False),
        (LISTED, "未注册", True),
    ],
    ids=lambda part: label(part) if isinstance(part, dict) else str(part),
)
def test_a_sentence_may_say_that_a_list_holds_it_and_not_that_it_registers(
    one: dict[str, Any], word: str, right: bool
) -> None:
    assert faults(one, f"{word} spin，见" if word.startswith("未") else f"{word}") == (
        set() if right else {FaultKind.WRONG_RELATION}
    )


def test_facts_of_lists_and_headers() -> None:
    python = PythonFile(GEARS)
    assert [sorted(python.facts_at(line).listing) for line in (4, 5, 6, 7, 8, 9, 10, 11)] == [
        *[["NPU_FALLBACK_LIST"]] * 4,
        ["SPIN_DECOMPS"],
        ["INTERESTING"],
        [],
        [],
    ]
    headers = [sorted(python.facts_at(line).defined) for line in (13, 14, 15, 24, 25, 28, 29, 31)]
    assert headers == [["make"], ["turn"], [], ["lower"], ["lower"], ["NPUGear"], ["NPUGear"], []]
