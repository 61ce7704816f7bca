"""Situations without a coupling by name whose change reaches NPU users all the same, and those that only look so."""

from __future__ import annotations

from retrieval.models import ChangeKind, DefinitionKind, Nature, UpstreamChange
from tests.reviewbot.rubric_cases import LOWERED, NOTHING, PARTIAL, PLAIN, WRONG, Case
from tests.support.values import (
    GEARS,
    change,
    config,
    definition,
    delta,
    hook,
    ledger,
    module_of,
    operator,
    reference,
    registration,
)

_TEST = "Test medium 否 是 open"
_READ_IT = "Check low 否 否 open"

CODEGEN = "torch/_inductor/gears.py"
TRACED = "torch/_dynamo/variables/gears.py"
CAPTURE = "torch/_functorch/gears.py"
SHAPES = "torch/fx/experimental/gears.py"
FIX = change(title="Fix the gear box")


def _inherited(what: str, rule: str, path: str, of: UpstreamChange) -> Case:
    return Case(
        what, f"test-inherited-{rule}", _TEST, delta(definition(path=path, module=module_of(GEARS))), NOTHING, of
    )


INHERITED_CASES = (
    _inherited("silently wrong", "silent", GEARS, WRONG),
    _inherited("silent by its body", "silent", TRACED, change(title="Fix gears", body="The index overflows.")),
    _inherited("hangs", "breakdown", GEARS, change(title="Gears hang under load")),
    _inherited("leaks", "breakdown", TRACED, change(title="Let go of gears", body="There was a memory leak.")),
    _inherited("on by default", "default", GEARS, change(title="Turn both ways by default")),
    Case("default of a flag", "test-inherited-default", _TEST, delta(config()), NOTHING),
    _inherited("symbolic sizes by path", "shapes", SHAPES, PLAIN),
    _inherited("guards by path", "shapes", "torch/_dynamo/gear_guards.py", PLAIN),
    _inherited("dynamic shapes by title", "shapes", TRACED, change(title="Do not specialize dynamic shapes")),
    _inherited("generated code", "code", CODEGEN, PLAIN),
    _inherited("default decomposition", "code", "torch/_decomp/gears.py", FIX),
    Case("generated code beside a hook", "test-inherited-code", _TEST, delta(definition(path=CODEGEN)), ledger(hook())),
    Case(
        "generated code, used unchanged elsewhere",
        "test-inherited-code",
        _TEST,
        delta(definition(path=CODEGEN), definition("stop", ChangeKind.REFORMATTED, nature=Nature.FORMAT)),
        ledger(reference("torch._mill.gears.stop")),
    ),
    Case(
        "additions of a partial diff that claims none",
        "test-inherited-code",
        _TEST,
        delta(definition(kind=ChangeKind.ADDED, path=CODEGEN)),
        NOTHING,
        PARTIAL,
    ),
    _inherited("repaired capture", "capture", CAPTURE, FIX),
    Case(
        "one lowering past which NPU goes, and one it takes",
        "test-inherited-code",
        _TEST,
        delta(
            definition(path=CODEGEN, operators=("aten.spin",)),
            operator(),
            operator("aten.brake", qualname="brake"),
        ),
        ledger(registration(registrar="make_fallback")),
    ),
    _inherited("new and about numbers", "silent", CODEGEN, change(title="Support rounding of gears")),
)

#: What looks inherited and harmful, and is not: the author's word or the path takes one part of it away.
SPARED_CASES = (
    Case(
        "another device by title",
        "check-elsewhere",
        _READ_IT,
        delta(definition(path=CODEGEN)),
        NOTHING,
        change(title="[ROCm] Fix silently wrong gears"),
    ),
    Case(
        "a kernel language of others by path",
        "check-elsewhere",
        _READ_IT,
        delta(definition(path="torch/_inductor/codegen/pallas_gears.py")),
        NOTHING,
    ),
    Case(
        "cheaper to compile",
        "check-cost",
        "Check low 否 是 open",
        delta(definition(path=CODEGEN)),
        NOTHING,
        change(title="Read the gear once to cut compile time"),
    ),
    *(
        Case(what, "check-uncoupled", "Check low 否 是 decided", delta(definition(path=path)), NOTHING, of)
        for what, path, of in (
            ("a new capability of generated code", CODEGEN, change(title="Support helical gears")),
            ("a mimicked Python type, repaired", TRACED, FIX),
            ("capture, not repaired", CAPTURE, change()),
            ("tools of the code generator", "torch/_inductor/gear_config.py", change()),
            ("graph breaks", TRACED, change(title="Tell more when gears cause graph breaks")),
        )
    ),
    Case(
        "most lines lie elsewhere",
        "check-uncoupled",
        "Check low 否 是 decided",
        delta(definition(path=CODEGEN), definition("big", path=TRACED, added=30)),
        NOTHING,
    ),
    Case(
        "a class that only gained a member",
        "check-harmless",
        _READ_IT,
        delta(
            definition("Gear", definition=DefinitionKind.CLASS, added=0, removed=0),
            definition("Gear.idle", ChangeKind.ADDED, definition=DefinitionKind.VARIABLE),
        ),
        ledger(reference("torch._mill.gears.Gear")),
    ),
    Case(
        "fallback past a lowering that went silently wrong",
        "check-fallback-bypasses",
        _READ_IT,
        delta(*LOWERED),
        ledger(registration(registrar="make_fallback")),
        WRONG,
    ),
)
