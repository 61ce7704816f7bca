"""Hypothesis strategies for deltas and ledgers about the invented code of ``tests.support.values``.

Symbols are drawn from a small pool, so that items often meet what changed.
"""

from __future__ import annotations

from hypothesis import strategies as st

from retrieval.models import (
    ChangeKind,
    ConfigChange,
    DefinitionChange,
    DefinitionKind,
    Delta,
    EvidenceItem,
    EvidenceKind,
    Ledger,
    Miss,
    Nature,
    OperatorChange,
    OperatorRole,
    Relation,
    UpstreamChange,
)
from tests.support.values import (
    case,
    change,
    config,
    definition,
    delta,
    item,
    ledger,
    merged,
    missing,
    operator,
    parameter_added,
    parameter_removed,
)

_MODULE = "torch._mill.gears"
_QUALNAMES = ("spin", "spin.inner", "Gear", "Gear.turn", "Gear.stop", "TABLE")
_PATHS = ("torch/_mill/gears.py", "torch/_dynamo/gears.py", "torch/_inductor/gears.py", "aten/src/gears.cpp")
_SYMBOLS = (
    *(f"{_MODULE}.{name}" for name in _QUALNAMES),
    "torch._mill.wheels.spin",
    "torch._mill.gears.rotate",
    "torch._mill.config.turbo",
    "aten.spin",
)
_DOWNSTREAM_PATHS = ("mill_npu/gears.py", "mill_npu/deep/wheel_boxes/gear_patch.py", "test/test_gears.py")


@st.composite
def definitions(draw: st.DrawFn) -> DefinitionChange:
    kind = draw(st.sampled_from(ChangeKind))
    signature = st.sampled_from(((), (parameter_added(),), (parameter_added("speed", None, breaking=True),)))
    changes = draw(signature | st.just((parameter_removed(),))) if kind is ChangeKind.RESIGNED else ()
    old = kind is ChangeKind.RENAMED
    return definition(
        draw(st.sampled_from(_QUALNAMES)),
        kind,
        definition=draw(st.sampled_from(DefinitionKind)),
        nature=draw(st.sampled_from(Nature)),
        path=draw(st.sampled_from(_PATHS)),
        module=_MODULE,
        old_qualname="rotate" if old else None,
        old_module="torch._mill.wheels" if kind is ChangeKind.MOVED else None,
        signature_changes=changes,
        operators=draw(st.sampled_from(((), ("aten.spin",)))),
        added=draw(st.integers(0, 400)),
        removed=draw(st.integers(0, 400)),
    )


def operators() -> st.SearchStrategy[OperatorChange]:
    return st.builds(operator, st.just("aten.spin"), st.sampled_from(OperatorRole), st.sampled_from(ChangeKind))


def configs() -> st.SearchStrategy[ConfigChange]:
    kinds = st.sampled_from((ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.REWRITTEN))
    return st.builds(config, kind=kinds, new=st.sampled_from(("True", "False", None)))


def deltas() -> st.SearchStrategy[Delta]:
    """Any mixture of definitions, operators, flags and test cases; natures follow from them or are drawn."""
    parts = st.lists(definitions() | operators() | configs() | st.just(case()), max_size=6)
    natures = st.none() | st.lists(st.sampled_from(Nature), unique=True, max_size=3).map(tuple)
    return st.builds(
        lambda given, drawn: delta(*given) if drawn is None else delta(*given, natures=drawn), parts, natures
    )


@st.composite
def couplings(draw: st.DrawFn) -> EvidenceItem:
    """An item with one coupling."""
    return item(
        draw(st.sampled_from(EvidenceKind)),
        draw(st.sampled_from(_SYMBOLS)),
        relation=draw(st.sampled_from(Relation)),
        path=draw(st.sampled_from(_DOWNSTREAM_PATHS)),
        scope=draw(st.sampled_from(("<module>", "spin_npu", "NPUGear", "NPUGear.turn"))),
        lines=tuple(sorted(draw(st.sets(st.integers(1, 9000), min_size=1, max_size=6)))),
        lacks=draw(st.sampled_from(((), ("quiet",), ("speed",), ("torque",)))),
        signature_matches=draw(st.sampled_from((None, True, False))),
        calls_original=draw(st.sampled_from((None, True, False))),
        replacement=draw(st.sampled_from((None, "mill_npu.gears.spin_npu"))),
        registrar=draw(st.sampled_from((None, "register_lowering", "make_fallback", "impl", "add_layout_constraint"))),
        base=draw(st.sampled_from((None, f"{_MODULE}.Gear"))),
        access=draw(st.sampled_from((None, "read", "set"))),
        downstream_signature=draw(st.sampled_from((None, "(x)"))),
    )


@st.composite
def items(draw: st.DrawFn) -> EvidenceItem:
    """A place with one to four couplings."""
    strongest, *others = draw(st.lists(couplings(), min_size=1, max_size=4))
    return merged(strongest, *others)


def misses() -> st.SearchStrategy[Miss]:
    return st.builds(missing, st.sampled_from(("spin", "turn", "rotate", "an_extremely_long_symbol_name_of_gears")))


def ledgers() -> st.SearchStrategy[Ledger]:
    found = st.lists(items(), max_size=12)
    return st.builds(lambda some, none: ledger(*some, *none), found, st.lists(misses(), max_size=4))


def changes() -> st.SearchStrategy[UpstreamChange]:
    titles = (
        "[dynamo] Fix silently wrong gears",
        "Refactor gears",
        "Add turbo gear",
        "[ROCm] Gears hang",
        "Guard gears by default",
        "",
        "让齿轮反转",
    )
    return st.builds(
        lambda title, reverted, complete: change(*_PATHS, title=title, reverted=reverted, diff_complete=complete),
        st.sampled_from(titles),
        st.booleans(),
        st.booleans(),
    )
