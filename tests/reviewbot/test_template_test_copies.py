"""What the template says of downstream copies of upstream tests, and that the verifier believes it."""

from __future__ import annotations

import pytest

from retrieval.models import ChangeKind, CopyState, DefinitionKind, EvidenceItem, EvidenceKind, Nature, Relation
from reviewbot.drafting import write_draft
from reviewbot.rubric import judge, load_rubric
from reviewbot.verification.names import ChangeNames
from reviewbot.verification.verify import verify
from tests.support.values import case, change, changed_file, definition, delta, item, ledger

PATH = "test/mill/test_gears.py"
SCOPE = "TestGears.test_spin"
CHANGE = change("torch/_mill/gears.py", changed_file(PATH))
DELTA = delta(
    definition("spin"),
    definition(SCOPE, ChangeKind.REWRITTEN, definition=DefinitionKind.METHOD, path=PATH, nature=Nature.TEST),
    case(SCOPE, PATH),
)


def copy(relation: Relation, scope: str = SCOPE, symbol: str = SCOPE, **fields: object) -> EvidenceItem:
    symbol = f"test.mill.test_gears.{symbol}" if symbol else "test.mill.test_gears"
    path = "test/_mill/test_gears.py"
    return item(EvidenceKind.TEST_COPY, symbol, relation=relation, path=path, scope=scope, **fields)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (copy(Relation.SAME_SYMBOL), "[E1] 是 TestGears.test_spin 的测试副本"),
        (
            copy(Relation.SAME_SYMBOL, copy_state=CopyState.CARRIES_OLD_CODE, similarity=0.9),
            "[E1] 是 TestGears.test_spin 的测试副本，仍含旧代码",
        ),
        (
            copy(Relation.ENCLOSING, "TestGears"),
            "[E1] 与 TestGears.test_spin 所在的测试类同名，文件路径相对应",
        ),
        (
            copy(Relation.SAME_MODULE, "<module>", ""),
            "[E1] 是与 test_gears 路径相对应的测试文件",
        ),
    ],
)
def test_each_way_to_correspond_is_said_and_believed(found: EvidenceItem, sentence: str) -> None:
    held = ledger(found)
    draft = write_draft(CHANGE, DELTA, held, judge(CHANGE, DELTA, held, load_rubric()))
    assert sentence in draft.analysis.rstrip("。").split("。")
    checked = verify(draft, CHANGE, DELTA, held, ChangeNames(CHANGE, DELTA, held))
    assert sentence in checked.analysis
    assert checked.findings == ()
