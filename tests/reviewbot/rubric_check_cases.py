"""Situations of the rules that end in Check, and of stage, track and CANN; see ``rubric_cases`` for the others."""

from __future__ import annotations

from retrieval.models import ChangeKind, Delta, Ledger, Nature, OperatorRole, Relation, UpstreamChange
from tests.reviewbot.rubric_cases import LOWERED, NOTHING, PARTIAL, SHIM_CASES, TEST_CASES, TIDY, Case
from tests.reviewbot.rubric_inherited_cases import INHERITED_CASES, SPARED_CASES
from tests.support.values import (
    case,
    change,
    config,
    definition,
    delta,
    file_delta,
    hook,
    ledger,
    missing,
    operator,
    patch,
    reference,
    registration,
    renamed,
)

_PASSES_BY = "Check low 否 否 decided"
_READ_IT = "Check low 否 否 open"

CHECK_CASES = (
    Case(
        "refactored and referenced", "check-refactor-coupled", _READ_IT, delta(definition()), ledger(reference()), TIDY
    ),
    Case(
        "fallback past a rewritten lowering",
        "check-fallback-bypasses",
        _READ_IT,
        delta(*LOWERED),
        ledger(registration(registrar="make_fallback")),
    ),
    *(
        Case(
            f"{name} names an operator with a rewritten lowering",
            "check-fallback-bypasses",
            _READ_IT,
            delta(*LOWERED),
            ledger(registration(registrar=name, listed=True)),
        )
        for name in ("FALLBACK_LIST", "NPU_FALLBACK_LISTS", "fallbacks", "node_fallback_ops", "MODEL_FALLBACK_OP_LIST")
    ),
    Case(
        "annotations of a patched function",
        "check-coupled-harmless",
        _PASSES_BY,
        delta(definition(kind=ChangeKind.REFORMATTED, nature=Nature.TYPING)),
        ledger(patch()),
    ),
    Case("tests alone", "check-no-code", _PASSES_BY, delta(case()), ledger(hook())),
    Case(
        "documentation alone",
        "check-no-code",
        _PASSES_BY,
        delta(files=(file_delta("docs/gears.md", Nature.DOCS),)),
        NOTHING,
    ),
    Case(
        "comments and types",
        "check-cosmetic",
        _PASSES_BY,
        delta(definition(kind=ChangeKind.REFORMATTED, nature=Nature.COMMENT)),
        ledger(hook()),
    ),
    Case(
        "log messages with a test",
        "check-cosmetic",
        _PASSES_BY,
        delta(definition(nature=Nature.LOGGING), case()),
        NOTHING,
    ),
    Case(
        "code of another device",
        "check-other-device",
        _PASSES_BY,
        delta(definition(nature=Nature.DEVICE), devices=("cuda",)),
        NOTHING,
    ),
    Case("rename that nobody feels", "check-rename", _PASSES_BY, delta(renamed()), NOTHING),
    Case("new function", "check-opt-in", _PASSES_BY, delta(definition(kind=ChangeKind.ADDED)), NOTHING),
    Case(
        "new function beside hooks",
        "check-harmless",
        _READ_IT,
        delta(definition(kind=ChangeKind.ADDED)),
        ledger(hook()),
    ),
    Case("tests alone, diff partial", "check-harmless", _READ_IT, delta(case()), NOTHING, PARTIAL),
    Case(
        "new mechanism behind a flag that is off",
        "check-off-by-default",
        _READ_IT,
        delta(
            definition("Turbo", ChangeKind.ADDED, added=80),
            definition(added=2),
            config(kind=ChangeKind.ADDED, old=None, new="False"),
        ),
        NOTHING,
    ),
    Case("refactoring beside hooks", "check-refactor", _READ_IT, delta(definition()), ledger(hook()), TIDY),
    Case("behaviour beside hooks", "check-hooked", "Check low 否 是 open", delta(definition()), ledger(hook())),
    *(
        Case(
            f"backend kernel of an operator with a rewritten {role}",
            "check-hooked",
            "Check low 否 是 open",
            delta(definition(operators=("aten.spin",)), operator(role=role)),
            ledger(registration(registrar="supported")),
        )
        for role in (OperatorRole.LOWERING, OperatorRole.DECOMPOSITION)
    ),
    *(
        Case(f"behaviour beside {name}", "check-hooked", "Check low 否 是 open", delta(definition()), found)
        for name, found in (
            ("what runs the changed code", ledger(reference(relation=Relation.CONSUMER))),
            ("a hook and shared words", ledger(hook(relation=Relation.ABOUT), hook())),
        )
    ),
    *(
        Case(f"{what} beside {name}", rule, labels, given, found)
        for name, found in (
            ("shared words", ledger(hook(relation=Relation.ABOUT), missing())),
            ("a rare part of a name", ledger(reference(relation=Relation.AKIN), missing())),
        )
        for what, rule, labels, given in (
            ("behaviour", "check-uncoupled", "Check low 否 是 decided", delta(definition())),
            (
                "other devices",
                "check-other-device",
                _PASSES_BY,
                delta(definition(nature=Nature.DEVICE), devices=("cuda",)),
            ),
            ("a rename", "check-rename", _PASSES_BY, delta(renamed())),
            ("an addition", "check-opt-in", _PASSES_BY, delta(definition(kind=ChangeKind.ADDED))),
        )
    ),
    Case(
        "shared words, and more that is not shown",
        "check-unsettled",
        "Check low 否 是 open",
        delta(definition()),
        ledger(hook(relation=Relation.ABOUT), missing(), cut=3),
    ),
    Case("behaviour nobody names", "check-uncoupled", "Check low 否 是 decided", delta(definition()), NOTHING),
    Case("nothing could be read", "check-unsettled", "Check low 否 是 open", delta(), NOTHING),
    Case(
        "partial diff, nothing found",
        "check-uncoupled-partial",
        "Check low 否 是 open",
        delta(definition()),
        NOTHING,
        PARTIAL,
    ),
)

VERDICT_CASES = SHIM_CASES + TEST_CASES + INHERITED_CASES + CHECK_CASES + SPARED_CASES

#: (rule, delta, ledger, change, field of the prior or its labels, value)
SIDE_CASES: tuple[tuple[str, Delta, Ledger, UpstreamChange, str, str | None], ...] = (
    ("stage-dynamo", delta(definition(path="torch/_dynamo/gears.py")), NOTHING, change(), "compile_stage", "Dynamo"),
    (
        "stage-aotautograd",
        delta(definition(path="torch/_functorch/gears.py")),
        NOTHING,
        change(),
        "compile_stage",
        "AOTAutograd",
    ),
    (
        "stage-inductor",
        delta(definition(path="torch/_dynamo/gears.py"), definition("big", path="torch/_inductor/gears.py", added=30)),
        NOTHING,
        change("torch/_dynamo/gears.py", "torch/_inductor/gears.py"),
        "compile_stage",
        "Inductor",
    ),
    ("stage-none", delta(definition()), NOTHING, change(), "compile_stage", None),
    ("track-b", delta(definition(kind=ChangeKind.ADDED)), NOTHING, change(), "track", "B"),
    ("track-a", delta(definition()), NOTHING, change(), "track", "A"),
    (
        "cann-schema",
        delta(operator(role=OperatorRole.SCHEMA, kind=ChangeKind.RESIGNED)),
        ledger(registration(registrar="TORCH_LIBRARY_IMPL")),
        change(),
        "needs_cann",
        "是",
    ),
    (
        "cann-schema",
        delta(operator(role=OperatorRole.SCHEMA, kind=ChangeKind.RESIGNED)),
        ledger(registration(registrar="supported")),
        change(),
        "needs_cann",
        "是",
    ),
    (
        "cann-unclear",
        delta(operator(role=OperatorRole.SCHEMA, kind=ChangeKind.RESIGNED)),
        ledger(registration(registrar="supported", listed=True)),
        change(),
        "needs_cann",
        None,
    ),
    ("cann-unclear", delta(operator(role=OperatorRole.KERNEL)), NOTHING, change(), "needs_cann", None),
    ("cann-no", delta(definition()), NOTHING, change(), "needs_cann", "否"),
)
