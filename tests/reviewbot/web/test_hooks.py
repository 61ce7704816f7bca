"""Deliveries over HTTP: what is taken, what is refused and how, and that the queue is never waited for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, strategies
from hypothesis import settings as trial
from pydantic import SecretStr

from reviewbot.errors import SettingsError
from reviewbot.events.signatures import sign
from reviewbot.service.models import DeliveryState
from reviewbot.settings import Settings
from reviewbot.settings_service import AtomgitSettings, GithubSettings
from reviewbot.web.app import create_app
from reviewbot.web.services import Services
from tests.reviewbot.web.site import LIMIT, OLD_SECRET, SECRET, Site, running, settings
from tests.support.inbox import MemoryDeliveries, MemoryQueue
from tests.support.payloads import github_comment, github_pull, github_user, merge_request, note, raw, relayed


@pytest.fixture
def site() -> Iterator[Site]:
    with running() as opened:
        yield opened


def test_a_delivery_is_stored_answered_and_handed_over() -> None:
    with running() as site:
        answer = site.github("pull_request", github_pull())
        assert answer.status_code == 202
        assert answer.json() == {"delivery": "github:d-1", "state": "received", "reason": ""}
        assert site.deliveries.rows["github:d-1"].body == raw(github_pull())
    assert site.queue.handed == ["github:d-1"]
    assert site.deliveries.rows["github:d-1"].state is DeliveryState.HANDED
    labels = {"forge": "github", "event": "pull_request_changed", "outcome": "received"}
    assert site.count("deliveries_total", **labels) == 1
    assert site.count("ack_seconds_count", forge="github") == 1


@pytest.mark.parametrize("prefix", ["X-GitCode", "x-atomgit"])
@pytest.mark.parametrize(("event", "payload"), [("Merge Request Hook", merge_request()), ("Note Hook", note())])
def test_the_other_forge(prefix: str, event: str, payload: dict[str, Any]) -> None:
    headers = {f"{prefix}-Event": event, f"{prefix}-Delivery": "u-1", "Content-Type": "application/json"}
    headers[f"{prefix}-Signature-256"] = sign(SECRET, raw(payload))
    with running() as site:
        answer = site.client.post("/webhooks/atomgit", content=raw(payload), headers=headers)
        assert (answer.status_code, answer.json()["state"]) == (202, "received")
    assert site.queue.handed == ["atomgit:u-1"]


def test_a_slow_queue_delays_no_answer() -> None:
    with running() as site:
        site.queue.gate.clear()
        assert [site.github("pull_request", github_pull(number=n), f"d-{n}").status_code for n in (1, 2)] == [202, 202]
        assert site.queue.handed == []
        site.queue.gate.set()


def test_a_queue_that_is_down_is_left_to_the_sweeper() -> None:
    with running() as site:
        site.queue.down = True
        assert site.github("pull_request", github_pull()).status_code == 202
    assert site.deliveries.rows["github:d-1"].state is DeliveryState.RECEIVED
    assert site.count("handover_failures_total") == 1


def test_the_same_again_is_told_and_not_handed_twice() -> None:
    with running() as site:
        site.github("pull_request", github_pull())
        assert site.github("pull_request", github_pull()).json()["state"] == "repeated"
        assert site.github("pull_request", github_pull(), "another-id").json()["state"] == "repeated"
    assert site.queue.handed == ["github:d-1"]
    assert site.deliveries.rows["github:d-1"].repeats == 2


def test_a_failed_one_delivered_again_is_handled_again() -> None:
    with running() as site:
        site.queue.down = True
        site.github("pull_request", github_pull())
    with running() as other:
        other.deliveries.rows.update(site.deliveries.rows)
        other.deliveries.fail("github:d-1")
        assert other.github("pull_request", github_pull()).json()["state"] == "received"
    assert other.queue.handed == ["github:d-1"]


def test_without_the_store_the_forge_sees_a_failure(site: Site) -> None:
    site.deliveries.down = True
    answer = site.github("pull_request", github_pull())
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"


def from_login(login: str, kind: str = "User") -> dict[str, Any]:
    return {**github_comment(), "sender": github_user(login, kind)}


@pytest.mark.parametrize(
    ("event", "payload", "reason"),
    [
        ("ping", {"zen": "keep it cool"}, "ping"),
        ("kiln_fired", {}, "unknown_event"),
        ("push", {}, "not_needed"),
        ("issue_comment", from_login("ReviewBot"), "own"),
        ("issue_comment", from_login("glazer", "Bot"), "bot"),
        ("pull_request", github_pull("labeled"), "action"),
    ],
)
def test_what_asks_for_nothing_is_stored_and_not_handed(event: str, payload: dict[str, Any], reason: str) -> None:
    with running() as site:
        answer = site.github(event, payload)
        assert (answer.status_code, answer.json()["state"], answer.json()["reason"]) == (202, "ignored", reason)
        assert site.deliveries.rows["github:d-1"].state is DeliveryState.IGNORED
    assert site.queue.handed == []


def test_a_pull_request_of_a_bot_is_reviewed(site: Site) -> None:
    payload = {**github_pull(), "sender": github_user("glazer[bot]", "Bot")}
    assert site.github("pull_request", payload).json()["state"] == "received"


@pytest.mark.parametrize(("listed", "state"), [("KILN/Glaze", "received"), ("kiln/other", "ignored")])
@pytest.mark.parametrize(("event", "payload"), [("pull_request", github_pull()), ("repository_dispatch", relayed())])
def test_only_listed_repositories(listed: str, state: str, event: str, payload: dict[str, Any]) -> None:
    github = GithubSettings(webhook_secret=SecretStr(SECRET), repositories=(listed,))
    with running(settings(github=github)) as site:
        assert site.github(event, payload).json()["state"] == state


def test_the_old_secret_counts_while_secrets_change(site: Site) -> None:
    body = raw(github_pull())
    assert site.github("pull_request", body, x_hub_signature_256=sign(OLD_SECRET, body)).status_code == 202


@pytest.mark.parametrize(
    ("signature", "fault"),
    [("", "missing"), ("sha256=zz", "malformed"), (sign("guess", raw(github_pull())), "wrong")],
)
def test_who_does_not_sign_is_refused(site: Site, signature: str, fault: str) -> None:
    answer = site.github("pull_request", github_pull(), x_hub_signature_256=signature)
    assert answer.status_code == 401
    assert SECRET not in answer.text
    assert not site.deliveries.rows
    assert site.count("deliveries_total", forge="github", event="none", outcome=f"signature_{fault}") == 1


def test_nothing_of_an_unsigned_body_is_read(site: Site) -> None:
    """A body that would be 400 is 401 as long as nobody vouches for it."""
    assert site.github("pull_request", b"{", x_hub_signature_256=sign("guess", b"{")).status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": ""}, 415),
        ({"content_type": "application/json; charset=gbk"}, 415),
        ({"content_type": 'application/json; charset="UTF-8"'}, 202),
        ({"content_encoding": "gzip"}, 415),
        ({"x_github_event": ""}, 400),
        ({"x_github_delivery": ""}, 400),
        ({"x_github_delivery": "../../etc"}, 400),
    ],
)
def test_forms_of_a_delivery(site: Site, headers: dict[str, str], status: int) -> None:
    answer = site.github("pull_request", github_pull(), **headers)
    assert answer.status_code == status
    assert bool(site.deliveries.rows) is (status == 202)


@pytest.mark.parametrize(
    "body", [b"", b"{", raw(github_pull())[:-20], raw(github_pull(title="é")).decode().encode("utf-16"), b"\xff{}"]
)
def test_cut_and_miscoded_bodies(site: Site, body: bytes) -> None:
    answer = site.github("pull_request", body)
    assert (answer.status_code, answer.json()["status"]) == (400, 400)
    assert answer.json()["detail"]


def test_the_key_at_fault_is_named(site: Site) -> None:
    answer = site.github("pull_request", github_pull(head={"sha": "short"}))
    assert (answer.status_code, answer.json()["key"]) == (400, "pull_request.head.sha")


@pytest.mark.parametrize("chunked", [True, False])
def test_a_body_over_the_limit_is_not_read_to_its_end(site: Site, chunked: bool) -> None:
    body = b"x" * (LIMIT + 1)
    content: Any = iter([body[:-1], body[-1:]]) if chunked else body
    assert site.client.post("/webhooks/github", content=content).status_code == 413


def test_a_body_of_the_limit_is_read(site: Site) -> None:
    body = raw(github_pull())
    assert site.github("pull_request", body + b" " * (LIMIT - len(body))).status_code == 202


@trial(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=strategies.binary(max_size=300)
    | strategies.recursive(
        strategies.none() | strategies.booleans() | strategies.integers() | strategies.text(max_size=5),
        lambda inner: (
            strategies.lists(inner, max_size=3)
            | strategies.dictionaries(
                strategies.sampled_from(
                    ["action", "pull_request", "number", "head", "sha", "repository", "full_name", "sender", "issue"]
                ),
                inner,
            )
        ),
    ).map(lambda value: json.dumps(value).encode()),
    event=strategies.sampled_from(["pull_request", "issue_comment", "repository_dispatch", "ping", "x"]),
)
def test_no_bytes_at_all_break_it(site: Site, body: bytes, event: str) -> None:
    assert site.github(event, body).status_code in {202, 400}


@trial(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=strategies.sampled_from([None, True, -1, 2**70, 0.5, "", "\ud800", [], [None], {}]), place=strategies.data()
)
def test_no_change_of_a_sound_body_breaks_it(site: Site, value: object, place: strategies.DataObject) -> None:
    event, payload = place.draw(
        strategies.sampled_from(
            [("pull_request", github_pull()), ("issue_comment", github_comment()), ("repository_dispatch", relayed())]
        )
    )
    node = payload
    while True:
        key = place.draw(strategies.sampled_from(sorted(node)))
        if not (isinstance(node[key], dict) and node[key] and place.draw(strategies.booleans())):
            break
        node = node[key]
    node[key] = value
    body = json.dumps(payload).encode()
    assert site.github(event, body).status_code in {202, 400}


@pytest.mark.parametrize("section", ["github", "atomgit"])
def test_it_does_not_start_open_to_everybody(section: str) -> None:
    kind = {"github": GithubSettings, "atomgit": AtomgitSettings}[section]
    given = Settings.model_validate({section: kind(repositories=("kiln/glaze",))})
    services = Services(given, MemoryDeliveries(), MemoryQueue())
    with pytest.raises(SettingsError, match=rf"{section}\.webhook_secret"):
        create_app(services)


def test_a_forge_that_nobody_configured_is_not_answered() -> None:
    with running(settings(github=GithubSettings())) as site:
        assert site.github("pull_request", github_pull()).status_code == 404
        assert site.client.get("/webhooks/github").status_code == 405


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", {}, 202),
        ("::1", {}, 202),
        ("10.0.0.9", {}, 403),
        ("localhost", {}, 403),  # a name is nobody's address
        ("127.0.0.1", {"x_forwarded_for": "10.0.0.9"}, 403),
    ],
)
def test_without_a_secret_only_this_machine(client: str, headers: dict[str, str], status: int) -> None:
    with running(settings(github=GithubSettings()), insecure_local=True, client=(client, 9)) as site:
        assert site.github("pull_request", github_pull(), x_hub_signature_256="", **headers).status_code == status


def test_a_secret_counts_on_this_machine_too() -> None:
    with running(insecure_local=True) as site:
        assert site.github("pull_request", github_pull(), x_hub_signature_256="").status_code == 401


def test_a_connection_that_breaks_stores_nothing(site: Site) -> None:
    scope = {"type": "http", "method": "POST", "path": "/webhooks/github", "headers": [], "query_string": b""}
    told: list[Any] = [
        {"type": "http.request", "body": b'{"act', "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return told.pop(0)

    async def send(_message: Any) -> None:
        """Nobody listens any more."""

    asyncio.run(site.client.app(scope, receive, send))  # type: ignore[arg-type]
    assert not site.deliveries.rows
    assert site.count("deliveries_total", forge="github", event="none", outcome="cut_off") == 1
