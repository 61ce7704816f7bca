"""GitHub's deliveries: which become an event, and what is in it."""

from __future__ import annotations

from typing import Any

import pytest

from reviewbot.events.errors import UnreadableDeliveryError
from reviewbot.events.models import (
    Actor,
    CommentWritten,
    Ignored,
    IgnoredBecause,
    PullRequestChanged,
    PullRequestEnded,
    ReadDelivery,
    UpstreamMerged,
)
from reviewbot.events.reading import read_delivery, read_event
from reviewbot.forges.models import ForgeKind, ThreadKind
from tests.support.payloads import GITHUB_REPOSITORY, HEAD, github_comment, github_pull, github_user, raw, relayed


def read(event: str, payload: dict[str, Any]) -> ReadDelivery:
    return read_event(ForgeKind.GITHUB, event, raw(payload))


def because(event: str, payload: dict[str, Any]) -> IgnoredBecause:
    ignored = read(event, payload).event
    assert isinstance(ignored, Ignored)
    return ignored.because


@pytest.mark.parametrize("action", ["opened", "reopened", "synchronize", "ready_for_review"])
def test_new_content_of_a_pull_request(action: str) -> None:
    event = read("pull_request", github_pull(action, draft=True)).event
    assert isinstance(event, PullRequestChanged)
    assert event.thread.key == f"github:{GITHUB_REPOSITORY}#pull/12"
    assert (event.action, event.head_sha, event.base_ref, event.draft) == (action, HEAD, "main", True)
    assert event.actor == Actor(login="ada")


@pytest.mark.parametrize(("key", "changes"), [("title", True), ("body", True), ("base", True), ("milestone", False)])
def test_an_edit_counts_when_it_can_name_other_changes(key: str, changes: bool) -> None:
    payload = {**github_pull("edited"), "changes": {key: {"from": "old"}}}
    assert isinstance(read("pull_request", payload).event, PullRequestChanged) is changes


@pytest.mark.parametrize("merged", [True, False])
def test_a_closed_pull_request_has_ended(merged: bool) -> None:
    event = read("pull_request", github_pull("closed", merged=merged)).event
    assert isinstance(event, PullRequestEnded)
    assert event.merged is merged


@pytest.mark.parametrize(("on_pull", "kind"), [(True, ThreadKind.PULL), (False, ThreadKind.ISSUE)])
def test_a_comment_is_on_a_pull_request_only_if_the_issue_says_so(on_pull: bool, kind: ThreadKind) -> None:
    event = read("issue_comment", github_comment(on_pull=on_pull)).event
    assert isinstance(event, CommentWritten)
    assert event.thread.kind is kind
    assert (event.comment_id, event.body, event.edited) == (991, "/upstream-review again", False)


def test_whoever_edits_a_comment_says_it() -> None:
    payload = github_comment("edited")
    payload["sender"] = github_user("mallory")
    event = read("issue_comment", payload).event
    assert isinstance(event, CommentWritten)
    assert event.edited
    assert event.actor == Actor(login="mallory")


@pytest.mark.parametrize("bot", [github_user("glazer", "Bot"), github_user("glazer[bot]")])
@pytest.mark.parametrize("written_by_bot", [True, False])
def test_bots_are_told(bot: dict[str, Any], written_by_bot: bool) -> None:
    payload = github_comment("edited")
    if written_by_bot:
        payload["comment"]["user"] = bot
    else:
        payload["sender"] = bot
    event = read("issue_comment", payload).event
    assert isinstance(event, CommentWritten)
    assert event.actor.bot


def test_a_comment_of_a_deleted_account_is_read() -> None:
    payload = github_comment()
    payload["comment"]["user"] = None
    assert isinstance(read("issue_comment", payload).event, CommentWritten)


def test_the_relay_tells_what_landed() -> None:
    given = read("repository_dispatch", relayed(base={"ref": "release/2.14"}))
    assert isinstance(given.event, UpstreamMerged)
    assert (given.event.repository, given.event.number, given.event.base_ref) == ("potters/clay", 12, "release/2.14")
    assert given.repository == GITHUB_REPOSITORY


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (relayed("labeled"), IgnoredBecause.ACTION),
        (relayed(labels=[{"name": "merged"}]), IgnoredBecause.NOT_LANDED),
        (relayed(labels=[], merged=True), IgnoredBecause.NOT_LANDED),
        (relayed(title='Revert "Glaze thicker (#1)"'), IgnoredBecause.REVERT),
        (relayed(title='[Kiln] Revert "x"'), None),
        (relayed(title="Reverting order of layers"), None),
        (relayed(event_type="push"), IgnoredBecause.UNKNOWN_EVENT),
        ({"action": "x", "client_payload": {}}, IgnoredBecause.UNKNOWN_EVENT),
    ],
)
def test_the_relay_is_passed_over_on_purpose(payload: dict[str, Any], why: IgnoredBecause | None) -> None:
    event = read("repository_dispatch", payload).event
    assert (event.because if isinstance(event, Ignored) else None) == why


def test_what_says_the_same_has_one_fingerprint_and_what_differs_another() -> None:
    again = read("pull_request", github_pull()).fingerprint
    assert again == read("pull_request", {**github_pull(), "installation": {"id": 4}}).fingerprint
    others = {
        read("pull_request", github_pull("reopened")).fingerprint,
        read("pull_request", github_pull(updated_at="2026-03-01T08:00:01Z")).fingerprint,
        read("pull_request", github_pull(head={"sha": "cd" * 20})).fingerprint,
        read("pull_request", github_pull(number=13)).fingerprint,
        read("issue_comment", github_comment()).fingerprint,
        read("issue_comment", github_comment(body="other")).fingerprint,
        read("issue_comment", github_comment(on_pull=False)).fingerprint,
        read("repository_dispatch", relayed()).fingerprint,
    }
    assert len(others - {again, ""}) == 8
    assert read("ping", {}).fingerprint == ""
    assert read("pull_request", github_pull(updated_at=None)).fingerprint == ""


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"number": "twelve"}, "pull_request.number"),
        ({"number": 0}, "pull_request.number"),
        ({"number": True}, "pull_request.number"),
        ({"number": 2**63}, "pull_request.number"),
        ({"head": None}, "pull_request.head"),
        ({"head": {"sha": "abc"}}, "pull_request.head.sha"),
        ({"base": {}}, "pull_request.base.ref"),
        ({"draft": "perhaps"}, "pull_request.draft"),
        ({"draft": []}, "pull_request.draft"),
        ({"title": 5}, "pull_request.title"),
    ],
)
def test_what_is_not_documented_is_told_by_its_key(changed: dict[str, Any], key: str) -> None:
    with pytest.raises(UnreadableDeliveryError) as caught:
        read("pull_request", github_pull(**changed))
    assert caught.value.key == key
    assert key in str(caught.value)


@pytest.mark.parametrize("name", ["../x", "a", "a/b c", "a/b#1", ""])
def test_a_repository_needs_a_name(name: str) -> None:
    with pytest.raises(UnreadableDeliveryError, match=r"repository\.full_name"):
        read("push", {"repository": {"full_name": name}})


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b'{"a": NaN}', b"\xff\xfe", b"[" * 200_000, b'{"a":' + b"9" * 5000 + b"}", b"\xef\xbb\xbf{}"],
)
def test_bytes_that_are_no_object(body: bytes) -> None:
    with pytest.raises(UnreadableDeliveryError):
        read_event(ForgeKind.GITHUB, "push", body)


def test_text_that_no_database_keeps_is_mended() -> None:
    event = read_event(
        ForgeKind.GITHUB, "pull_request", raw(github_pull(title="X")).replace(b'"X"', b'"a\\ud800\\u0000b"')
    ).event
    assert isinstance(event, PullRequestChanged)
    assert event.title == "a\ufffd\ufffdb"


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({"X-GitHub-Event": "push"}, "X-GitHub-Delivery"),
        ({"X-GitHub-Delivery": "1"}, "X-GitHub-Event"),
        ({"X-GitHub-Event": "push", "X-GitHub-Delivery": "a b"}, "X-GitHub-Delivery"),
        ({"X-GitHub-Event": "p" * 65, "X-GitHub-Delivery": "1"}, "X-GitHub-Event"),
    ],
)
def test_headers_at_fault_are_named(headers: dict[str, str], key: str) -> None:
    with pytest.raises(UnreadableDeliveryError) as caught:
        read_delivery(ForgeKind.GITHUB, headers, b"{}")
    assert caught.value.key == key
