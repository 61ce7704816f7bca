"""One comment, whatever gets lost."""

from __future__ import annotations

import pytest

from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import CheckState
from reviewbot.publishing import LeaseHeldError, publish
from reviewbot.publishing.marker import marker
from reviewbot.publishing.signals import check, label_pull
from reviewbot.service.models import ReviewState
from reviewbot.settings_service import ReviewSettings
from tests.reviewbot.publishing.cases import CHECK, NOW, SHIM, THREAD, pull, review, subject
from tests.reviewbot.publishing.memory_forge import MemoryComments, MemoryForge

BODY = f"{marker(THREAD)}\n\nfirst\n"
OTHER = f"{marker(THREAD)}\n\nsecond\n"


def posted(forge: MemoryForge, body: str = BODY, store: MemoryComments | None = None) -> int:
    return publish(forge, store or MemoryComments(), review(), body, "w1", NOW).comment_id


def test_created_once_then_edited_in_place_and_only_when_it_differs() -> None:
    forge, store = MemoryForge(("ann", BODY)), MemoryComments()
    first = posted(forge, store=store)
    assert posted(forge, BODY.replace("\n", "\r\n").rstrip(), store) == first
    assert posted(forge, OTHER, store) == first
    assert forge.calls == ["create", f"edit {first}"]
    assert [one.body for one in forge.written] == [BODY, OTHER]
    assert len({one.digest for one in store.recorded}) == 2
    assert store.owner == ""


@pytest.mark.parametrize("effective", [True, False])
def test_a_lost_answer_to_a_create_posts_nothing_twice(effective: bool) -> None:
    forge = MemoryForge()
    forge.faults, forge.effective = [ForgeFault.UNAVAILABLE], effective
    if effective:
        posted(forge)
    else:
        with pytest.raises(ForgeError):
            posted(forge)
        posted(forge)
    assert len(forge.written) == 1


@pytest.mark.parametrize("effective", [True, False])
def test_a_lost_answer_to_an_edit(effective: bool) -> None:
    forge = MemoryForge(("reviewbot", BODY))
    forge.faults, forge.effective = [ForgeFault.UNAVAILABLE], effective
    if effective:
        assert posted(forge, OTHER) == 1
    else:
        with pytest.raises(ForgeError):
            posted(forge, OTHER)
        assert posted(forge, OTHER) == 1
    assert [one.body for one in forge.written] == [OTHER]


def test_of_several_the_oldest_stays_also_when_one_is_gone_already() -> None:
    forge = MemoryForge(("Reviewbot", BODY), ("ann", BODY), ("reviewbot", BODY), ("reviewbot", OTHER))
    forge.faults = [ForgeFault.NOT_FOUND]
    assert posted(forge, OTHER) == 1
    assert forge.calls == ["delete 3", "delete 4", "edit 1"]


def test_a_refused_body_is_shortened_once() -> None:
    forge = MemoryForge()
    forge.faults = [ForgeFault.REFUSED]
    posted(forge, f"{BODY}\n<details><summary>s</summary>\n\ncode\n\n</details>\n")
    assert "code" not in forge.written[0].body
    assert "first" in forge.written[0].body
    forge.faults = [ForgeFault.REFUSED, ForgeFault.REFUSED]
    with pytest.raises(ForgeError):
        posted(forge, OTHER)
    assert len(forge.calls) == 4


def test_nobody_posts_under_somebody_elses_lease() -> None:
    forge, store = MemoryForge(), MemoryComments()
    store.owner = "w2"
    with pytest.raises(LeaseHeldError):
        posted(forge, store=store)
    assert forge.calls == []
    assert store.owner == "w2"


def test_a_failed_post_records_nothing_and_gives_the_lease_back() -> None:
    forge, store = MemoryForge(), MemoryComments()
    forge.faults = [ForgeFault.FORBIDDEN]
    with pytest.raises(ForgeError):
        posted(forge, store=store)
    assert store.recorded == []
    assert store.owner == ""


def test_labels_are_those_of_the_worst_and_only_our_own_go() -> None:
    forge, on = MemoryForge(), ReviewSettings(labels=True)
    shown = (subject(1, CHECK), subject(2, SHIM))
    label_pull(forge, pull(labels=("upstream/check", "bug")), shown, on)
    label_pull(forge, pull(labels=("upstream/shim",)), shown, on)
    label_pull(forge, pull(), (), on)
    label_pull(forge, pull(), shown, ReviewSettings())
    assert forge.labelled == [(("upstream/shim",), ("upstream/check",))]


def test_a_check_says_how_the_review_stands() -> None:
    forge = MemoryForge()
    assert check(forge, review())
    assert check(forge, review(), (subject(1, SHIM),))
    assert check(forge, review(state=ReviewState.FAILED, reason="见 https://x.y"))
    assert not check(forge, review(head_sha=""))
    assert [state for state, _, _ in forge.checks] == [CheckState.RUNNING, CheckState.NEUTRAL, CheckState.FAILED]
    assert forge.checks[1][1].endswith("Shim")
    assert "https[:]" in forge.checks[2][2]
