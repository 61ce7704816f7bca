"""The needs-work score: on the side of 0.5 that the labels say, and in the order that the evidence says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from retrieval.models import ChangeKind, Delta, EvidenceItem, Ledger, Relation, UpstreamChange
from reviewbot.models import Labels, needs_work
from reviewbot.rubric import judge, load_rubric
from reviewbot.rubric.needs_work_score import ScoreWeights, coupled_share, needs_work_score
from reviewbot.rubric.situation import Situation
from tests.reviewbot.rubric_cases import NOTHING, PLAIN
from tests.reviewbot.rubric_inherited_cases import CODEGEN, TRACED
from tests.support.strategies import changes, deltas, items, ledgers
from tests.support.values import change, definition, delta, fork, hook, imported, ledger, reference

RUBRIC = load_rubric()


def score(given_: Delta, found: Ledger, of: UpstreamChange = PLAIN) -> float:
    return judge(of, given_, found, RUBRIC).needs_work_score


@settings(max_examples=200, deadline=None)
@given(changes(), deltas(), ledgers())
def test_the_threshold_one_half_is_the_labels(of: UpstreamChange, given_: Delta, found: Ledger) -> None:
    prior = judge(of, given_, found, RUBRIC)
    assert 0 <= prior.needs_work_score <= 1
    assert (prior.needs_work_score >= 0.5) == needs_work(prior.labels)


@settings(max_examples=150, deadline=None)
@given(changes(), deltas(), ledgers(), items())
def test_under_the_same_labels_one_place_more_never_lowers_it(
    of: UpstreamChange, given_: Delta, found: Ledger, more: EvidenceItem
) -> None:
    grown = ledger(*found.items, more, *found.misses)
    labels = judge(of, given_, found, RUBRIC).labels
    weights = RUBRIC.score.model_copy(update={"conditions": {}})
    before, after = (needs_work_score(Situation(of, given_, one), labels, weights) for one in (found, grown))
    assert after >= before


@pytest.mark.parametrize(
    ("less", "more"),
    [
        # no work either way
        ((delta(definition(path=TRACED)), NOTHING), (delta(definition(path=TRACED)), ledger(hook()))),
        ((delta(definition()), ledger(hook(relation=Relation.SAME_PACKAGE))), (delta(definition()), ledger(hook()))),
        ((delta(definition(kind=ChangeKind.ADDED)), NOTHING), (delta(definition()), NOTHING)),
        # work either way
        ((delta(definition(path=CODEGEN)), NOTHING), (delta(definition(path=CODEGEN)), ledger(hook()))),
        (
            (delta(definition()), ledger(reference())),
            (delta(definition()), ledger(reference(), imported(path="mill_npu/a.py"))),
        ),
        ((delta(definition()), ledger(reference())), (delta(definition()), ledger(fork()))),
        (
            (delta(definition(), definition("far", added=90)), ledger(reference())),
            (delta(definition(), definition("far", added=9)), ledger(reference())),
        ),
    ],
)
def test_graded_evidence_orders_within_one_side(less: tuple[Delta, Ledger], more: tuple[Delta, Ledger]) -> None:
    assert (score(*less) >= 0.5) == (score(*more) >= 0.5)
    assert score(*less) < score(*more)


def test_words_of_harm_raise_and_claims_of_harmlessness_lower() -> None:
    given_, found = delta(definition()), ledger(reference())
    plain = score(given_, found)
    assert score(given_, found, change(title="Fix silently wrong gears")) > plain
    assert score(given_, found, change(title="Support helical gears")) < plain


def test_the_coupled_share_counts_lines_once() -> None:
    both = ledger(reference(), imported(path="mill_npu/a.py"))
    assert coupled_share(Situation(PLAIN, delta(definition(added=6, removed=0)), both)) == 1.0
    halved = delta(definition(added=6, removed=0), definition("far", added=4, removed=2))
    assert coupled_share(Situation(PLAIN, halved, both)) == 0.5
    assert coupled_share(Situation(PLAIN, delta(), both)) == 0.0


def test_no_sum_of_weights_carries_a_score_across_one_half() -> None:
    steep = ScoreWeights(start=50, verdict={}, risk={}, needs_adaptation={}, direct=0, share=0, near=0, conditions={})
    quiet = judge(PLAIN, delta(), NOTHING, RUBRIC).labels
    assert needs_work_score(Situation(PLAIN, delta(), NOTHING), quiet, steep) < 0.5
    worked = Labels.model_validate({**quiet.model_dump(), "verdict": "Test", "risk": "medium"})
    low = steep.model_copy(update={"start": -50})
    assert needs_work_score(Situation(PLAIN, delta(), NOTHING), worked, low) >= 0.5
