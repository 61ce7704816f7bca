"""How an endpoint is held to the shape of an answer: found out once, remembered, or forced."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewbot.drafting.model.capabilities import LADDER, Manner, first_manner, next_manner
from reviewbot.errors import WriterError, WriterFault
from reviewbot.settings import Capability
from tests.reviewbot.model_cases import dossier, model_writer, settings
from tests.support import values
from tests.support.scripted_model import GOOD as GOOD_ANSWER
from tests.support.scripted_model import Reply, Request, ScriptedModel, answers, calls, fails, says, scripted_model

GOOD = json.dumps(GOOD_ANSWER, ensure_ascii=False)


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


@pytest.fixture
def server(running: ScriptedModel) -> ScriptedModel:
    running.requests.clear()
    return running


def only(*able: str, status: int = 400, said: str = "unknown parameter") -> Callable[[Request], Reply]:
    """An endpoint that refuses every form but these."""

    def reply(request: Request) -> Reply:
        if request.capability not in able:
            return fails(status, said)
        return calls(GOOD) if request.capability == "function_calling" else answers()

    return reply


def asked(server: ScriptedModel) -> list[str]:
    return [request.capability for request in server.requests]


@pytest.mark.parametrize("capability", LADDER)
def test_the_strictest_form_that_an_endpoint_takes(
    tmp_path: Path, server: ScriptedModel, capability: Capability
) -> None:
    server.otherwise = only(capability.value)
    with model_writer(tmp_path, server.base_url) as writer:
        assert writer.write(dossier()).draft.labels.verdict == "Test"
    assert asked(server) == [one.value for one in LADDER[: LADDER.index(capability) + 1]]


def test_what_was_found_is_remembered_by_endpoint_and_model(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = only("json_mode", "prompted")
    with model_writer(tmp_path, server.base_url) as writer:
        writer.write(dossier())
        writer.write(dossier(values.reference()))
    assert asked(server) == ["json_schema", "function_calling", "json_mode", "json_mode"]
    with model_writer(tmp_path, server.base_url) as later:
        later.write(dossier(values.hook()))
    assert asked(server)[4:] == ["json_mode"]
    with model_writer(tmp_path, server.base_url, name="other") as other:
        other.write(dossier(values.hook()))
    assert asked(server)[5:] == ["json_schema", "function_calling", "json_mode"]


def test_what_was_remembered_may_change(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = only("json_schema")
    with model_writer(tmp_path, server.base_url) as writer:
        writer.write(dossier())
        server.otherwise = only("prompted", said="response_format is not supported")
        writer.write(dossier(values.hook()))
    assert asked(server) == ["json_schema", "json_schema", "function_calling", "json_mode", "prompted"]


@pytest.mark.parametrize("capability", LADDER)
def test_a_form_can_be_forced(tmp_path: Path, server: ScriptedModel, capability: Capability) -> None:
    server.otherwise = only(capability.value)
    with model_writer(tmp_path, server.base_url, capability=capability) as writer:
        writer.write(dossier())
    assert asked(server) == [capability.value]
    server.otherwise = only()
    with (
        model_writer(tmp_path / "new", server.base_url, capability=capability) as writer,
        pytest.raises(WriterError, match="unknown parameter"),
    ):
        writer.write(dossier())
    assert asked(server) == [capability.value] * 2


def test_servers_that_fail_over_a_schema(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = only("function_calling", status=500, said="response_format should be 'text' or 'json_object'")
    with model_writer(tmp_path, server.base_url, retries=0) as writer:
        writer.write(dossier())
    assert asked(server) == ["json_schema", "function_calling"]


def test_a_form_that_is_taken_and_ignored(tmp_path: Path, server: ScriptedModel) -> None:
    prose = says("好的，没有影响。")
    server.otherwise = lambda request: answers() if request.capability == "function_calling" else prose
    with model_writer(tmp_path, server.base_url) as writer:
        written = writer.write(dossier())
    assert asked(server) == ["json_schema", "function_calling"]
    assert written.usage.calls == 2


def test_an_endpoint_that_refuses_everything(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = only(said="the server is closed")
    with (
        model_writer(tmp_path, server.base_url) as writer,
        pytest.raises(WriterError, match="the server is closed") as caught,
    ):
        writer.write(dossier())
    assert caught.value.fault is WriterFault.REJECTED
    assert asked(server) == [one.value for one in LADDER]


@pytest.mark.parametrize("status", [401, 403, 404, 429, 503])
def test_refusals_that_are_not_about_the_form(status: int) -> None:
    assert next_manner(first_manner(settings()), status, "go away", forced=False, proven=False) is None


def test_a_proven_form_is_not_doubted_for_other_reasons() -> None:
    manner = Manner(capability=Capability.JSON_SCHEMA)
    assert next_manner(manner, 400, "maximum context length is 10", forced=False, proven=True) is None
    assert next_manner(manner, 400, "json_schema is not supported", forced=False, proven=True) is not None


def test_parameters_that_newer_models_refuse(tmp_path: Path, server: ScriptedModel) -> None:
    def reply(request: Request) -> Reply:
        if "max_tokens" in request.body:
            return fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in request.body:
            return fails(400, "Unsupported value: 'temperature' does not support 0.0 with this model.")
        return answers()

    server.otherwise = reply
    with model_writer(tmp_path, server.base_url) as writer:
        writer.write(dossier())
        writer.write(dossier(values.hook()))
    assert len(server.requests) == 4
    assert asked(server) == ["json_schema"] * 4
    assert server.requests[3].body["max_completion_tokens"] == 2500


def test_openai_is_asked_in_its_own_words() -> None:
    assert first_manner(settings("https://api.openai.com/v1")).completion_limit
    assert first_manner(settings("https://team.openai.azure.com/openai/v1")).completion_limit
    assert not first_manner(settings("https://api.openai.com.evil.example/v1")).completion_limit
