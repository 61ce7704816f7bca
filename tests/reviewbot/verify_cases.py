"""One invented change, its delta and ledger, and a way to ask one check about one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrieval.models import Delta, Ledger, Relation, SymbolCount, UpstreamChange
from reviewbot.models import CheckedDraft, Draft, Finding, Labels, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.verification.context import Context
from reviewbot.verification.names import ChangeNames, NameLookup, TreeNames
from reviewbot.verification.reading import Sentence
from reviewbot.verification.verify import verify
from tests.support import values

#: Names that exist in the trees only, so not in the change.
TREE_PATHS = {"torch/_mill/wheels.py", "mill_npu/other.py", "test/mill/test_wheels.py"}
TREE_WORDS = {"WheelRim", "wheel_rim"}

CHANGE = values.change(
    values.changed_file(values.GEARS, 3, 1),
    values.changed_file("test/mill/test_gears.py", 20, 0),
    title="Teach spin to be quiet",
    test_names=("test_quiet",),
)
DELTA = values.delta(
    values.resigned("spin"),
    values.definition("Gear.turn"),
    values.definition("Gear", definition="class"),
    values.operator("aten.spin"),
    values.config(),
    values.case("TestGears.test_spin"),
)
#: E1 registration, E2 override, E3 reference (two lines), E4 subclass, E5 patch, E6 fork, E7 import, E8 hook, E9 flag.
LEDGER = values.ledger(
    values.registration(scope="spin_lowering", lacks=("quiet",), signature_matches=False),
    values.override(path="mill_npu/wheel.py", lines=(30,), signature_matches=True, calls_original=False),
    values.reference(path="mill_npu/mill.py", scope="grind", lines=(5, 9)),
    values.subclass(path="mill_npu/wheel.py", lines=(21,)),
    values.patch(path="mill_npu/patches.py", scope="apply", lines=(7,), calls_original=True),
    values.fork(path="mill_npu/copied.py", scope="spin"),
    values.imported(path="mill_npu/mill.py", lines=(1,)),
    values.hook(path="mill_npu/hooks.py", scope="HookBox.attach", relation=Relation.SAME_MODULE),
    values.flag_use(path="mill_npu/setup.py"),
    values.missing("halt"),
    values.missing("Brake", files=77),
    counts=(SymbolCount(symbol="torch._mill.gears.spin", pattern="spin", lines=14, files=6),),
    cut=4,
)
LABELS = Labels(verdict=Verdict.SHIM, risk=Risk.HIGH, needs_adaptation=NeedsAdaptation.YES, npu_affected=YesNo.YES)
QUIET = Labels(verdict=Verdict.CHECK, risk=Risk.LOW, needs_adaptation=NeedsAdaptation.NO, npu_affected=YesNo.NO)

Check = Callable[[Sentence, Context], Iterable[Finding]]


def names(change: UpstreamChange = CHANGE, delta: Delta = DELTA, ledger: Ledger = LEDGER) -> NameLookup:
    known = ChangeNames(change, delta, ledger)
    return TreeNames(known, [TREE_PATHS.__contains__], [lambda word: (int(word in TREE_WORDS), 1)])


def context(**fields: Any) -> Context:
    """The invented case with some fields replaced: change, delta, ledger, labels."""
    given = {"change": CHANGE, "delta": DELTA, "ledger": LEDGER, "labels": LABELS, **fields}
    lookup = names(given["change"], given["delta"], given["ledger"])
    return Context(**given, names=lookup)


def ask(check: Check, text: str, **fields: Any) -> list[str]:
    """Kinds of the findings of one check about one sentence."""
    given = context(**fields)
    return [finding.kind.value for finding in check(given.read(text), given)]


def checked(analysis: str, summary: str = "上游为 spin 新增仅关键字参数 quiet=False。", **fields: Any) -> CheckedDraft:
    """The whole verifier over one draft."""
    given = context(**fields)
    draft = Draft(labels=given.labels, needs_work_score=0.5, summary=summary, analysis=analysis, writer="template")
    return verify(draft, given.change, given.delta, given.ledger, given.names)
