"""Alive, ready, figures: what the pages of the web process say."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from reviewbot.errors import StoreUnavailableError
from reviewbot.models import AnalysisState, Usage
from reviewbot.web.health import health
from reviewbot.web.metrics import Metrics
from reviewbot.web.services import Probe
from tests.reviewbot.web.site import running
from tests.support.payloads import github_pull


def unreachable() -> str:
    raise StoreUnavailableError("db", "refused")


def broken() -> str:
    raise RuntimeError("password=hunter2hunter2")


def test_alive_whatever_else_fails() -> None:
    with running(probes=(Probe("database", unreachable),)) as site:
        assert site.client.get("/healthz").text == "ok\n"


def test_ready_when_every_probe_says_so() -> None:
    with running(probes=(Probe("database", lambda: ""), Probe("queue", lambda: ""))) as site:
        answer = site.client.get("/readyz")
        assert (answer.status_code, answer.json()) == (200, {"ready": ["database", "queue"]})


@pytest.mark.parametrize(
    ("check", "told"), [(lambda: "two days old", "two days old"), (unreachable, "refused"), (broken, "")]
)
def test_what_is_not_ready_is_named(check: Callable[[], str], told: str) -> None:
    with running(probes=(Probe("database", lambda: ""), Probe("trees", check))) as site:
        answer = site.client.get("/readyz")
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "application/problem+json"
        assert list(answer.json()["not_ready"]) == ["trees"]
        assert told in answer.json()["not_ready"]["trees"]
        assert "hunter2" not in answer.text


def test_a_probe_that_hangs_is_not_waited_for() -> None:
    gate = threading.Event()
    app = FastAPI()
    app.include_router(health([Probe("queue", lambda: str(gate.wait(30)))], Metrics(), probe_seconds=0.05))
    with TestClient(app) as client:
        try:
            assert list(client.get("/readyz").json()["not_ready"]) == ["queue"]
        finally:
            gate.set()


def test_depths_are_read_when_somebody_scrapes() -> None:
    with running() as site:
        site.queue.gate.clear()
        site.github("pull_request", github_pull())
        page = site.client.get("/metrics").text
        assert 'reviewbot_stored_deliveries{state="received"} 1.0' in page
        site.github("ping", {}, "d-2")
        assert 'reviewbot_stored_deliveries{state="ignored"} 1.0' in site.client.get("/metrics").text
        site.queue.gate.set()


def test_a_source_that_is_down_takes_no_other_figure_with_it() -> None:
    with running() as site:
        site.deliveries.down = True
        page = site.client.get("/metrics").text
        assert 'reviewbot_up{source="store"} 0.0' in page
        assert 'reviewbot_up{source="queue"} 1.0' in page
        assert 'reviewbot_queue_jobs{state="waiting"} 0.0' in page
        assert "reviewbot_stored_deliveries" not in page


def test_steps_are_timed_and_their_failures_counted() -> None:
    metrics = Metrics()
    with metrics.step("draft"):
        pass
    with pytest.raises(ValueError, match="no"), metrics.step("draft"):
        raise ValueError("no")
    read = metrics.registry.get_sample_value
    assert read("reviewbot_step_seconds_count", {"step": "draft"}) == 2
    assert read("reviewbot_step_failures_total", {"step": "draft"}) == 1


def test_what_the_work_cost_and_how_it_ended() -> None:
    metrics = Metrics()
    metrics.model(Usage(calls=2, prompt_tokens=100, cached_tokens=60, completion_tokens=7, cost=0.5, currency="CNY"))
    metrics.model(Usage(calls=1))
    metrics.verification_failed("places")
    metrics.forge_failed("github", "rate_limited")
    metrics.analysis(AnalysisState.DONE)
    page = metrics.exposition().decode()
    for line in (
        "reviewbot_model_calls_total 3.0",
        'reviewbot_model_tokens_total{kind="prompt"} 100.0',
        'reviewbot_model_cost_total{currency="CNY"} 0.5',
        'reviewbot_verification_failures_total{check="places"} 1.0',
        'reviewbot_forge_errors_total{fault="rate_limited",forge="github"} 1.0',
        'reviewbot_analyses_total{state="done"} 1.0',
    ):
        assert line in page


def test_an_unknown_page_is_a_problem() -> None:
    with running() as site:
        answer = site.client.get("/nowhere")
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
