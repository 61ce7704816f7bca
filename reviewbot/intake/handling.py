"""One delivery handled: read again from its row, told apart by event, carried out once.

Contract: idempotent. The id of a review that a delivery orders is made of the delivery's key, so that handling a
delivery twice orders once. A forge error that passes goes up, for the job to be tried again. What an event says of a
head is not believed: the review asks the forge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from reviewbot.conversation.execution import Judged, Ports, answer
from reviewbot.events.models import (
    CommentWritten,
    Ignored,
    Ping,
    PullRequestChanged,
    PullRequestEnded,
    UpstreamMerged,
)
from reviewbot.events.reading import read_event
from reviewbot.forges.models import Thread
from reviewbot.intake import words
from reviewbot.reviewing.desk import Desk
from reviewbot.service.models import Delivery, DeliveryState, Review, ReviewState, Trigger


@dataclass(frozen=True, slots=True)
class Intake:
    desk: Desk

    def handle(self, key: str) -> None:
        """Bring a delivery to its end. Raises ``ForgeError`` for what the forge refused or could not say."""
        deliveries = self.desk.reviewer.store.deliveries
        delivery = deliveries.get(key)
        if delivery is None or delivery.state in (DeliveryState.DONE, DeliveryState.IGNORED):
            return
        reason = self._handled(delivery)
        deliveries.finish(key, DeliveryState.IGNORED if reason else DeliveryState.DONE, reason)

    def _handled(self, delivery: Delivery) -> str:
        """Why nothing was done; empty when something was."""
        event = read_event(delivery.forge, delivery.event, delivery.body).event
        match event:
            case PullRequestChanged():
                return self._changed(event, delivery)
            case PullRequestEnded():
                return self._called_off(event.thread)
            case CommentWritten():
                return self._answered(event, delivery)
            case UpstreamMerged():
                return self._landed(event, delivery)
            case Ping():
                return event.type
            case Ignored():
                return event.because

    def _changed(self, event: PullRequestChanged, delivery: Delivery) -> str:
        """Whether it is wanted, draft or paused, is seen when it is due: both can change until then."""
        due = self.desk.clock() + timedelta(seconds=self.desk.reviewer.settings.review.debounce_seconds)
        self.order(event.thread, delivery, Trigger.PUSH, event.actor.login, due)
        return ""

    def _called_off(self, thread: Thread) -> str:
        """What waits for a pull request that has ended need not be done; what is under way is let end."""
        reviews = self.desk.reviewer.store.reviews
        waiting = reviews.newest(thread, state=ReviewState.WAITING)
        if waiting is not None:
            reviews.cancel(waiting.id, self.desk.clock())
        return ""

    def _answered(self, event: CommentWritten, delivery: Delivery) -> str:
        store = self.desk.reviewer.store
        ports = Ports(_Orders(self, delivery), store.threads, store.corrections, _Results(self.desk))
        notice = answer(event, self.desk.forges.of(event.thread.forge), ports, self.desk.clock())
        if notice is None:
            return words.NO_COMMAND
        self.desk.republish(event.thread)
        return ""

    def _landed(self, event: UpstreamMerged, delivery: Delivery) -> str:
        tracking = self.desk.reviewer.settings.branches.tracking.get(event.base_ref)
        if tracking is None:
            return words.NO_TRACKING
        subject = f"{event.repository}#{event.number}"
        self.order(Thread.parse(tracking), delivery, Trigger.FEED, "", self.desk.clock(), subject=subject)
        return ""

    def order(
        self,
        thread: Thread,
        delivery: Delivery,
        trigger: Trigger,
        by: str,
        due: datetime,
        *,
        subject: str = "",
        again: bool = False,
    ) -> None:
        """Order the review that a delivery asks for; once, however often the delivery is handled."""
        review = Review(
            id=hashlib.sha256(f"{delivery.key} {thread.key} {subject}".encode()).hexdigest()[:32],
            thread=thread,
            subject=subject,
            trigger=trigger,
            requested_by=by,
            again=again,
            ordered_at=self.desk.clock(),
            due_at=due,
        )
        self.desk.reviewer.store.reviews.order(review)


@dataclass(frozen=True, slots=True)
class _Orders:
    """Reviews that a comment orders: at once, and once for each delivery."""

    intake: Intake
    delivery: Delivery

    def order(self, thread: Thread, by: str, *, again: bool) -> None:
        now = self.intake.desk.clock()
        self.intake.order(thread, self.delivery, Trigger.COMMAND, by, now, again=again)


@dataclass(frozen=True, slots=True)
class _Results:
    desk: Desk

    def judged(self, thread: Thread) -> Sequence[Judged]:
        review = self.desk.reviewer.store.reviews.newest(thread, state=ReviewState.POSTED)
        if review is None:
            return ()
        return [
            Judged(one.name, one.outcome.analysis, one.labels)
            for one in self.desk.shown(review.id)
            if one.outcome.analysis is not None and one.labels is not None
        ]
