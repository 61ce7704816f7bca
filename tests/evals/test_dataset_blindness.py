"""No label of an evaluated record reaches its prompt: turning every label that must stay out changes no letter of it.

Labels that must stay out are those of the record itself, of its batch and of all later batches. What tells is the
prompt, not a search for words: a prompt names every value of every label, whatever the record's are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from evals.dataset.leaks import LeakCheck
from evals.dataset.precedents import LabelledPrecedents, labelled_precedents
from evals.real_data import RealData
from evals.records import LabelledRecord, batch_order, usable_records
from evals.workbench import change_of
from retrieval.models import Delta, UpstreamChange
from retrieval.source_tree import open_tree
from reviewbot.drafting.model.prompt import Message, assemble
from reviewbot.drafting.model.tokens import estimated_tokens
from reviewbot.precedents import PastRecord
from tests.evals.dataset_cases import CHANGES, RECORDS, relabelled
from tests.reviewbot.model_cases import dossier
from tests.support.values import delta

BUDGET = 20_000
Offer = Callable[[LabelledPrecedents, LabelledRecord, UpstreamChange, Delta], tuple[PastRecord, ...]]


def archived(
    precedents: LabelledPrecedents, one: LabelledRecord, change: UpstreamChange, touched: Delta
) -> tuple[PastRecord, ...]:
    """What the record's archive offers: the way a run goes."""
    return precedents.archive(one).similar(change, touched)


def leaked(
    precedents: LabelledPrecedents, one: LabelledRecord, change: UpstreamChange, touched: Delta
) -> tuple[PastRecord, ...]:
    """The record itself."""
    return tuple(past for past in precedents.past if past.id == one.id)


def prompt(
    precedents: LabelledPrecedents, one: LabelledRecord, change: UpstreamChange, touched: Delta, offer: Offer = archived
) -> tuple[Message, ...]:
    offered = offer(precedents, one, change, touched)
    return assemble(dossier(change=change, precedents=offered), estimated_tokens, BUDGET).messages


def assert_labels_stay_out(
    records: Sequence[LabelledRecord],
    changes: Mapping[str, UpstreamChange],
    deltas: Mapping[str, Delta],
    offer: Offer = archived,
) -> None:
    plain = LabelledPrecedents(records, changes, deltas)
    order = batch_order(records)
    for batch, position in order.items():
        turned = [relabelled(one) if order[one.batch] >= position else one for one in records]
        blind = LabelledPrecedents(turned, changes, deltas)
        for one, other in zip(records, turned, strict=True):
            if one.batch == batch and one.id in changes:
                assert one.labels != other.labels
                change, touched = changes[one.id], deltas[one.id]
                expected = prompt(plain, one, change, touched, offer)
                assert prompt(blind, other, change, touched, offer) == expected, one.id


def test_labels_stay_out_of_prompts() -> None:
    assert_labels_stay_out(RECORDS, CHANGES, dict.fromkeys(CHANGES, delta()))


def test_a_leaking_prompt_is_found_out() -> None:
    with pytest.raises(AssertionError, match="r1"):
        assert_labels_stay_out(RECORDS, CHANGES, dict.fromkeys(CHANGES, delta()), leaked)


def test_labels_that_may_be_seen_do_reach_the_prompt() -> None:
    """Else the tests above would hold of any prompt."""
    turned = [relabelled(one) if one.id == "r1" else one for one in RECORDS]
    deltas = dict.fromkeys(CHANGES, delta())
    told = {
        prompt(LabelledPrecedents(records, CHANGES, deltas), RECORDS[-1], CHANGES[RECORDS[-1].id], delta())
        for records in (RECORDS, turned)
    }
    assert len(told) == 2


@pytest.mark.full
def test_the_development_records_on_their_real_diffs(
    real_data: RealData, labelled_records: tuple[LabelledRecord, ...]
) -> None:
    usable = usable_records(labelled_records)
    changes = {one.id: change_of(one, real_data.diff(one)) for one in usable}
    assert {one.id: change_of(relabelled(one), real_data.diff(one)) for one in usable} == changes
    with open_tree(real_data.base) as base:
        precedents = labelled_precedents(labelled_records, changes, base)
    check = LeakCheck(labelled_records, changes)
    by_id = {one.id: one for one in labelled_records}
    seen = 0
    for one in usable:
        shown = archived(precedents, one, changes[one.id], precedents.deltas[one.id])
        assert check.leaks(one, shown) == ()
        assert not any(_share_a_hunk(one, by_id[past.id]) for past in shown)
        seen += bool(shown)
    assert seen > len(usable) / 2
    assert_labels_stay_out(labelled_records, changes, precedents.deltas)


def _share_a_hunk(one: LabelledRecord, other: LabelledRecord) -> bool:
    """By the ranges of the release diff, which the archive does not look at."""
    ranges = [[(file.path, hunk.old) for file in each.change.files for hunk in file.hunks] for each in (one, other)]
    return any(
        path == their_path and lines[0] <= max(theirs) and theirs[0] <= max(lines)
        for path, lines in ranges[0]
        for their_path, theirs in ranges[1]
    )
