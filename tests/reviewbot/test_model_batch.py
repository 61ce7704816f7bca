"""Batch files: requests as the writer would send them, answers from anyone, and every line that is of no use named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewbot.drafting.model.batch import BatchWriter, batch_line, read_batch, request_for, request_id
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Decision, NeedsAdaptation, Verdict
from reviewbot.settings import Capability, ModelSettings
from tests.reviewbot.model_cases import COUNTER, HARSH, dossier, model_writer, settings
from tests.support import values
from tests.support.scripted_model import GOOD, answers, calls, fails, says, scripted_model


def line(custom_id: str, body: object, status: int = 200, error: object = None) -> str:
    response = {"status_code": status, "request_id": "r", "body": body}
    return json.dumps({"id": "b", "custom_id": custom_id, "response": response, "error": error}, ensure_ascii=False)


def request(**changes: Any) -> dict[str, Any]:
    asked = request_for(dossier(), settings(**changes), COUNTER)
    return dict(json.loads(batch_line(request_id(asked), asked.messages, settings(**changes))))


def test_a_request_in_the_batch_format() -> None:
    given = request()
    asked = request_for(dossier(), settings(), COUNTER)
    assert list(given) == ["custom_id", "method", "url", "body"]
    assert given["custom_id"] == request_id(asked)
    assert (given["method"], given["url"]) == ("POST", "/v1/chat/completions")
    assert given["body"]["model"] == "small"
    assert [one["content"] for one in given["body"]["messages"]] == [one.content for one in asked.messages]
    assert given["body"]["response_format"] == {"type": "json_object"}
    assert given["body"]["max_tokens"] == 2500
    assert "\n" not in batch_line("x", asked.messages, settings())


def test_the_form_can_be_forced() -> None:
    given = request(capability=Capability.JSON_SCHEMA)
    assert given["body"]["response_format"]["type"] == "json_schema"


def test_a_request_holds_no_key() -> None:
    assert "sk-" not in json.dumps(request(api_key="sk-0123456789abcdefghij"))


def test_a_batch_needs_a_model_name() -> None:
    with pytest.raises(ValueError, match=r"model\.name"):
        batch_line("x", (), ModelSettings())


def test_the_request_is_the_one_that_would_be_sent(tmp_path: Path) -> None:
    with scripted_model() as server, model_writer(tmp_path, server.base_url) as writer:
        writer.write(dossier())
        sent = server.requests[0].body["messages"]
    assert request()["body"]["messages"] == sent


def test_names_follow_the_content() -> None:
    dossiers = dossier(values.hook()), dossier(values.patch())
    one, other = (request_id(request_for(each, settings(), COUNTER)) for each in dossiers)
    assert one != other
    assert len(one) <= 64


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (line("a", answers().body), None),
        (line("a", calls(json.dumps(GOOD)).body), None),
        ("\ufeff" + line("a", answers().body), None),
        (line("a", fails(400, "bad").body, 400), WriterFault.REJECTED),
        (line("a", None, 200, {"code": "batch_expired", "message": "expired"}), WriterFault.REJECTED),
        (line("a", {"error": {"message": "broken"}}), WriterFault.REJECTED),
        (line("a", {"choices": []}), WriterFault.INVALID),
        (line("a", {"choices": [{"message": "x"}]}), WriterFault.INVALID),
        (line("a", {}), WriterFault.INVALID),
        (json.dumps({"custom_id": "a"}), WriterFault.INVALID),
        (line("a", says("不是 JSON").body), WriterFault.INVALID),
        (line("a", answers(risk="huge").body), WriterFault.INVALID),
        (line("a", says("{", finish="length").body), WriterFault.TRUNCATED),
        (line("a", says("").body), WriterFault.EMPTY),
        (line("a", says(None, refusal="no").body), WriterFault.REFUSED),
        (line("a", answers(analysis="All is well with torch_npu here.").body), None),  # verification takes it out
    ],
)
def test_lines_of_answers(given: str, fault: WriterFault | None) -> None:
    found = read_batch([given])
    assert not found.problems
    answer = found.by_id["a"]
    assert answer.fault is fault
    assert (answer.answer is None) is (fault is not None)


@pytest.mark.parametrize("bad", ["{", "[1]", '"x"', "[" * 100_000])
def test_a_line_that_is_no_object_is_named_and_nothing_else_is_lost(bad: str) -> None:
    found = read_batch([line("a", answers().body), "", bad, line("b", answers().body)])
    assert set(found.by_id) == {"a", "b"}
    assert found.problems == ("第 3 行：不是 JSON 对象",)


def test_a_line_without_an_id_is_named() -> None:
    assert read_batch(["{}", '{"custom_id": 3}']).problems == ("第 1 行：缺少 custom_id", "第 2 行：缺少 custom_id")


def test_the_last_answer_of_an_id_counts() -> None:
    found = read_batch([line("a", says("").body), line("a", answers().body)])
    assert found.by_id["a"].answer is not None


def test_tokens_and_cost_are_read() -> None:
    priced = settings(price_in=2.0, price_out=8.0)
    usage = read_batch([line("a", says(json.dumps(GOOD), prompt=1000, completion=500).body)], priced).by_id["a"].usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (1, 1000, 500)
    assert usage.cost == pytest.approx((1000 * 2 + 500 * 8) / 1e6)


def written_from(*lines: str, **of_dossier: Any) -> BatchWriter:
    return BatchWriter(read_batch(lines), settings(), counter=COUNTER)


def test_a_writer_over_answers() -> None:
    name = request_id(request_for(dossier(), settings(), COUNTER))
    writer = written_from(line(name, answers().body))
    written = writer.write(dossier())
    assert written.draft.writer == "m", "the model that the line names"
    assert written.draft.labels.verdict is Verdict.TEST
    assert written.usage.calls == 1
    assert set(writer.versions) == {"prompts", "model"}
    assert writer.name == "small"


@pytest.mark.parametrize(
    ("body", "fault"), [(says("").body, WriterFault.EMPTY), (fails(429).body, WriterFault.REJECTED)]
)
def test_a_fault_in_the_file_is_a_fault_of_the_writer(body: object, fault: WriterFault) -> None:
    name = request_id(request_for(dossier(), settings(), COUNTER))
    with pytest.raises(WriterError) as caught:
        written_from(line(name, body)).write(dossier())
    assert caught.value.fault is fault


def test_an_answer_to_another_prompt_is_not_used() -> None:
    name = request_id(request_for(dossier(values.hook()), settings(), COUNTER))
    with pytest.raises(WriterError) as caught:
        written_from(line(name, answers().body)).write(dossier())
    assert caught.value.fault is WriterFault.MISSING


def test_guards_hold_for_answers_from_anyone() -> None:
    case = dossier(labels=HARSH, decision=Decision.DECIDED)
    name = request_id(request_for(case, settings(), COUNTER))
    draft = written_from(line(name, answers(verdict="Check", needs_adaptation="否").body)).write(case).draft
    assert draft.labels.needs_adaptation is NeedsAdaptation.YES
