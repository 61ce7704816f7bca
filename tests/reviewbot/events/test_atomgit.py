"""AtomGit's and GitCode's deliveries, of the shapes that were recorded."""

from __future__ import annotations

from typing import Any

import pytest

from reviewbot.events.errors import UnreadableDeliveryError
from reviewbot.events.models import (
    CommentWritten,
    Ignored,
    IgnoredBecause,
    PullRequestChanged,
    PullRequestEnded,
    ReadDelivery,
)
from reviewbot.events.reading import read_delivery, read_event
from reviewbot.forges.models import ForgeKind, ThreadKind
from tests.support.payloads import ATOMGIT_REPOSITORY, HEAD, merge_request, note, raw


def read(payload: dict[str, Any], event: str = "Merge Request Hook") -> ReadDelivery:
    return read_event(ForgeKind.ATOMGIT, event, raw(payload))


@pytest.mark.parametrize("prefix", ["X-GitCode", "x-atomgit", "X-ATOMGIT"])
def test_both_names_of_the_backend_are_heard(prefix: str) -> None:
    headers = {f"{prefix}-Event": "Merge Request Hook", f"{prefix}-Delivery": "d-1"}
    assert isinstance(read_delivery(ForgeKind.ATOMGIT, headers, raw(merge_request())).event, PullRequestChanged)


@pytest.mark.parametrize("action", ["open", "reopen"])
def test_a_new_merge_request(action: str) -> None:
    event = read(merge_request(action, iid="12", work_in_progress=1)).event
    assert isinstance(event, PullRequestChanged)
    assert event.thread.key == f"atomgit:{ATOMGIT_REPOSITORY}#pull/12"
    assert (event.head_sha, event.base_ref, event.draft, event.actor.login) == (HEAD, "master", True, "grace")


@pytest.mark.parametrize(
    ("changes", "oldrev", "counts"),
    [
        ({}, "ef" * 20, True),
        ({"labels": {}}, "ef" * 20, True),
        ({}, "", True),  # says nothing: the forge is asked
        ({"title": {}, "updated_at": {}}, "", True),
        ({"something_new": {}}, "", True),
        ({"labels": {}}, "", False),
        ({"labels": {}, "updated_at": {}}, "", False),
    ],
)
def test_an_update_counts_unless_it_is_quiet(changes: dict[str, Any], oldrev: str, counts: bool) -> None:
    event = read(merge_request("update", changes, oldrev=oldrev)).event
    assert isinstance(event, PullRequestChanged) is counts
    assert counts or isinstance(event, Ignored)


@pytest.mark.parametrize(
    ("action", "state", "merged"),
    [("merge", "merged", True), ("update", "merged", True), ("close", "closed", False), ("update", "closed", False)],
)
def test_a_merge_request_ends_in_many_ways(action: str, state: str, merged: bool) -> None:
    event = read(merge_request(action, state=state)).event
    assert isinstance(event, PullRequestEnded)
    assert event.merged is merged


def test_an_action_that_nobody_documented_is_passed_over() -> None:
    event = read(merge_request("approved")).event
    assert event == Ignored(because=IgnoredBecause.ACTION, event="Merge Request Hook", action="approved")


@pytest.mark.parametrize(("on", "kind"), [("MergeRequest", ThreadKind.PULL), ("Issue", ThreadKind.ISSUE)])
def test_a_note(on: str, kind: ThreadKind) -> None:
    event = read(note(on), "Note Hook").event
    assert isinstance(event, CommentWritten)
    assert (event.thread.kind, event.thread.number, event.comment_id) == (kind, 12, 1530794)
    assert (event.body, event.actor.login) == ("/upstream-review again", "grace")


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (note("Commit"), IgnoredBecause.NOT_ON_A_PULL_REQUEST),
        (note(system=True), IgnoredBecause.SYSTEM_NOTE),
        (note(system="true"), IgnoredBecause.SYSTEM_NOTE),
        (note(type="DiffNote"), IgnoredBecause.REVIEW_COMMENT),
    ],
)
def test_notes_passed_over(payload: dict[str, Any], why: IgnoredBecause) -> None:
    event = read(payload, "Note Hook").event
    assert isinstance(event, Ignored)
    assert event.because is why


@pytest.mark.parametrize(
    ("event", "why"), [("Push Hook", IgnoredBecause.NOT_NEEDED), ("Kiln Hook", IgnoredBecause.UNKNOWN_EVENT)]
)
def test_other_hooks(event: str, why: IgnoredBecause) -> None:
    given = read({"project": {"path_with_namespace": ATOMGIT_REPOSITORY}}, event)
    assert given == ReadDelivery(event=Ignored(because=why, event=event), repository=ATOMGIT_REPOSITORY)


def test_the_same_under_another_uuid_has_one_fingerprint() -> None:
    first, second = merge_request(), {**merge_request(), "uuid": "12_cafe"}
    assert read(first).fingerprint == read(second).fingerprint != ""
    noted, edited = note(), note(body="/upstream-review pause")
    moved = note(updated_at="2026-03-01T17:00:00+08:00")
    prints = [read(each, "Note Hook").fingerprint for each in (noted, moved, edited)]
    assert prints[0] == prints[1] != prints[2]


@pytest.mark.parametrize(
    ("payload", "key"),
    [
        (merge_request(last_commit={}), "object_attributes.last_commit.id"),
        (merge_request(iid=None), "object_attributes.iid"),
        ({**merge_request(), "user": []}, "user"),
        ({**merge_request("update"), "changes": [1]}, "changes"),
        ({**merge_request(), "project": {"path_with_namespace": "glaze"}}, "project.path_with_namespace"),
    ],
)
def test_what_is_not_documented_is_told_by_its_key(payload: dict[str, Any], key: str) -> None:
    with pytest.raises(UnreadableDeliveryError) as caught:
        read(payload)
    assert caught.value.key == key
