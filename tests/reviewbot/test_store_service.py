"""The stores of the service: nothing twice, nothing lost, one review and one lease of a thread at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reviewbot.forges.models import ForgeKind, Thread
from reviewbot.models import AnalysisState, NeedsAdaptation, Risk, Verdict
from reviewbot.service.models import (
    Correction,
    CorrectionKind,
    Delivery,
    DeliveryState,
    Notice,
    PostedComment,
    Receipt,
    Review,
    ReviewState,
    Subject,
    SubjectKind,
    Trigger,
)
from reviewbot.store import Store, open_store
from tests.reviewbot.analyses import LABELS, example

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
LATER = NOW + timedelta(seconds=60)
THREAD = Thread(forge=ForgeKind.GITHUB, repository="team/backend", number=7)
OTHER = THREAD.model_copy(update={"number": 8})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'store.db'}") as opened:
        yield opened


def delivery(key: str = "github:1", fingerprint: str = "f", **fields: object) -> Delivery:
    given = {"forge": ForgeKind.GITHUB, "event": "pull_request", "body": b'{"\xff": 1}', "received_at": NOW}
    return Delivery.model_validate({"key": key, "fingerprint": fingerprint, **given, **fields})


def review(identifier: str, thread: Thread | None = THREAD, **fields: object) -> Review:
    given = {"trigger": Trigger.PUSH, "ordered_at": NOW, "due_at": NOW}
    return Review.model_validate({"id": identifier, "thread": thread, **given, **fields})


def at_once(count: int, act: Callable[[int], object]) -> list[object]:
    """The results of ``count`` threads that start together."""
    results: list[object] = []
    gate = threading.Barrier(count)

    def run(number: int) -> None:
        gate.wait()
        results.append(act(number))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


# --- deliveries -------------------------------------------------------------------------------------------------------


def test_a_delivery_comes_back_as_it_was_sent(store: Store) -> None:
    given = delivery()
    assert store.deliveries.receive(given) is Receipt.NEW
    assert store.deliveries.get(given.key) == given
    assert store.deliveries.get("github:none") is None


def test_the_same_key_and_the_same_news_are_counted_once(store: Store) -> None:
    store.deliveries.receive(delivery())
    assert store.deliveries.receive(delivery()) is Receipt.REPEATED
    assert store.deliveries.receive(delivery("github:2")) is Receipt.REPEATED
    assert store.deliveries.receive(delivery("github:3", "")) is Receipt.NEW
    assert store.deliveries.receive(delivery("github:4", "")) is Receipt.NEW
    kept = store.deliveries.get("github:1")
    assert kept is not None
    assert kept.repeats == 2
    assert store.deliveries.get("github:2") is None


def test_what_failed_may_come_again(store: Store) -> None:
    store.deliveries.receive(delivery())
    store.deliveries.mark_handed(["github:1"], NOW)
    store.deliveries.finish("github:1", DeliveryState.FAILED, "502")
    assert store.deliveries.receive(delivery("github:2")) is Receipt.RENEWED
    kept = store.deliveries.get("github:1")
    assert kept is not None
    assert (kept.state, kept.reason, kept.handed_at) == (DeliveryState.RECEIVED, "", None)


def test_the_outbox_holds_what_was_not_handed_over(store: Store) -> None:
    for number in range(3):
        store.deliveries.receive(delivery(f"github:{number}", str(number), received_at=NOW + timedelta(seconds=number)))
    assert store.deliveries.unhanded(NOW + timedelta(seconds=1)) == ("github:0", "github:1")
    store.deliveries.mark_handed(["github:0"], LATER)
    assert store.deliveries.unhanded(LATER) == ("github:1", "github:2")
    assert store.deliveries.oldest_unhanded(LATER) == 59.0
    assert store.deliveries.unfinished(LATER) == ("github:0",)
    assert store.deliveries.unfinished(NOW) == ()
    assert store.deliveries.counts() == {DeliveryState.RECEIVED: 2, DeliveryState.HANDED: 1}


def test_an_end_is_not_undone_by_a_late_hand_over(store: Store) -> None:
    store.deliveries.receive(delivery())
    store.deliveries.finish("github:1", DeliveryState.DONE)
    store.deliveries.mark_handed(["github:1"], LATER)
    assert store.deliveries.counts() == {DeliveryState.DONE: 1}
    assert store.deliveries.oldest_unhanded(LATER) is None
    assert store.deliveries.prune(NOW) == 0
    assert store.deliveries.prune(LATER) == 1


def test_many_processes_receive_the_same_news_at_once(store: Store) -> None:
    receipts = at_once(8, lambda number: store.deliveries.receive(delivery(f"github:{number}")))
    assert sorted(map(str, receipts)) == sorted(["new", *["repeated"] * 7])


# --- reviews ----------------------------------------------------------------------------------------------------------


def test_a_newer_order_takes_the_place_of_one_that_waits(store: Store) -> None:
    first, second = store.reviews.order(review("a")), store.reviews.order(review("b"))
    assert second.order > first.order
    assert store.reviews.order(review("b")) == second, "ordering twice is ordering once"
    old = store.reviews.get("a")
    assert old is not None
    assert (old.state, old.finished_at) == (ReviewState.SUPERSEDED, NOW)
    assert store.reviews.superseded("a")
    assert not store.reviews.superseded("b")
    assert store.reviews.newest(THREAD) == second
    assert [one.id for one in store.reviews.claim_due(NOW)] == ["b"]


def test_one_review_of_a_thread_is_worked_on_at_a_time(store: Store) -> None:
    store.reviews.order(review("a"))
    assert [one.id for one in store.reviews.claim_due(NOW)] == ["a"]
    store.reviews.order(review("b"))
    store.reviews.order(review("c", OTHER))
    store.reviews.order(review("d", None))
    store.reviews.order(review("e", None))
    store.reviews.order(review("f", subject="pytorch/pytorch#1"))
    assert [one.id for one in store.reviews.claim_due(NOW)] == ["c", "d", "e", "f"]
    assert store.reviews.start("a")
    assert store.reviews.superseded("a")
    store.reviews.finish("a", ReviewState.SUPERSEDED, "", LATER)
    assert [one.id for one in store.reviews.claim_due(NOW)] == ["b"]


def test_what_is_due_later_waits(store: Store) -> None:
    store.reviews.order(review("a", due_at=LATER))
    assert store.reviews.claim_due(NOW) == ()
    assert [one.id for one in store.reviews.claim_due(LATER)] == ["a"]


def test_nothing_is_claimed_twice(store: Store) -> None:
    for number in range(12):
        store.reviews.order(review(f"r{number}", THREAD.model_copy(update={"number": number + 1})))
    claims = at_once(6, lambda _: [one.id for one in store.reviews.claim_due(NOW, limit=3)])
    claimed = [one for claim in claims for one in claim]  # type: ignore[attr-defined]
    assert len(claimed) == len(set(claimed)) == 12


def test_a_review_that_was_handed_over_and_never_begun_is_found(store: Store) -> None:
    store.reviews.order(review("a"))
    store.reviews.claim_due(NOW)
    assert store.reviews.stranded(NOW - timedelta(seconds=1)) == ()
    assert [one.id for one in store.reviews.stranded(NOW)] == ["a"]
    assert store.reviews.start("a")
    assert store.reviews.start("a"), "a worker that comes back goes on"
    assert [one.id for one in store.reviews.stranded(LATER)] == ["a"], "its job may have been given up"
    store.reviews.finish("a", ReviewState.POSTED, "", LATER)
    assert store.reviews.stranded(LATER) == ()


def test_an_end_stays(store: Store) -> None:
    store.reviews.order(review("a"))
    assert store.reviews.cancel("a", NOW)
    assert not store.reviews.cancel("a", NOW)
    assert not store.reviews.start("a")
    store.reviews.finish("a", ReviewState.POSTED, "", LATER)
    ended = store.reviews.get("a")
    assert ended is not None
    assert (ended.state, ended.finished_at) == (ReviewState.CANCELLED, NOW)
    assert store.reviews.counts() == {ReviewState.CANCELLED: 1}


def test_pages_of_reviews(store: Store) -> None:
    for number in range(5):
        store.reviews.order(review(f"r{number}", THREAD.model_copy(update={"number": number + 1})))
    first = store.reviews.listed(limit=2)
    assert [one.id for one in first] == ["r4", "r3"]
    assert [one.id for one in store.reviews.listed(before=first[-1].order, limit=2)] == ["r2", "r1"]
    fourth = THREAD.model_copy(update={"number": 4})
    assert [one.id for one in store.reviews.listed(thread=fourth)] == ["r3"]
    assert len(store.reviews.listed(state=ReviewState.WAITING)) == 5


def test_subjects_keep_their_outcome_when_a_step_runs_again(store: Store) -> None:
    number = store.save(example(number=1))
    store.reviews.order(review("a"))
    subjects = [Subject(kind=SubjectKind.PULL_REQUEST, name=f"pytorch/pytorch#{one}") for one in (1, 2)]
    store.reviews.set_subjects("a", subjects)
    store.reviews.settle("a", 0, AnalysisState.DONE, analysis=number)
    store.reviews.settle("a", 1, AnalysisState.FAILED, "没有")
    store.reviews.set_subjects("a", subjects)
    told = [(one.subject.name, one.state, one.analysis) for one in store.reviews.outcomes("a")]
    assert told == [
        ("pytorch/pytorch#1", AnalysisState.DONE, number),
        ("pytorch/pytorch#2", AnalysisState.FAILED, None),
    ]
    store.reviews.set_subjects("a", subjects[1:])
    assert [(one.position, one.state) for one in store.reviews.outcomes("a")] == [(0, None)]


def test_values_between_steps(store: Store) -> None:
    store.reviews.order(review("a"))
    assert store.reviews.stage("a", 0, "delta") is None
    store.reviews.put_stage("a", 0, "delta", {"x": ["齿轮", "\udcff"]})
    store.reviews.put_stage("a", 0, "delta", {"x": 2})
    assert store.reviews.stage("a", 0, "delta") == {"x": 2}
    store.reviews.pin("a", "h" * 40, "b" * 40)
    store.reviews.drop_stages("a")
    assert store.reviews.stage("a", 0, "delta") is None


# --- comments, threads, corrections -----------------------------------------------------------------------------------


def test_a_lease_is_held_by_one_and_ends_by_itself(store: Store) -> None:
    granted = at_once(6, lambda number: store.comments.lease(THREAD, "", f"w{number}", NOW, 30))
    assert granted.count(True) == 1
    assert store.comments.lease(OTHER, "", "w9", NOW, 30)
    assert store.comments.lease(THREAD, "", "w9", NOW + timedelta(seconds=30), 30)
    assert not store.comments.lease(THREAD, "", "w0", NOW + timedelta(seconds=31), 30)
    store.comments.release(THREAD, "", "w0")
    assert not store.comments.lease(THREAD, "", "w0", NOW + timedelta(seconds=31), 30), "only the holder gives it back"
    store.comments.release(THREAD, "", "w9")
    assert store.comments.lease(THREAD, "", "w0", NOW + timedelta(seconds=31), 30)


def test_what_was_posted_is_remembered(store: Store) -> None:
    assert store.comments.posted(THREAD) is None
    store.comments.lease(THREAD, "", "w", NOW, 30)
    assert store.comments.posted(THREAD) is None
    posted = PostedComment(thread=THREAD, comment_id=2**40, digest="d", review="a", posted_at=NOW)
    store.comments.record(posted)
    assert store.comments.posted(THREAD) == posted


def test_threads_are_paused_and_told(store: Store) -> None:
    assert not store.threads.state(THREAD).paused
    store.threads.pause(THREAD, "ada")
    notice = Notice(command="help", author="ada", text="用法", at=NOW)
    store.threads.notice(THREAD, notice)
    assert (store.threads.state(THREAD).paused_by, store.threads.state(THREAD).notice) == ("ada", notice)
    store.threads.resume(THREAD)
    assert not store.threads.state(THREAD).paused


def test_corrections_are_kept_in_order_and_the_last_holds(store: Store) -> None:
    number = store.save(example(number=1))
    milder = LABELS.model_copy(update={"verdict": Verdict.CHECK, "risk": Risk.LOW})
    accepted = Correction(
        analysis=number, kind=CorrectionKind.ACCEPTED, labels=LABELS, author="ada", at=NOW, thread=THREAD
    )
    corrected = accepted.model_copy(update={"kind": CorrectionKind.CORRECTED, "labels": milder, "note": "只是改名"})
    first = store.corrections.add(accepted)
    assert store.corrections.add(accepted.model_copy(update={"at": LATER})) == first, "the same again adds nothing"
    second = store.corrections.add(corrected)
    assert second > first
    latest = store.corrections.latest(number)
    assert latest == corrected.model_copy(update={"number": second})
    assert latest.labels.needs_adaptation is NeedsAdaptation.NO
    assert [one.number for one in store.corrections.listed(after=first)] == [second]
    assert store.corrections.latest(number + 1) is None


# --- workers ----------------------------------------------------------------------------------------------------------


def test_a_dead_worker_is_adopted_by_one(store: Store) -> None:
    store.workers.beat("w1", NOW)
    store.workers.beat("w2", LATER)
    store.workers.beat("w3", NOW)
    store.workers.stop("w3", NOW)
    assert store.workers.dead(LATER) == ("w1",)
    assert at_once(4, lambda number: store.workers.adopt("w1", f"x{number}", LATER)).count(True) == 1
    assert store.workers.dead(LATER) == ()
    store.workers.beat("w1", LATER)
    first = store.workers.listed()[0]
    assert (first.executor, first.started_at) == ("w1", LATER)
    assert not store.workers.adopt("w1", "x", LATER)


def test_cursors(store: Store) -> None:
    assert store.cursors.get("feed") is None
    store.cursors.set("feed", "1")
    store.cursors.set("feed", "2")
    assert store.cursors.get("feed") == "2"
