"""The audit must pass a right record and fail every planted lie, on a tree of a few lines."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evals.audit import Auditor, Fault, FaultKind, TreeText, parse_record, read_export
from evals.audit.claims import clauses
from evals.audit.python_facts import PythonFile
from evals.errors import ExportError

GEARS = b"""\
import torch._mill.gears
from torch._mill.gears import Gear, stop


class NPUGear(Gear):
    def turn(self, x):
        return stop(x)


@register_lowering(aten.spin)
def spin_npu(x):
    return x


torch._mill.gears.spin = spin_npu
registry["spin"] = spin_npu
setattr(Gear, "brake", stop)
"""

TREE = TreeText({"mill_npu/gears.py": GEARS, "mill_npu/说明.md": "创建Gear选项\nspin 与 spinner\n".encode()})


def item(kind: str, line: int, scope: str, token: str, symbol: str, **more: Any) -> dict[str, Any]:
    place = {"path": "mill_npu/gears.py", "scope": scope, "lines": [line], "token": token, "symbol": symbol}
    return {"id": more.pop("id", "E1"), "kind": kind, **place, "detail": more, "symbols": [symbol]}


IMPORT = item("import", 2, "<module>", "stop", "torch._mill.gears.stop")
SUBCLASS = item("subclass", 5, "NPUGear", "Gear", "torch._mill.gears.Gear")
OVERRIDE = item("override", 6, "NPUGear.turn", "turn", "torch._mill.gears.Gear.turn")
REGISTRATION = item("registration", 10, "spin_npu", "spin", "aten.spin", registrar="register_lowering")
PATCH = item("patch", 15, "<module>", "spin", "torch._mill.gears.spin")
ENTRY = item("patch", 16, "<module>", "registry", "torch._mill.gears.registry")
SETATTR = item("patch", 17, "<module>", "brake", "torch._mill.gears.Gear.brake")
REFERENCE = item("reference", 7, "NPUGear.turn", "stop", "torch._mill.gears.stop")
ALL = [IMPORT, SUBCLASS, OVERRIDE, REGISTRATION, PATCH, ENTRY, SETATTR, REFERENCE]


def export(analysis: str, *items: dict[str, Any], misses: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "record": {"title": "Turn the gears", "upstream_pr": 7, "summary": "改写 turn。", "analysis": analysis},
        "ledger": {
            "items": list(items),
            "misses": [{"id": f"Z{n}", "pattern": word} for n, word in enumerate(misses, 1)],
            "counts": [],
        },
    }


def faults(document: dict[str, Any]) -> list[Fault]:
    return list(Auditor(TREE).audit(parse_record(document, "test")).faults)


def kinds(document: dict[str, Any]) -> set[FaultKind]:
    return {fault.kind for fault in faults(document)}


@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one['kind']}-{one['token']}")
def test_a_right_item_passes(one: dict[str, Any]) -> None:
    assert not faults(export(f"命中 mill_npu/gears.py:{one['lines'][0]}。", one))


@pytest.mark.parametrize("wrong", ["import", "subclass", "override", "registration", "patch"])
@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one['kind']}-{one['token']}")
def test_a_wrong_kind_in_the_ledger_is_found(one: dict[str, Any], wrong: str) -> None:
    planted = one | {"kind": wrong, "detail": {}}
    found = kinds(export(f"命中 mill_npu/gears.py:{one['lines'][0]}。", planted))
    assert (FaultKind.WRONG_RELATION in found) == (wrong != one["kind"])


@pytest.mark.parametrize(
    ("word", "one"),
    [("导入", IMPORT), ("继承", SUBCLASS), ("覆写", OVERRIDE), ("注册", REGISTRATION), ("patch", PATCH)],
)
def test_a_wrong_relation_word_in_the_text_is_found(word: str, one: dict[str, Any]) -> None:
    line = one["lines"][0]
    assert not faults(export(f"torch_npu 在 mill_npu/gears.py:{line} {word}了它。", one))
    wrong = "导入" if word == "patch" else "patch"
    assert kinds(export(f"torch_npu 在 mill_npu/gears.py:{line} {wrong} 了它。", one)) == {FaultKind.WRONG_RELATION}


def test_a_denied_relation_word_claims_nothing() -> None:
    assert not faults(export("torch_npu 未 patch 它，导入见 mill_npu/gears.py:2。", IMPORT))


def test_a_relation_word_inside_code_claims_nothing() -> None:
    assert not faults(export("经 `patch_all` 与 torch_npu/patch/x 使用，见 mill_npu/gears.py:2。", IMPORT))


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("mill_npu/gears.py:99", FaultKind.NO_SUCH_LINE),
        ("mill_npu/gears.py:0", FaultKind.NO_SUCH_LINE),
        ("mill_npu/none.py:2", FaultKind.NO_SUCH_LINE),
        ("mill_npu/gears.py:3", FaultKind.NOT_IN_LEDGER),
        ("mill_npu/gears.py:2-3", FaultKind.NOT_IN_LEDGER),
        ("mill_npu/gears.py:2,14", FaultKind.NOT_IN_LEDGER),
        ("mill_npu/gears.py:99-2", FaultKind.NO_SUCH_LINE),
    ],
)
def test_a_planted_wrong_line_in_the_text_is_found(place: str, kind: FaultKind) -> None:
    assert kind in kinds(export(f"导入见 mill_npu/gears.py:2，另见 {place}。", IMPORT))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"lines": [3]}, FaultKind.WORD_ABSENT),
        ({"lines": [7]}, FaultKind.WRONG_SCOPE),
        ({"lines": [400]}, FaultKind.NO_SUCH_LINE),
        ({"path": "mill_npu/none.py"}, FaultKind.NO_SUCH_LINE),
        ({"scope": "NPUGear"}, FaultKind.WRONG_SCOPE),
        ({"token": "sto"}, FaultKind.WORD_ABSENT),
    ],
)
def test_a_planted_lie_in_the_ledger_is_found(change: dict[str, Any], kind: FaultKind) -> None:
    planted = IMPORT | change
    assert kind in kinds(export(f"导入见 {planted['path']}:{planted['lines'][0]}。", planted))


def test_a_printed_place_must_hold_its_word_even_when_the_ledger_agrees() -> None:
    planted = IMPORT | {"lines": [1, 2], "symbols": ["a.stop", "b.Gear"], "token": "stop"}
    assert FaultKind.WORD_ABSENT in kinds(export("导入见 mill_npu/gears.py:1。", planted))


def test_a_merged_item_holds_its_token_on_the_first_line_only() -> None:
    merged = IMPORT | {"lines": [1, 2], "symbols": ["torch._mill.gears", "torch._mill.gears.stop"], "token": "gears"}
    assert not faults(export("导入见 mill_npu/gears.py:1-2。", merged))


BOTH = PATCH | {"further": [IMPORT | {"id": ""}]}


def test_a_further_coupling_may_be_printed_by_its_own_line() -> None:
    assert not faults(export("mill_npu/gears.py:15 patch 了它，mill_npu/gears.py:2 导入 stop。", BOTH))
    wrong = export("见 mill_npu/gears.py:15，mill_npu/gears.py:2 patch 了它。", BOTH)
    assert kinds(wrong) == {FaultKind.WRONG_RELATION}
    assert kinds(export("见 mill_npu/gears.py:2。", BOTH)) == {FaultKind.TOP_ITEM_NOT_CITED}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"lines": [15]}, FaultKind.WORD_ABSENT),
        ({"lines": [7]}, FaultKind.WRONG_SCOPE),
        ({"lines": [400]}, FaultKind.NO_SUCH_LINE),
        ({"token": "sto"}, FaultKind.WORD_ABSENT),
        ({"kind": "subclass"}, FaultKind.WRONG_RELATION),
    ],
)
def test_a_planted_lie_about_a_further_coupling_is_found(change: dict[str, Any], kind: FaultKind) -> None:
    planted = PATCH | {"further": [IMPORT | change]}
    assert kind in kinds(export("见 mill_npu/gears.py:15。", planted))


@pytest.mark.parametrize(
    "analysis", ["turn_back 0 命中。", "`turn_back` 0 命中。", "在 torch_npu 中 turn_back、unturn 均 0 命中。"]
)
def test_true_misses_pass(analysis: str) -> None:
    assert not faults(export(analysis, misses=("turn_back", "unturn")))


@pytest.mark.parametrize(
    ("analysis", "word"),
    [
        ("stop 0 命中。", "stop"),
        ("turn_back、stop 均 0 命中。", "stop"),
        ("turn_back 0 命中、stop 0 命中。", "stop"),
        ("Gear 0 命中。", "Gear"),
        ("torch._mill.gears 0 命中。", "torch._mill.gears"),
    ],
)
def test_a_planted_false_miss_in_the_text_is_found(analysis: str, word: str) -> None:
    (fault,) = faults(export(analysis))
    assert (fault.kind, fault.where) == (FaultKind.FALSE_MISS, word)


def test_a_false_miss_or_count_in_the_ledger_is_found() -> None:
    document = export("turn_back 0 命中。", misses=("turn_back", "spin"))
    document["ledger"]["counts"] = [
        {"pattern": "spin", "lines": 4, "files": 2},
        {"pattern": "stop", "lines": 9, "files": 1},
    ]
    assert [(fault.kind, fault.where) for fault in faults(document)] == [
        (FaultKind.FALSE_MISS, "spin"),
        (FaultKind.FALSE_COUNT, "stop"),
    ]


def test_a_miss_of_nothing_is_found() -> None:
    assert FaultKind.UNKNOWN_MISS in kinds(export("全部检索 0 命中。"))


def test_ten_hits_are_no_miss() -> None:
    assert not next(clauses("stop 10 命中")).misses


def test_every_record_is_checked_at_least_once() -> None:
    assert kinds(export("没有引用。", IMPORT)) == {FaultKind.TOP_ITEM_NOT_CITED}
    assert kinds(export("见 mill_npu/gears.py:5。", IMPORT, SUBCLASS | {"id": "E2"})) == {FaultKind.TOP_ITEM_NOT_CITED}
    assert kinds(export("与 torch_npu 无关。")) == {FaultKind.NO_MISS_STATED}


def test_the_audit_counts_what_it_checked() -> None:
    audited = Auditor(TREE).audit(
        parse_record(export("导入见 mill_npu/gears.py:2，turn_back 0 命中。", IMPORT), "test")
    )
    assert (audited.places, audited.misses, audited.relations, audited.faults) == (1, 1, 1, ())


def test_words_end_at_chinese_characters_and_not_at_letters() -> None:
    assert TREE.count("Gear") == (4, 2)
    assert TREE.count("spin") == (4, 2)
    assert TREE.count("pin") == (0, 0)


def test_no_word_spans_two_files_and_binary_files_hold_none() -> None:
    tree = TreeText({"a.txt": b"on", "b.txt": b"off", "c.so": b"off\0"})
    assert tree.count("onoff") == (0, 0)
    assert tree.count("off") == (1, 1)


def test_a_tree_reads_alike_from_a_folder_and_a_wheel(tmp_path: Path) -> None:
    (tmp_path / "tree" / "mill_npu").mkdir(parents=True)
    (tmp_path / "tree" / "mill_npu" / "gears.py").write_bytes(GEARS)
    (tmp_path / "tree" / "mill_npu-1.dist-info").mkdir()
    (tmp_path / "tree" / "mill_npu-1.dist-info" / "METADATA").write_text("Gear")
    with zipfile.ZipFile(tmp_path / "mill.whl", "w") as archive:
        archive.writestr("mill_npu/gears.py", GEARS)
        archive.writestr("mill_npu-1.dist-info/METADATA", "Gear")
    folder, wheel = TreeText.read(tmp_path / "tree"), TreeText.read(tmp_path / "mill.whl")
    assert folder.files == wheel.files == {"mill_npu/gears.py": GEARS}


def test_scopes_follow_the_convention_of_the_ledger() -> None:
    python = PythonFile(GEARS)
    assert [python.scope_at(line) for line in (1, 5, 6, 7, 10, 11, 12, 15)] == [
        "<module>",
        "NPUGear",
        "NPUGear.turn",
        "NPUGear.turn",
        "spin_npu",
        "spin_npu",
        "spin_npu",
        "<module>",
    ]


def test_an_export_reads_as_one_record_or_a_list(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export("x")), encoding="utf-8")
    assert len(read_export(path)) == 1
    path.write_text(json.dumps([export("x"), export("y")]), encoding="utf-8")
    assert [one.record.analysis for one in read_export(path)] == ["x", "y"]


@pytest.mark.parametrize("content", ["", "[1]", "{}", '{"record": {}, "ledger": {}}'])
def test_what_is_no_export_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ExportError, match=r"export\.json"):
        read_export(path)
