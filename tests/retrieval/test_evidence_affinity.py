"""The ledger's places of affinity alone: which are shown, where, and how they are counted."""

from __future__ import annotations

from retrieval.models import EvidenceItem, EvidenceKind, Ledger, Relation
from tests.retrieval.test_evidence import check, ledger_of
from tests.support.tree import Files, IndexOf, code
from tests.support.values import change, definition, delta

FILLING: Files = {f"mill_npu/filler{n}.py": f"def filler{n}():\n    return rattle{n}\n" for n in range(40)}
ASKED = delta(definition("grind_wheel"))
TITLE = change(title="Grind the wheel with oil")
AKIN = code("""
    def npu_oil(x):
        return prepare(x.wheel_oil)

    def stop(x):
        return x
    """)
USE = "from torch._mill.gears import grind_wheel\n\ndef f(x):\n    return grind_wheel(x)\n"
FILES: Files = {**FILLING, "mill_npu/akin.py": AKIN, "mill_npu/use.py": USE}


def alone(ledger: Ledger) -> list[EvidenceItem]:
    return [item for item in ledger.items if item.kind is EvidenceKind.HOOK and item.relation is Relation.ABOUT]


def test_a_scope_of_the_same_words_is_an_item_though_it_names_nothing_changed(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(FILES), ASKED, TITLE)
    check(ledger, FILES)
    (item,) = alone(ledger)
    assert (item.path, item.scope, item.lines, item.token) == ("mill_npu/akin.py", "npu_oil", (2,), "wheel_oil")
    assert item.snippet == "return prepare(x.wheel_oil)"
    assert (item.kinds, item.symbols, item.further) == ((EvidenceKind.HOOK,), (item.symbol,), ())
    coupled = [one for one in ledger.items if one.path == "mill_npu/use.py"]
    assert {one.scope for one in coupled} == {"<module>", "f"}
    assert min(one.score for one in coupled) > item.score


def test_an_item_of_affinity_alone_is_found_shown_and_a_hook(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(FILES), ASKED, TITLE)
    assert ledger.totals.by_kind[EvidenceKind.HOOK] == len(alone(ledger)) == 1
    assert (ledger.totals.found, ledger.totals.shown, ledger.totals.cut) == (3, 3, 0)


def test_an_akin_name_that_a_place_is_coupled_by_counts_once(index_of: IndexOf) -> None:
    """A rare name that shares words with the changed one is a coupling, and makes no place of affinity alone."""
    files = {**FILLING, "mill_npu/near.py": "from torch._mill import wheels\n\ndef f():\n    wheels.grind_wheel()\n"}
    asked = delta(definition("write_grind_wheel"))
    ledger = ledger_of(index_of(files), asked, TITLE)
    check(ledger, files)
    (item,) = [one for one in ledger.items if one.relation is Relation.AKIN]
    assert item.kind is EvidenceKind.REFERENCE
    assert alone(ledger) == []
    assert ledger.totals.by_kind[EvidenceKind.REFERENCE] == 1
    assert ledger.totals.found == sum(ledger.totals.by_kind.values())


def test_places_of_affinity_alone_beyond_the_limit_are_not_counted_as_cut(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(FILES), ASKED, TITLE, limit=2)
    check(ledger, FILES)
    assert alone(ledger) == []
    assert (ledger.totals.found, ledger.totals.shown, ledger.totals.cut) == (2, 2, 0)


def test_what_shares_words_in_text_alone_is_left_out_and_takes_no_number(index_of: IndexOf) -> None:
    files = {**FILES, "mill_npu/text.py": "def emit():\n    return 'grind wheel oil'\n"}
    ledger = ledger_of(index_of(files), ASKED, TITLE)
    check(ledger, files)
    assert {item.path for item in alone(ledger)} == {"mill_npu/akin.py"}


def test_affinity_alone_takes_no_miss_away(index_of: IndexOf) -> None:
    files = {**FILLING, "mill_npu/akin.py": AKIN}
    ledger = ledger_of(index_of(files), ASKED, TITLE)
    check(ledger, files)
    assert len(alone(ledger)) == 1
    assert [miss.pattern for miss in ledger.misses] == ["grind_wheel"]


def test_a_coupled_place_that_is_close_as_well_precedes_its_equal(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import grind_wheel\n\ndef {}(x):\n    return grind_wheel({})\n"
    files = {**FILLING, "mill_npu/a.py": source.format("f", "lamp"), "mill_npu/b.py": source.format("oil", "wheel_oil")}
    ledger = ledger_of(index_of(files), ASKED, TITLE)
    check(ledger, files)
    functions = [item for item in ledger.items if item.scope != "<module>"]
    assert [item.path for item in functions] == ["mill_npu/b.py", "mill_npu/a.py"]
    assert {item.relation for item in functions} == {Relation.SAME_SYMBOL}
