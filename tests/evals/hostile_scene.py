"""An invented change with a ledger that its tree of a few lines bears out, for tests of hostile drafts."""

from __future__ import annotations

from pathlib import Path
from random import Random

from evals.audit import TreeText
from evals.hostile.driving import pool_of, scene_of
from evals.hostile.lies import Liar
from evals.hostile.trial import Bench
from evals.hostile.truth import Facts
from retrieval.models import ChangeKind, CopyState, Relation
from reviewbot.models import Analysis
from reviewbot.verification.names import ChangeNames, TreeNames
from tests.reviewbot.analyses import example
from tests.support import values

TREE = {
    "mill_npu/wheel.py": "from torch._mill.gears import Gear\n\nclass NPUGear(Gear):\n    size = 1\n",
    "mill_npu/mill.py": "from torch._mill import gears\n\ndef grind(x):\n    return gears.spin(x)\n",
    "mill_npu/patches.py": "from torch._mill import gears\n\ndef apply():\n    gears.halt_all = stop_npu\n",
    "mill_npu/copied.py": "def spool(x):\n    return x\n",
    "mill_npu/lists.py": "FALLBACK_OPS = [\n    aten.wind,\n]\n",
    "mill_npu/hooks.py": "def attach():\n    rims.mount()\n",
    "mill_npu/other.py": "def unrelated():\n    return 1\n",
    "mill_npu/test_other.py": "def test_unrelated():\n    pass\n",
}
LEDGER = values.ledger(
    values.subclass(path="mill_npu/wheel.py", lines=(3,), token="Gear"),
    values.reference(path="mill_npu/mill.py", scope="grind", lines=(4,)),
    values.patch("torch._mill.gears.halt_all", path="mill_npu/patches.py", scope="apply", lines=(4,), replacement=None),
    values.fork(
        "torch._mill.gears.spool",
        path="mill_npu/copied.py",
        scope="spool",
        lines=(1,),
        copy_state=CopyState.CARRIES_OLD_CODE,
    ),
    values.registration(
        "aten.wind", path="mill_npu/lists.py", scope="<module>", lines=(2,), registrar="FALLBACK_OPS", listed=True
    ),
    values.hook(
        "torch._mill.rims.mount", path="mill_npu/hooks.py", scope="attach", lines=(2,), relation=Relation.SAME_PACKAGE
    ),
    values.missing("quench"),
)
DELTA = values.delta(
    values.definition("spin"),
    values.definition("Gear", definition="class"),
    values.definition("temper", kind=ChangeKind.ADDED),
)


def analysis() -> Analysis:
    return example().model_copy(update={"delta": DELTA, "ledger": LEDGER})


def facts(upstream: Path) -> Facts:
    (upstream / "torch/_mill").mkdir(parents=True, exist_ok=True)
    (upstream / "torch/_mill/wheels.py").write_text("def roll():\n    pass\n")
    return Facts(TreeText({path: text.encode() for path, text in TREE.items()}), upstream)


def liar(upstream: Path, seed: int = 0) -> Liar:
    known = facts(upstream)
    return Liar(scene_of(analysis(), pool_of(known, [analysis()])), known, Random(seed))


def bench(upstream: Path) -> Bench:
    one = analysis()
    known = ChangeNames(one.change, one.delta, one.ledger)
    count = facts(upstream).downstream.count
    return Bench("r001", one, TreeNames(known, [TREE.__contains__], [count]))
