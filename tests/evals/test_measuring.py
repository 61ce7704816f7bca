"""Measuring one record on trees of a few lines: what is kept is what the product shows, cut as the product cuts."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.measuring import LONG, SHORT, Measured, measure_records
from evals.ranking import order, shipped_scoring
from evals.records import Citation, RecordEvidence
from evals.workbench import open_workbench
from retrieval.models import Language
from tests.evals.test_release_diff import record

UPSTREAM = "def spin(x):\n    return grease(x)\n"
DIFF = """\
--- a/torch/_mill/gears.py
+++ b/torch/_mill/gears.py
@@ -1,2 +1,2 @@
 def spin(x):
-    return grease(x)
+    return polish(x)
"""


def measure(folder: Path, uses: int, name: str = "use") -> Measured:
    """A change of ``spin``, which ``uses`` downstream functions call."""
    (folder / "base" / "torch" / "_mill").mkdir(parents=True)
    (folder / "base" / "torch" / "_mill" / "gears.py").write_text(UPSTREAM)
    users = "".join(f"\n\ndef {name}_{at}(x):\n    return spin(x)\n" for at in range(uses))
    (folder / "down" / "mill_npu").mkdir(parents=True)
    (folder / "down" / "mill_npu" / "users.py").write_text(f"from torch._mill.gears import spin\n{users}")
    (folder / "r001.diff").write_text(DIFF)
    cited = Citation(path="mill_npu/users.py", scope=f"{name}_0", lines=(4,), token="spin")
    evidence = RecordEvidence(snapshot=None, cited=1, verified=1, items=(cited,))
    one = record("torch/_mill/gears.py", ((2, 2), (2, 2))).model_copy(update={"evidence": evidence})
    with open_workbench(folder / "base", folder / "down", folder / "cache") as bench:
        (found,) = measure_records([one], folder, bench, folder / "down")
    return found


def test_both_ledgers_are_the_ranking_cut(tmp_path: Path) -> None:
    one = measure(tmp_path, uses=60)
    ranking = order(one.found, shipped_scoring())
    assert list(one.ranked.found) == ranking[:SHORT]
    assert list(one.deep.found) == ranking[:LONG]
    assert not one.cut_by_tokens
    assert one.ledger(SHORT) is one.ranked
    assert one.ledger(LONG) is one.deep


@pytest.mark.parametrize("uses", [3, 60])
def test_the_token_budget_holds_for_both_ledgers(tmp_path: Path, uses: int) -> None:
    """Names so long that fewer than twenty items fill the budget; three items do not."""
    one = measure(tmp_path, uses, name="use_" * 500)
    assert one.cut_by_tokens is (uses > SHORT)
    assert len(one.ranked.found) < SHORT
    assert one.deep.found == one.ranked.found
    assert one.tokens <= 6000


def test_names_and_languages_of_the_change_are_kept(tmp_path: Path) -> None:
    one = measure(tmp_path, uses=1)
    assert {"spin", "gears"} <= {name.word for name in one.names}
    assert {name.word: name.files for name in one.names}["spin"] == 1
    assert one.languages == {Language.PYTHON}
    assert one.batch == "b00"
