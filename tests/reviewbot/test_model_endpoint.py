"""Every way in which an endpoint fails, over HTTP: the fault, the retries, the words, and no secret in any of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from time import time

import pytest

from reviewbot.errors import WriterError, WriterFault
from tests.reviewbot.model_cases import KEY, Waits, dossier, model_writer
from tests.support.scripted_model import Reply, ScriptedModel, answers, closed_port, fails, says, scripted_model


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


@pytest.fixture
def server(running: ScriptedModel) -> ScriptedModel:
    running.requests.clear()
    running.otherwise = lambda _: fails(418, "nothing was scripted")
    return running


def fault_of(folder: Path, base_url: str, waits: Waits | None = None, **changes: object) -> WriterError:
    changes = {"capability": "prompted", **changes}
    with (
        model_writer(folder, base_url, waits=waits, **changes) as writer,
        pytest.raises(WriterError) as caught,
    ):
        writer.write(dossier())
    return caught.value


@pytest.mark.parametrize(
    ("reply", "fault", "requests"),
    [
        (fails(401, "bad key"), WriterFault.REJECTED, 1),
        (fails(402, "Insufficient Balance"), WriterFault.REJECTED, 1),
        (fails(403, "no access"), WriterFault.REJECTED, 1),
        (fails(404, "no such model"), WriterFault.REJECTED, 1),
        (fails(400, "maximum context length is 8192 tokens", "context_length_exceeded"), WriterFault.REJECTED, 1),
        (fails(400, "Invalid schema for response_format"), WriterFault.REJECTED, 1),
        (fails(400, "Input data may contain inappropriate content.", "data_inspection_failed"), WriterFault.REFUSED, 1),
        (fails(413, "too large"), WriterFault.REJECTED, 1),
        (fails(429, "slow down"), WriterFault.RATE_LIMITED, 3),
        (fails(429, "You exceeded your current quota", "insufficient_quota"), WriterFault.REJECTED, 1),
        (fails(408, "too slow"), WriterFault.TIMEOUT, 3),
        (fails(500, "oops"), WriterFault.UNAVAILABLE, 3),
        (fails(503, "overloaded"), WriterFault.UNAVAILABLE, 3),
        (Reply(502, b"<html>Bad Gateway</html>"), WriterFault.UNAVAILABLE, 3),
        (Reply(200, b"<html>Please log in</html>"), WriterFault.INVALID, 3),
        (Reply(200, b"{"), WriterFault.INVALID, 3),
        (Reply(200, {"choices": None}), WriterFault.INVALID, 3),
        (Reply(200, {"choices": []}), WriterFault.INVALID, 3),
        (Reply(200, {"error": {"message": "broken"}}), WriterFault.INVALID, 3),
        (Reply(hang_up=True), WriterFault.UNAVAILABLE, 3),
    ],
)
def test_a_failing_endpoint(
    tmp_path: Path, server: ScriptedModel, reply: Reply, fault: WriterFault, requests: int
) -> None:
    server.otherwise = lambda _: reply
    error = fault_of(tmp_path, server.base_url)
    assert error.fault is fault
    assert len(server.requests) == requests
    assert error.usage is not None
    assert error.usage.calls == 0


def test_no_answer_in_time(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda _: Reply(delay=0.3)
    error = fault_of(tmp_path, server.base_url, timeout_seconds=0.05, retries=1)
    assert error.fault is WriterFault.TIMEOUT
    assert len(server.requests) == 2


def test_nobody_listens(tmp_path: Path) -> None:
    error = fault_of(tmp_path, closed_port(), retries=1, fallbacks=("other",))
    assert error.fault is WriterFault.UNAVAILABLE
    assert "refused" in str(error).lower()


def test_waits_double_and_end(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda _: fails(500)
    waits = Waits()
    fault_of(tmp_path, server.base_url, waits, retries=3)
    assert waits.seconds == [1.0, 2.0, 4.0]


def test_retry_after_is_kept_to(tmp_path: Path, server: ScriptedModel) -> None:
    waits = Waits()
    server.play(fails(429, Retry_After="7"), fails(503, Retry_After=formatdate(time() + 20, usegmt=True)), answers())
    with model_writer(tmp_path, server.base_url, waits=waits) as writer:
        written = writer.write(dossier())
    assert waits.seconds[0] == 7
    assert 15 < waits.seconds[1] <= 20
    assert written.usage.calls == 1


def test_a_wait_beyond_patience_is_not_waited_for(tmp_path: Path, server: ScriptedModel) -> None:
    waits = Waits()
    server.play(fails(429, Retry_After="3600"))
    error = fault_of(tmp_path, server.base_url, waits)
    assert error.fault is WriterFault.RATE_LIMITED
    assert "3600" in str(error)
    assert not waits.seconds
    assert len(server.requests) == 1


def test_a_retried_request_succeeds(tmp_path: Path, server: ScriptedModel) -> None:
    server.play(fails(500), Reply(hang_up=True), answers())
    with model_writer(tmp_path, server.base_url) as writer:
        assert writer.write(dossier()).draft.writer == "small"


def test_no_secret_leaves(tmp_path: Path, server: ScriptedModel) -> None:
    """Endpoints quote keys; neither the error nor what it came from may hold one."""
    server.play(
        fails(401, f"Incorrect API key provided: {KEY}. Authorization: Bearer {KEY} @admin https://evil.example/x")
    )
    error = fault_of(tmp_path, server.base_url)
    assert "401" in str(error)
    told = f"{error} {error!r} {error.detail} {error.__cause__!r} {error.__context__!r}"
    assert KEY not in told
    assert KEY[8:] not in told
    assert "@admin" not in told
    assert "https://" not in told
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_key_of_another_shape_is_masked_as_well(tmp_path: Path, server: ScriptedModel) -> None:
    from reviewbot.drafting.model.faults import masked

    assert masked("the key plainword is wrong", "plainword") == "the key ****** is wrong"


def test_keys_of_the_environment_are_not_sent(
    tmp_path: Path, server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reviewbot.drafting.model.endpoint import Endpoint
    from reviewbot.drafting.model.prompt import Message
    from tests.reviewbot.model_cases import settings

    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-host")
    monkeypatch.setenv("OPENAI_BASE_URL", closed_port())
    server.play(says("hello"))
    with Endpoint(settings(server.base_url), "") as endpoint:
        assert endpoint.ask("small", [Message("user", "hi")], {}).text == "hello"
    assert "another-host" not in str(server.requests[0].headers)


ASK = """
import sys
from reviewbot.drafting.model.endpoint import Endpoint
from reviewbot.drafting.model.prompt import Message
from reviewbot.settings import ModelSettings
with Endpoint(ModelSettings(base_url=sys.argv[1], name="m"), "") as endpoint:
    print(endpoint.ask("m", [Message("user", "hi")], {}).text)
"""


def test_nothing_leaves_for_a_host_that_the_settings_do_not_name(server: ScriptedModel) -> None:
    """LangChain would report every prompt to LangSmith, at the latest when the process ends."""
    server.play(says("hello"))
    with scripted_model() as smith:
        told = {"TRACING": "true", "TRACING_V2": "true", "ENDPOINT": smith.base_url, "API_KEY": "lsv2_pt_0123"}
        environ = {**os.environ, **{f"LANGSMITH_{name}": value for name, value in told.items()}}
        command = [sys.executable, "-c", ASK, server.base_url]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60)
        assert done.stdout == "hello\n"
        assert not smith.requests
