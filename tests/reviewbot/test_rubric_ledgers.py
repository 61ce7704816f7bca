"""Rules over ledgers as the index builds them: affinity must not hide that nothing is coupled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.evidence import build_ledger
from retrieval.index import Index
from retrieval.models import ChangeKind, Delta, EvidenceKind, Ledger, Nature, OperatorRole, Relation
from reviewbot.drafting import write_draft
from reviewbot.models import Decision, Prior
from reviewbot.rubric import judge, load_rubric
from tests.support.tree import Files, IndexOf, code, memory_index
from tests.support.values import change, definition, delta, operator, renamed

FILLING: Files = {f"mill_npu/filler{n}.py": f"def filler{n}():\n    return rattle{n}\n" for n in range(40)}
ABOUT = "def npu_oil(x):\n    return prepare(x.wheel_oil)\n"
TITLE = change(title="Grind the wheel with oil")
NAME = "grind_wheel"
CHANGES = {
    "check-other-device": delta(definition(NAME, nature=Nature.DEVICE), devices=("cuda",)),
    "check-rename": delta(renamed("grind_wheel", "grind_wheels", nature=Nature.RENAME)),
    "check-opt-in": delta(definition(NAME, ChangeKind.ADDED)),
    "check-uncoupled": delta(definition(NAME)),
}


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """A tree that only shares words with the change."""
    index = memory_index({**FILLING, "mill_npu/oil.py": ABOUT}, Path(tmp_path_factory.mktemp("cache")))
    yield index
    index.close()


@pytest.fixture
def index_of(tmp_path: Path) -> Iterator[IndexOf]:
    built: list[Index] = []

    def build(files: Files) -> Index:
        built.append(memory_index(files, tmp_path / str(len(built))))
        return built[-1]

    yield build
    for index in built:
        index.close()


def prior_of(given: Delta, ledger: Ledger) -> Prior:
    return judge(TITLE, given, ledger, load_rubric())


@pytest.mark.parametrize(("rule", "given"), CHANGES.items(), ids=CHANGES.keys())
def test_a_place_that_only_shares_words_leaves_the_verdict_decided(apart: Index, rule: str, given: Delta) -> None:
    ledger = build_ledger(given, TITLE, apart)
    assert [(item.kind, item.relation) for item in ledger.items] == [(EvidenceKind.HOOK, Relation.ABOUT)]
    assert ledger.misses
    prior = prior_of(given, ledger)
    assert (prior.rule_ids[0], prior.decision) == (rule, Decision.DECIDED)
    bare = prior_of(given, build_ledger(given, TITLE, apart, by_affinity=False))
    assert (bare.rule_ids[0], bare.labels, bare.decision) == (rule, prior.labels, prior.decision)
    draft = write_draft(TITLE, given, ledger, prior)
    assert "[E1]" in draft.analysis
    assert f"[{ledger.misses[0].id}]" in draft.analysis


@pytest.mark.parametrize("given", CHANGES.values(), ids=CHANGES.keys())
def test_a_hook_beside_it_leaves_the_verdict_open(index_of: IndexOf, given: Delta) -> None:
    files = {**FILLING, "mill_npu/oil.py": ABOUT, "mill_npu/use.py": "from torch._mill.gears import other\n"}
    ledger = build_ledger(given, TITLE, index_of(files))
    assert {item.relation for item in ledger.items} == {Relation.ABOUT, Relation.SAME_MODULE}
    assert prior_of(given, ledger).decision is Decision.OPEN


def test_a_change_whose_every_word_occurs_by_chance_still_counts_a_miss(index_of: IndexOf) -> None:
    files = {**FILLING, "mill_npu/oil.py": ABOUT, "notes.txt": NAME}
    ledger = build_ledger(CHANGES["check-uncoupled"], TITLE, index_of(files))
    assert [item.relation for item in ledger.items] == [Relation.ABOUT]
    assert [miss.pattern for miss in ledger.misses] == [f"gears.{NAME}"]
    assert prior_of(CHANGES["check-uncoupled"], ledger).rule_ids[0] == "check-uncoupled"


OPERATORS = code("""
    import torch
    aten = torch.ops.aten
    META_BLACKLIST = [aten.spin]
    FALLBACK_LIST = [aten.turn]
    """)
SECTIONS = "backend: MILL\ncpp_namespace: mill_npu::native\nsupported:\n  - grind\n"


@pytest.mark.parametrize(
    ("name", "role", "kind", "rule"),
    [
        ("aten.spin", OperatorRole.META, ChangeKind.REWRITTEN, "test-operator-elsewhere"),
        ("aten.turn", OperatorRole.LOWERING, ChangeKind.REWRITTEN, "check-fallback-bypasses"),
        ("aten.grind", OperatorRole.LOWERING, ChangeKind.REWRITTEN, "check-hooked"),
        ("aten.grind", OperatorRole.SCHEMA, ChangeKind.RESIGNED, "cann-schema"),
    ],
)
def test_what_lists_an_operator_does_what_it_is_named_for_and_no_more(
    index_of: IndexOf, name: str, role: OperatorRole, kind: ChangeKind, rule: str
) -> None:
    given = delta(operator(name, role=role, kind=kind))
    ledger = build_ledger(given, change(), index_of({"mill_npu/ops.py": OPERATORS, "functions.yaml": SECTIONS}))
    assert ledger.items[0].kind is EvidenceKind.REGISTRATION
    prior = prior_of(given, ledger)
    assert rule in prior.rule_ids
    said = write_draft(change(), given, ledger, prior).analysis
    assert ("列于" in said, "注册" in said) == ((False, True) if name == "aten.grind" else (True, False))
