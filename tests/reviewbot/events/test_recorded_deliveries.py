"""GitHub's own examples: every event and action is handled, or passed over for a reason that is written down here."""

from __future__ import annotations

import pytest

from reviewbot.events.github import NOT_NEEDED
from reviewbot.events.models import Ignored, IgnoredBecause
from reviewbot.events.reading import read_event
from reviewbot.forges.models import ForgeKind
from tests.support.payloads import raw
from tests.support.webhook_examples import Example, examples

#: What the events we use become, by action.
HANDLED = {
    ("pull_request", "opened"): "pull_request_changed",
    ("pull_request", "reopened"): "pull_request_changed",
    ("pull_request", "synchronize"): "pull_request_changed",
    ("pull_request", "ready_for_review"): "pull_request_changed",
    ("pull_request", "closed"): "pull_request_ended",
    ("issue_comment", "created"): "comment_written",
    ("issue_comment", "edited"): "comment_written",
    ("ping", ""): "ping",
}
PASSED_OVER = {
    **{
        ("pull_request", action): IgnoredBecause.ACTION
        for action in (
            "assigned",
            "converted_to_draft",
            "labeled",
            "locked",
            "review_request_removed",
            "review_requested",
            "unassigned",
            "unlabeled",
            "unlocked",
        )
    },
    ("issue_comment", "deleted"): IgnoredBecause.ACTION,
    **{
        ("pull_request_review_comment", action): IgnoredBecause.REVIEW_COMMENT
        for action in ("created", "deleted", "edited")
    },
    ("repository_dispatch", "on-demand-test"): IgnoredBecause.UNKNOWN_EVENT,  # not the relay's
}


@pytest.fixture(scope="module")
def recorded() -> tuple[Example, ...]:
    return examples()


def outcome(example: Example) -> str:
    event = read_event(ForgeKind.GITHUB, example.event, raw(example.payload)).event
    return event.because if isinstance(event, Ignored) else event.type


@pytest.mark.full
def test_every_recorded_delivery_is_handled_or_passed_over_on_purpose(recorded: tuple[Example, ...]) -> None:
    assert len(recorded) == 329
    wrong = []
    for example in recorded:
        key = example.event, example.action
        wanted = HANDLED.get(key) or PASSED_OVER.get(key)
        if wanted is None and example.event in NOT_NEEDED:
            wanted = IgnoredBecause.NOT_NEEDED
        if outcome(example) != wanted:
            wrong.append((key, outcome(example), wanted))
    assert not wrong


@pytest.mark.full
def test_no_line_of_the_tables_is_without_an_example(recorded: tuple[Example, ...]) -> None:
    seen = {(example.event, example.action) for example in recorded}
    assert not (HANDLED.keys() | PASSED_OVER.keys()) - seen
    assert not NOT_NEEDED - {event for event, _ in seen}


def test_an_event_that_is_new_to_us_is_told_apart_from_one_without_use() -> None:
    assert outcome(Example("kiln_fired", "", {})) == IgnoredBecause.UNKNOWN_EVENT
    assert outcome(Example("push", "", {})) == IgnoredBecause.NOT_NEEDED
