"""Situations that the rules are tested with, one or more for each rule of the table, all about invented code.

Here those that end in Shim or Test by a coupling; ``rubric_inherited_cases`` has those without one and their near
misses, ``rubric_check_cases`` the rest and the list of all.
"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.models import (
    ChangeKind,
    DefinitionKind,
    Delta,
    Ledger,
    Nature,
    OperatorRole,
    Relation,
    UpstreamChange,
)
from tests.support.values import (
    change,
    config,
    definition,
    delta,
    flag_use,
    fork,
    imported,
    ledger,
    missing,
    moved,
    operator,
    override,
    parameter_added,
    parameter_removed,
    patch,
    reference,
    registration,
    renamed,
    resigned,
    subclass,
)

PLAIN = change()


@dataclass(frozen=True)
class Case:
    """One situation and the labels its verdict rule must lead to, written as in a record."""

    name: str
    rule: str
    labels: str  # "verdict risk needs_adaptation npu_affected decision"
    delta: Delta
    ledger: Ledger
    change: UpstreamChange = PLAIN

    def __str__(self) -> str:
        return f"{self.rule}: {self.name}"


SPIN = "torch._mill.gears.spin"
TURN = "torch._mill.gears.Gear.turn"
WRONG = change(title="Fix silently wrong gear ratio")
TIDY = change(title="Refactor the gear box")
PARTIAL = change(diff_complete=False)
NOTHING = ledger(missing("spin"))
LOWERED = (definition(operators=("aten.spin",)), operator())
BREAKING = parameter_added("speed", None, breaking=True)

#: Names of lists that speak of fallbacks and send nothing there, or cannot be trusted to.
NOT_FOR_FALLBACKS = (
    "NO_FALLBACK_OPS",
    "ops_not_fallback_list",
    "del_fallback_list",
    "FALLBACK_EXCLUDE_LIST",
    "excluded_fallbacks",
    "BLACKLISTED_FALLBACKS",
    "skip_fallbacks",
    "removed_fallback_ops",
    "DISABLED_FALLBACK_LISTS",
    "allowed_fallbacks",
    "NOFALLBACKS",
    "fallback_lowerings",
)

_SHIM_HIGH = "Shim high 是 是 open"
_SHIM_MEDIUM = "Shim medium 是 是 open"
_UNSURE = "Test medium 待确认 是 open"
_TEST = "Test medium 否 是 open"
_TEST_LOW = "Test low 否 是 open"

SHIM_CASES = (
    Case(
        "fork stuck on the old signature",
        "shim-fork-signature",
        _SHIM_HIGH,
        delta(resigned()),
        ledger(fork(lacks=("quiet",), signature_matches=False)),
    ),
    Case(
        "lowering without the new parameter",
        "shim-registration-signature",
        _SHIM_HIGH,
        delta(resigned(operators=("aten.spin",)), operator(kind=ChangeKind.RESIGNED)),
        ledger(registration(lacks=("quiet",), signature_matches=False)),
    ),
    Case(
        "overload named by the registration",
        "shim-registration-signature",
        _SHIM_HIGH,
        delta(resigned(operators=("aten.spin.default",))),
        ledger(registration("aten.spin", lacks=("quiet",))),
    ),
    Case(
        "required parameter missing in the replacement",
        "shim-patch-signature-breaking",
        _SHIM_HIGH,
        delta(resigned("spin", BREAKING)),
        ledger(patch(lacks=("speed",), signature_matches=False)),
    ),
    Case(
        "replacement still demands a parameter that is gone",
        "shim-patch-signature-breaking",
        _SHIM_HIGH,
        delta(resigned("spin", parameter_removed())),
        ledger(patch(signature_matches=False)),
    ),
    Case(
        "optional parameter missing in the replacement",
        "shim-patch-signature",
        _SHIM_MEDIUM,
        delta(resigned()),
        ledger(patch(lacks=("quiet",), signature_matches=False)),
    ),
    Case(
        "required parameter missing in the override",
        "shim-override-signature-breaking",
        _SHIM_HIGH,
        delta(resigned("Gear.turn", BREAKING)),
        ledger(override(lacks=("speed",), signature_matches=False)),
    ),
    Case(
        "optional parameter missing in the override",
        "shim-override-signature",
        _SHIM_MEDIUM,
        delta(resigned("Gear.turn")),
        ledger(override(lacks=("quiet",), signature_matches=False)),
    ),
    Case(
        "import of a removed function",
        "shim-removed-symbol",
        _SHIM_HIGH,
        delta(definition(kind=ChangeKind.REMOVED)),
        ledger(imported()),
    ),
    Case(
        "derives from a removed class",
        "shim-removed-symbol",
        _SHIM_HIGH,
        delta(definition("Gear", ChangeKind.REMOVED, definition=DefinitionKind.CLASS)),
        ledger(subclass()),
    ),
    Case(
        "call under the old name",
        "shim-renamed-symbol",
        _SHIM_HIGH,
        delta(renamed("spin", "rotate")),
        ledger(reference(SPIN)),
    ),
    Case(
        "import from the old module",
        "shim-moved-symbol",
        _SHIM_HIGH,
        delta(moved("spin", "torch._mill.wheels")),
        ledger(imported("torch._mill.wheels.spin")),
    ),
    Case(
        "flag that no longer exists is set",
        "shim-flag-removed",
        _SHIM_HIGH,
        delta(config(kind=ChangeKind.REMOVED, new=None)),
        ledger(flag_use(access="set")),
    ),
    Case(
        "patched function removed",
        "shim-patch-target-gone",
        _SHIM_MEDIUM,
        delta(definition(kind=ChangeKind.REMOVED)),
        ledger(patch()),
    ),
    Case(
        "overridden method removed",
        "shim-override-target-gone",
        "Shim medium 待确认 是 open",
        delta(definition("Gear.turn", ChangeKind.REMOVED)),
        ledger(override()),
    ),
)

TEST_CASES = (
    Case("fork of a rewritten function", "test-fork-stale", _UNSURE, delta(definition()), ledger(fork())),
    Case(
        "own lowering of a rewritten one", "test-registration-shadows", _UNSURE, delta(*LOWERED), ledger(registration())
    ),
    Case(
        "own decomposition, re-signed upstream, accepted",
        "test-registration-shadows",
        _UNSURE,
        delta(
            resigned(operators=("aten.spin",)),
            operator(role=OperatorRole.DECOMPOSITION, kind=ChangeKind.RESIGNED),
        ),
        ledger(registration(registrar="register_decomposition", signature_matches=True)),
    ),
    Case(
        "backend kernel of an operator whose kernel upstream rewrote",
        "test-registration-shadows",
        _UNSURE,
        delta(operator(role=OperatorRole.KERNEL)),
        ledger(registration(registrar="supported")),
    ),
    Case("replaced function rewritten", "test-patch-shadows", _UNSURE, delta(definition()), ledger(patch())),
    Case(
        "replacement in another file",
        "test-patch-shadows",
        _UNSURE,
        delta(definition()),
        ledger(patch(calls_original=None)),
    ),
    Case(
        "a closure inside the replaced function",
        "test-patch-shadows",
        _UNSURE,
        delta(definition("spin.inner")),
        ledger(patch(SPIN)),
    ),
    Case(
        "caller of a function that lost a parameter",
        "test-call-signature",
        _UNSURE,
        delta(resigned("spin", parameter_removed())),
        ledger(reference()),
    ),
    Case(
        "new base member of the same name",
        "test-override-new-member",
        _UNSURE,
        delta(definition("Gear.turn", ChangeKind.ADDED)),
        ledger(override()),
    ),
    Case(
        "new decomposition of an operator with an own lowering",
        "test-registration-intercepted",
        _TEST,
        delta(operator(role=OperatorRole.DECOMPOSITION, kind=ChangeKind.ADDED)),
        ledger(registration()),
    ),
    Case(
        "wrapper around a rewritten function",
        "test-patch-wraps",
        _TEST,
        delta(definition()),
        ledger(patch(calls_original=True)),
    ),
    Case("override of a rewritten method", "test-override", _TEST, delta(definition("Gear.turn")), ledger(override())),
    Case(
        "override of a device class",
        "test-override",
        _TEST,
        delta(definition("Gear.turn", nature=Nature.DEVICE), devices=("cuda",)),
        ledger(override()),
    ),
    Case(
        "subclass of a class whose bases changed",
        "test-subclass",
        _TEST,
        delta(definition("Gear", definition=DefinitionKind.CLASS)),
        ledger(subclass()),
    ),
    Case(
        "subclass of a class whose variable was rewritten",
        "test-subclass",
        _TEST,
        delta(
            definition("Gear", definition=DefinitionKind.CLASS, added=0, removed=0),
            definition("Gear.size", definition=DefinitionKind.VARIABLE),
        ),
        ledger(subclass()),
    ),
    Case("default of a flag that is read", "test-flag-read", _TEST, delta(config()), ledger(flag_use(access="read"))),
    Case("call of a rewritten function", "test-uses-changed", _TEST, delta(definition()), ledger(reference())),
    Case(
        "entry put into a rewritten table",
        "test-uses-changed",
        _TEST,
        delta(definition("TABLE", definition=DefinitionKind.VARIABLE)),
        ledger(patch("torch._mill.gears.TABLE", replacement=None, calls_original=None)),
    ),
    Case("default of a flag that is set", "test-flag-set", _TEST_LOW, delta(config()), ledger(flag_use(access="set"))),
    Case(
        "kernel of an operator with a rewritten lowering",
        "test-operator-elsewhere",
        _TEST_LOW,
        delta(*LOWERED),
        ledger(registration(registrar="impl")),
    ),
    *(
        Case(
            f"{name} names an operator with a rewritten {role}",
            "test-operator-elsewhere",
            _TEST_LOW,
            delta(definition(operators=("aten.spin",)), operator(role=role)),
            ledger(registration(registrar=name, listed=True)),
        )
        for name, role in (
            ("META_BLACKLIST", OperatorRole.META),
            ("meta_impls", OperatorRole.META),
            ("decomps_to_exclude_npu", OperatorRole.DECOMPOSITION),
            ("DECOMPOSITIONS", OperatorRole.DECOMPOSITION),
            ("LOWERINGS", OperatorRole.LOWERING),
            ("FALLBACK_LIST", OperatorRole.DECOMPOSITION),
            *((one, OperatorRole.LOWERING) for one in NOT_FOR_FALLBACKS),
        )
    ),
    Case(
        "backend kernel of an operator with a rewritten schema",
        "test-operator-elsewhere",
        _TEST_LOW,
        delta(operator(role=OperatorRole.SCHEMA, kind=ChangeKind.RESIGNED)),
        ledger(registration(registrar="supported")),
    ),
    Case(
        "layout constraint of an operator with a rewritten lowering",
        "test-operator-elsewhere",
        _TEST_LOW,
        delta(*LOWERED),
        ledger(registration(registrar="add_layout_constraint")),
    ),
    Case(
        "subclass that inherits a rewritten method",
        "test-inherits-member",
        _TEST_LOW,
        delta(definition("Gear.turn")),
        ledger(subclass(TURN, base="torch._mill.gears.Gear", relation=Relation.ENCLOSING)),
    ),
    Case(
        "only a test calls it",
        "test-own-tests",
        _TEST_LOW,
        delta(definition()),
        ledger(reference(path="test/test_gears.py", scope="TestGears.test_spin")),
    ),
    Case(
        "call of a function that gained a path of its own",
        "test-addition-used",
        _TEST_LOW,
        delta(definition("helix", ChangeKind.ADDED, added=40), definition()),
        ledger(reference()),
        change(title="Support helical gears"),
    ),
)
