"""A denial beside a place that is only near: which relations bear it, and which contradict it."""

from __future__ import annotations

import pytest

from retrieval.models import EvidenceItem, Relation
from reviewbot.verification.checks.relations import relation_claims
from tests.reviewbot.verify_cases import ask
from tests.support.values import hook, imported, ledger, patch, reference, registration

DENIED = "[E1] 位于被改代码附近，未命中被改符号。"
NEARBY = {
    "sibling": registration("aten.spin_as", relation=Relation.SIBLING),
    "consumer": reference("torch._mill.wheels.roll", relation=Relation.CONSUMER),
    "consumer imported": imported("torch._mill.wheels.roll", relation=Relation.CONSUMER),
    "consumer patched": patch("torch._mill.wheels.roll", relation=Relation.CONSUMER),
    "heir": reference("torch._mill.gears.Gear", relation=Relation.HEIR),
    "akin": reference("torch._mill.gears.spin_rate", relation=Relation.AKIN),
    "about": hook("torch._mill.gears", relation=Relation.ABOUT, token="spin"),
}
IN_CONTACT = {
    "the changed symbol": reference(),
    "a replacement": hook("torch._mill.gears.spin", relation=Relation.REPLACEMENT),
    "a patch of the changed symbol": patch(),
}


@pytest.mark.parametrize("item", NEARBY.values(), ids=NEARBY.keys())
def test_a_place_that_is_only_near_bears_a_denial(item: EvidenceItem) -> None:
    assert ask(relation_claims, DENIED, ledger=ledger(item)) == []


@pytest.mark.parametrize("item", IN_CONTACT.values(), ids=IN_CONTACT.keys())
def test_a_place_in_contact_contradicts_a_denial(item: EvidenceItem) -> None:
    assert ask(relation_claims, DENIED, ledger=ledger(item)) == ["wrong_polarity"]
