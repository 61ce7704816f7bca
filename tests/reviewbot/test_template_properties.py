"""What every draft of the template writer keeps: cited, short enough, and proved sentence by sentence."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from retrieval.models import Delta, Ledger, UpstreamChange
from reviewbot.citations import cited_ids, render_citations
from reviewbot.drafting import write_draft
from reviewbot.models import Draft
from reviewbot.rubric import judge, load_rubric
from reviewbot.verification.names import ChangeNames
from reviewbot.verification.verify import verify
from tests.reviewbot.rubric_cases import Case
from tests.reviewbot.rubric_check_cases import VERDICT_CASES
from tests.support.strategies import changes, deltas, ledgers

_HOLES = re.compile(r"None|\{|\}|\0|，，|。。|：。|、、|，。")


def draft_of(change: UpstreamChange, delta: Delta, ledger: Ledger) -> Draft:
    return write_draft(change, delta, ledger, judge(change, delta, ledger, load_rubric()))


def objections(draft: Draft, change: UpstreamChange, delta: Delta, ledger: Ledger) -> list[str]:
    checked = verify(draft, change, delta, ledger, ChangeNames(change, delta, ledger))
    return [f"{one.kind}: {one.sentence} — {one.message}" for one in checked.findings]


@pytest.mark.parametrize("case", VERDICT_CASES, ids=str)
def test_the_verifier_proves_every_sentence(case: Case) -> None:
    draft = draft_of(case.change, case.delta, case.ledger)
    assert objections(draft, case.change, case.delta, case.ledger) == []


@settings(max_examples=80, deadline=None)
@given(changes(), deltas(), ledgers())
def test_any_draft_is_cited_bounded_and_whole(change: UpstreamChange, delta: Delta, ledger: Ledger) -> None:
    draft = draft_of(change, delta, ledger)
    cited = cited_ids(draft.analysis)
    if ledger.items:
        assert "E1" in cited
    elif ledger.misses:
        assert "Z1" in cited
    assert len(render_citations(draft.analysis, ledger)) < 900
    assert len(draft.summary) <= 120
    assert draft.summary.count("。") == 1
    assert not _HOLES.search(draft.analysis + draft.summary)
    if not change.diff_complete:
        assert not re.search(r"[+-]\d|共 \d+ 行|\d+ 个文件", draft.analysis + draft.summary)
    if change.reverted:
        assert "已被 Revert" in draft.summary
    assert draft == draft_of(change, delta, ledger)


@settings(max_examples=80, deadline=None)
@given(changes(), deltas(), ledgers())
def test_the_verifier_proves_any_draft(change: UpstreamChange, delta: Delta, ledger: Ledger) -> None:
    if not ledger.items and not ledger.misses:
        return  # nothing was searched: no writer can state a counted miss
    assert objections(draft_of(change, delta, ledger), change, delta, ledger) == []
