"""The evidence ledger over small trees: places, cuts, counted zeros."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

from retrieval.delta.texts import ChangedText
from retrieval.evidence import MAX_COUNTS, MAX_MISSES, build_ledger
from retrieval.evidence_item import MAX_FURTHER
from retrieval.index import Index
from retrieval.models import (
    ChangeKind,
    DefinitionChange,
    DefinitionKind,
    Delta,
    EvidenceKind,
    Ledger,
    Relation,
    UpstreamChange,
)
from retrieval.word_search import lines_with
from tests.retrieval.coupling.test_python_source import scopes_by_line
from tests.support.tree import Files, IndexOf, code, content, memory_index
from tests.support.values import change, config, definition, delta, file_delta, operator, renamed

TREE: Files = {
    "mill_npu/__init__.py": "from ._compat import Gear\nimport torch\n",
    "mill_npu/_compat.py": "from torch._mill.gears import Gear, spin as npu_spin\n",
    "mill_npu/gears.py": code("""
        # -*- coding: utf-8 -*-
        import functools
        import torch
        from torch._mill import config, gears
        from mill_npu import Gear
        from ._compat import npu_spin

        aten = torch.ops.aten

        class NPUGear(Gear):
            \"\"\"创建turn选项\"\"\"
            def turn(self, by):
                if config.turbo:
                    return super().turn(by)
                return npu_spin(by)

        @gears.register_lowering(aten.spin)
        def lower_spin(x):
            return npu_spin(
                x)

        def apply():
            raw = gears.Gear.turn
            @functools.wraps(raw)
            def turn(self, by):
                return raw(self, by)
            gears.Gear.turn = turn
            gears.table["spin"] = lower_spin
        """),
    "mill_npu/windows.py": b"\xef\xbb\xbffrom torch._mill.gears import stop\r\n\r\ndef f():\r\n    stop()\r\n",
    "mill_npu/broken.py": "from torch._mill import gears\ndef (:\n    pass\ndef g():\n    gears.stop()\n",
    "mill_npu/other.cpp": "void spin() { gears.stop(); }\n",
    "README.md": "spin 与 stop\n",
}
BIG = delta(
    definition("Gear.turn", ChangeKind.RESIGNED),
    definition("spin", operators=("aten.spin",)),
    definition("stop", ChangeKind.REMOVED),
    definition("Gear", definition=DefinitionKind.CLASS),
    renamed("Wheel.roll", "Wheel.rolling"),
    operator("aten.spin"),
    config("torch._mill.config.turbo"),
)


def ledger_of(
    index: Index, asked: Delta, upstream: UpstreamChange | None = None, limit: int = 20, token_budget: int = 6000
) -> Ledger:
    return build_ledger(asked, upstream or change(), index, limit=limit, token_budget=token_budget)


def check(ledger: Ledger, files: Files) -> None:
    """What every ledger promises, checked without the index."""
    data = content(files)
    assert [item.id for item in ledger.items] == [f"E{n}" for n in range(1, len(ledger.items) + 1)]
    assert [miss.id for miss in ledger.misses] == [f"Z{n}" for n in range(1, len(ledger.misses) + 1)]
    for item in ledger.items:
        source = data[item.path]
        assert item.lines, item
        assert list(item.lines) == sorted(set(item.lines)), item
        assert set(item.lines) <= set(lines_with(source, item.token)), item
        assert item.kinds[0] is item.kind, item
        assert len(set(item.kinds)) == len(item.kinds), item
        assert item.symbols[0] == item.symbol, item
        owners = _owners(source)
        if owners is not None:
            assert {owners[line - 1] for line in item.lines} == {item.scope}, item
        assert len(item.further) <= MAX_FURTHER
        for one in item.further:
            assert one.kind in item.kinds, item
            assert one.symbol in item.symbols, item
            assert (one.kind, one.symbol) != (item.kind, item.symbol)
            assert one.lines, item
            assert set(one.lines) <= set(lines_with(source, one.token)), item
            assert owners is None or {owners[line - 1] for line in one.lines} == {item.scope}, item
    scores = [item.score for item in ledger.items]
    assert scores == sorted(scores, reverse=True)
    assert len({(item.path, item.scope) for item in ledger.items}) == len(ledger.items)
    for miss in ledger.misses:
        assert (miss.count, miss.files) == (0, len(data))
        assert not any(lines_with(source, miss.pattern) for source in data.values()), miss
    for count in ledger.counts:
        found = [len(lines_with(source, count.pattern)) for source in data.values()]
        assert (count.lines, count.files) == (sum(found), sum(map(bool, found))), count
    totals = ledger.totals
    assert (totals.shown, totals.cut) == (len(ledger.items), totals.found - len(ledger.items))
    assert sum(totals.by_kind.values()) == totals.found
    assert totals.files_searched == len(data)
    assert bool(ledger.items) or bool(ledger.misses)


def _owners(source: bytes) -> Sequence[str] | None:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    return scopes_by_line(tree, source.count(b"\n") + 1)


def test_a_ledger_keeps_its_promises(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(TREE), BIG, limit=100)
    check(ledger, TREE)
    assert {item.path for item in ledger.items} >= {"mill_npu/gears.py", "mill_npu/windows.py", "mill_npu/broken.py"}
    assert {EvidenceKind.OVERRIDE, EvidenceKind.PATCH, EvidenceKind.REGISTRATION} <= {
        item.kind for item in ledger.items
    }
    assert ledger.downstream == "mill_npu"


@pytest.mark.parametrize("changed", BIG.definitions, ids=lambda one: one.qualname)
def test_each_change_alone_keeps_the_promises(index_of: IndexOf, changed: DefinitionChange) -> None:
    check(ledger_of(index_of(TREE), delta(changed)), TREE)


def test_several_couplings_of_one_scope_make_one_item(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(TREE), BIG, limit=100)
    (item,) = [item for item in ledger.items if item.scope == "NPUGear.turn"]
    assert item.kind is EvidenceKind.OVERRIDE
    assert {EvidenceKind.REFERENCE, EvidenceKind.CONFIG} <= set(item.kinds)
    assert "torch._mill.config.turbo" in item.symbols
    assert item.detail.calls_original is True


def test_what_else_a_scope_holds_is_kept_strongest_first(index_of: IndexOf) -> None:
    """An import of a removed name at module level, beside a patch that weighs more."""
    files = {"a.py": "from torch._mill.gears import stop\nfrom torch._mill import gears\ngears.spin = None\n"}
    asked = delta(definition("spin"), definition("stop", ChangeKind.REMOVED))
    (item,) = ledger_of(index_of(files), asked).items
    check(ledger_of(index_of(files), asked), files)
    couplings = [(item.kind, item.symbol, item.lines)]
    couplings += [(one.kind, one.symbol, one.lines) for one in item.further]
    assert (EvidenceKind.PATCH, "torch._mill.gears.spin", (3,)) in couplings
    assert (EvidenceKind.IMPORT, "torch._mill.gears.stop", (1,)) in couplings
    assert EvidenceKind.REFERENCE not in {kind for kind, _, _ in couplings}, "to patch a name is not to use it"
    assert len(couplings) == len(set(couplings))


def test_what_says_nothing_new_about_a_scope_is_not_kept(index_of: IndexOf) -> None:
    """Two changed methods of a class that one line names, and other names of the module: one further coupling."""
    files = {
        "a.py": "from torch._mill.gears import Gear, spin, rest, wait\n",
        "b.py": "from torch._mill.gears import Gear\nclass NPUGear(Gear):\n    x = Gear\n",
    }
    asked = delta(definition("Gear.turn"), definition("Gear.stop"), definition("spin"))
    ledger = ledger_of(index_of(files), asked)
    check(ledger, files)
    (item,) = [item for item in ledger.items if item.path == "a.py"]
    assert item.symbol == "torch._mill.gears.spin"
    assert len(item.symbols) > len(item.further) + 1
    assert [(one.kind, one.relation) for one in item.further] == [(EvidenceKind.IMPORT, Relation.ENCLOSING)]
    assert not any(one.kind is EvidenceKind.HOOK for item in ledger.items for one in item.further)


def test_further_couplings_are_limited_and_cost_tokens(index_of: IndexOf) -> None:
    names = [f"grinder_number_{n}" for n in range(MAX_FURTHER + 5)]
    one_name = {"a.py": f"from torch._mill.gears import {names[0]}\n"}
    files = {"a.py": "".join(f"from torch._mill.gears import {name}\n" for name in names)}
    asked = delta(*map(definition, names))
    plain, full = ledger_of(index_of(one_name), asked), ledger_of(index_of(files), asked)
    (item,) = full.items
    assert len(item.further) == MAX_FURTHER
    assert len(item.symbols) == len(names)
    assert full.totals.tokens > plain.totals.tokens + 8 * MAX_FURTHER
    check(full, files)


def test_the_line_of_a_hook_is_not_told_again_as_an_import(index_of: IndexOf) -> None:
    index = index_of({"a.py": "from torch._mill.gears import Gear\nfrom torch._mill import gears\n"})
    (item,) = ledger_of(index, delta(definition("Gear.turn"))).items
    told = [(item.symbol, item.lines), *((one.symbol, one.lines) for one in item.further)]
    assert len(set(told)) == len(told)


def test_copies_and_lines_cost_tokens(index_of: IndexOf) -> None:
    use = "from torch._mill import gears\n\ndef f():\n    gears.stop()\n"
    asked = delta(definition("stop"))
    plain = ledger_of(index_of({"mill_npu/one/use.py": use}), asked)
    copied = ledger_of(index_of({f"mill_npu/{name}/use.py": use for name in ("one", "two", "three")}), asked)
    assert [len(item.also_at) for item in copied.items] == [2] * len(plain.items)
    assert copied.totals.tokens >= plain.totals.tokens + len(plain.items) * len("mill_npu/two/use.py") // 2
    longer = ledger_of(index_of({"mill_npu/one/use.py": use + "    gears.stop()\n" * 40}), asked)
    assert longer.totals.tokens >= plain.totals.tokens + 40


def test_the_snippet_shows_the_lines_without_indentation_or_marks(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(TREE), delta(definition("stop")), limit=100)
    snippets = {(item.path, item.scope): item.snippet for item in ledger.items}
    assert snippets["mill_npu/windows.py", "f"] == "stop()"
    assert snippets["mill_npu/windows.py", "<module>"] == "from torch._mill.gears import stop"


def test_limits_cut_and_count(index_of: IndexOf) -> None:
    index = index_of(TREE)
    whole = ledger_of(index, BIG, limit=100)
    for limit in (0, 1, 3):
        cut = ledger_of(index, BIG, limit=limit)
        assert cut.items == whole.items[:limit]
        assert cut.totals.cut == whole.totals.found - limit
        check(cut, TREE)


CALLS = "".join(f"def run_{n}(x):\n    return gears.halt(x)\n" for n in range(6))
OWN = "from torch._mill.gears import Gear\n\nclass Own(Gear):\n    def wind(self):\n        return 1\n"
CROWD: Files = {"mill_npu/calls.py": f"from torch._mill import gears\n{CALLS}", "mill_npu/own.py": OWN}


@pytest.mark.parametrize(("limit", "budget"), [(4, 6000), (20, 200)], ids=["places", "tokens"])
def test_an_override_keeps_its_place_in_a_crowd_of_calls(index_of: IndexOf, limit: int, budget: int) -> None:
    index = index_of(CROWD)
    asked = delta(definition("halt", ChangeKind.REMOVED), definition("Gear.wind", ChangeKind.REFORMATTED))
    whole = build_ledger(asked, change(), index, by_affinity=False)
    assert [item.kind for item in whole.items[:6]] == [EvidenceKind.REFERENCE] * 6
    cut = build_ledger(asked, change(), index, by_affinity=False, limit=limit, token_budget=budget)
    check(cut, CROWD)
    *others, last = cut.items
    assert (last.kind, last.scope) == (EvidenceKind.OVERRIDE, "Own.wind")
    assert [item.scope for item in others] == [f"run_{n}" for n in range(len(others))]
    assert 1 < len(cut.items) < len(whole.items)
    assert cut.totals.found == whole.totals.found


def test_the_token_budget_is_kept(index_of: IndexOf) -> None:
    index = index_of(TREE)
    for budget in (0, 50, 120, 400, 10**6):
        cut = ledger_of(index, BIG, limit=100, token_budget=budget)
        assert cut.totals.tokens <= budget
        check(cut, TREE)
    assert ledger_of(index, BIG, limit=100, token_budget=10**6).totals.cut == 0


def test_misses_name_what_nobody_writes(index_of: IndexOf) -> None:
    asked = delta(
        definition("grind"), definition("Gear.polish"), definition("spin"), config("torch._mill.config.sharp")
    )
    ledger = ledger_of(index_of(TREE), asked)
    assert {miss.pattern for miss in ledger.misses} == {"grind", "polish", "sharp"}
    assert {count.pattern for count in ledger.counts} == set()
    check(ledger, TREE)


def test_a_name_only_in_text_is_counted_and_no_miss(index_of: IndexOf) -> None:
    files = {"a.py": "# grinding\nx = 'grinding'\n", "b.md": "创建grinding选项\n"}
    ledger = ledger_of(index_of(files), delta(definition("grinding")))
    assert [(one.pattern, one.lines, one.files) for one in ledger.counts] == [("grinding", 3, 2)]
    assert ledger.items == ()
    assert [miss.pattern for miss in ledger.misses] == ["gears.grinding"]
    check(ledger, files)


def test_both_names_of_a_rename_are_searched(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(TREE), delta(renamed("grind", "polish")))
    assert [(miss.symbol, miss.pattern) for miss in ledger.misses] == [
        ("torch._mill.gears.polish", "polish"),
        ("torch._mill.gears.grind", "grind"),
    ]


def test_a_constructor_is_searched_by_its_class(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(TREE), delta(definition("Grinder.__init__")))
    assert [(miss.symbol, miss.pattern) for miss in ledger.misses] == [("torch._mill.gears.Grinder", "Grinder")]


def test_an_operator_felt_under_another_spelling_is_no_miss(index_of: IndexOf) -> None:
    files = {"a.py": "lib.impl('aten::spin', f)\n"}
    ledger = ledger_of(index_of(files), delta(operator("aten.spin")))
    assert [item.kind for item in ledger.items] == [EvidenceKind.REGISTRATION]
    assert ledger.misses == ()


def test_an_operator_nobody_names_is_a_miss(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(TREE), delta(operator("aten.grind")))
    assert [miss.pattern for miss in ledger.misses] == ["aten.grind"]


def test_misses_and_counts_are_limited(index_of: IndexOf) -> None:
    names = [f"grinder_number_{n}" for n in range(40)]
    ledger = ledger_of(index_of(TREE), delta(*map(definition, names)))
    assert len(ledger.misses) == MAX_MISSES
    files = {"a.py": "\n".join(names) + "\n"}
    ledger = ledger_of(index_of(files), delta(*map(definition, names)))
    assert len(ledger.counts) == MAX_COUNTS
    check(ledger, files)


NOTHING_SPOKEN = {
    "a short name": (delta(definition("call")), change()),
    "names that all occur": (delta(definition("grinding")), change()),
    "a document": (Delta(), change("docs/grinding.md")),
    "a binary": (Delta(), change("docs/picture.png")),
    "only other paths": (Delta(), UpstreamChange(other_paths=("test/test_grinding.py",))),
    "a test file": (Delta(files=(file_delta("test/test_grinding.py"),)), change("test/test_grinding.py")),
}


@pytest.mark.parametrize(("asked", "upstream"), NOTHING_SPOKEN.values(), ids=NOTHING_SPOKEN.keys())
def test_a_change_without_a_hit_has_a_counted_zero(index_of: IndexOf, asked: Delta, upstream: UpstreamChange) -> None:
    files = {"a.py": "# call grinding gears.grinding torch._mill.gears gears.call\n", "b.py": "x = 'grinding'\n"}
    ledger = ledger_of(index_of(files), asked, upstream)
    assert ledger.items == ()
    check(ledger, files)


def test_a_change_that_touches_nothing_has_nothing_to_search(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of(TREE), Delta(), UpstreamChange())
    assert (ledger.items, ledger.misses, ledger.totals.files_searched) == ((), (), len(TREE))


def test_an_empty_tree(index_of: IndexOf) -> None:
    ledger = ledger_of(index_of({}), BIG)
    assert ledger.items == ()
    check(ledger, {})


COPIED = code("""
    def stop(gear, brake):
        for wheel in gear.wheels():
            brake.press(wheel.rim(), Force.of(gear))
        return gear.state().settle(brake)
    """)


def test_two_runs_are_equal_whatever_the_cache_held(tmp_path: Path) -> None:
    copies = {f"mill_npu/copy_{n}.py": COPIED.replace("def stop", f"def halt_{n}") for n in range(12)}
    tree, early = {**TREE, **copies}, sorted(copies)[:6]
    older = {path: text for path, text in tree.items() if "gears" not in path and path not in early}
    texts = {"torch._mill.gears.stop": ChangedText(COPIED, None)}
    memory_index(older, tmp_path / "one").close()
    first, second = memory_index(tree, tmp_path / "one"), memory_index(tree, tmp_path / "two")
    try:
        ledger = build_ledger(BIG, change(), first, texts=texts, limit=100)
        assert EvidenceKind.FORK in {kind for item in ledger.items for kind in item.kinds}
        assert ledger == build_ledger(BIG, change(), second, texts=texts, limit=100)
        assert ledger == build_ledger(BIG, change(), first, texts=texts, limit=100)
    finally:
        first.close()
        second.close()
