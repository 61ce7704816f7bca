"""The model writer over HTTP: drafts, second attempts, fallbacks, repair, memory, money."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reviewbot.drafting.model.memory import Memory
from reviewbot.drafting.model.prompt_files import prompt_names
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Finding, FindingKind, Verdict
from tests.reviewbot.model_cases import dossier, model_writer
from tests.support import values
from tests.support.scripted_model import (
    GOOD,
    Reply,
    Request,
    ScriptedModel,
    answers,
    calls,
    closed_port,
    fails,
    says,
    scripted_model,
)

PRICES: dict[str, Any] = {"price_in": 2.0, "price_cached": 0.5, "price_out": 8.0}
FINDING = Finding(kind=FindingKind.UNKNOWN_ID, sentence="见 [E9]。", message="证据清单中没有 E9")
ENGLISH = "torch_npu patches spin [E1] and nothing else is touched by this change, so run the tests again."


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


@pytest.fixture
def server(running: ScriptedModel) -> ScriptedModel:
    running.requests.clear()
    running.otherwise = lambda _: answers()
    return running


def told(request: Request) -> str:
    return "\n".join(str(message["content"]) for message in request.body["messages"])


# --- a draft ----------------------------------------------------------------------------------------------------------


def test_a_draft(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url, capability="json_schema") as writer:
        written = writer.write(dossier())
        assert writer.name == "small"
        assert writer.versions == {"prompts": prompt_names("system"), "model": "small"}
    assert written.draft.labels.verdict is Verdict.TEST
    assert written.draft.summary == GOOD["summary"]
    assert written.draft.analysis == GOOD["analysis"]
    assert written.draft.needs_work_score == 0.4
    assert written.draft.writer == "small"
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert request.body["temperature"] == 0
    assert request.body["max_tokens"] == 2500


def test_a_model_of_little_context(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url, context_tokens=4_096, max_output_tokens=700) as writer:
        first = writer.write(dossier())
        writer.repair(dossier(), first, [FINDING] * 12)
        assert writer.versions["prompts"] == prompt_names("brief")
    assert len(server.requests) == 2


def test_tokens_and_cost(tmp_path: Path, server: ScriptedModel) -> None:
    server.play(says(json.dumps(GOOD), prompt=10_000, cached=8_000, completion=500))
    with model_writer(tmp_path, server.base_url, **PRICES) as writer:
        usage = writer.write(dossier()).usage
    assert (usage.calls, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens) == (1, 10_000, 8_000, 500)
    assert usage.cost == pytest.approx((2_000 * 2 + 8_000 * 0.5 + 500 * 8) / 1e6)
    assert usage.seconds > 0


def test_without_prices_there_is_no_cost(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url) as writer:
        assert writer.write(dossier()).usage.cost is None


def test_cached_tokens_as_deepseek_tells_them(tmp_path: Path, server: ScriptedModel) -> None:
    reply = answers()
    assert isinstance(reply.body, dict)
    reply.body["usage"] = {"prompt_tokens": 90, "completion_tokens": 9, "prompt_cache_hit_tokens": 64}
    server.play(reply)
    with model_writer(tmp_path, server.base_url) as writer:
        assert writer.write(dossier()).usage.cached_tokens == 64


def test_an_endpoint_that_tells_no_tokens_is_estimated(tmp_path: Path, server: ScriptedModel) -> None:
    reply = answers()
    assert isinstance(reply.body, dict)
    reply.body["usage"] = None
    server.play(reply)
    with model_writer(tmp_path, server.base_url) as writer:
        usage = writer.write(dossier()).usage
    assert usage.prompt_tokens > 3_000
    assert usage.completion_tokens > 50


def test_one_writer_serves_many_threads(tmp_path: Path, server: ScriptedModel) -> None:
    cases = [dossier(values.patch(scope=f"spin_{number}")) for number in range(24)]
    with model_writer(tmp_path, server.base_url, **PRICES) as writer, ThreadPoolExecutor(8) as pool:
        written = list(pool.map(writer.write, cases))
    assert {one.usage.calls for one in written} <= {1}
    assert len({told(request) for request in server.requests}) == 24
    assert Memory(tmp_path / "model.sqlite").spending()[0].usage.calls == 24


# --- answers of no use ------------------------------------------------------------------------------------------------

USELESS = [
    (says("", finish="length"), WriterFault.TRUNCATED),
    (says('{"verdict": "Test", "analysis": "很长', finish="length"), WriterFault.TRUNCATED),
    (says(""), WriterFault.EMPTY),
    (says(None), WriterFault.EMPTY),
    (says("这个 PR 没有影响。"), WriterFault.INVALID),
    (says('{"verdict": "Test"}'), WriterFault.INVALID),
    (answers(verdict="Fail"), WriterFault.INVALID),
    (answers(needs_adaptation="可能"), WriterFault.INVALID),
    (answers(needs_work_score=7), WriterFault.INVALID),
    (answers(analysis=...), WriterFault.INVALID),
    (calls("{"), WriterFault.INVALID),
]


@pytest.mark.parametrize(("reply", "fault"), USELESS)
def test_an_answer_of_no_use_twice(tmp_path: Path, server: ScriptedModel, reply: Reply, fault: WriterFault) -> None:
    server.otherwise = lambda _: reply
    with (
        model_writer(tmp_path, server.base_url, capability="json_mode", **PRICES) as writer,
        pytest.raises(WriterError) as caught,
    ):
        writer.write(dossier())
    assert caught.value.fault is fault
    spent = caught.value.usage
    assert spent is not None
    assert spent.calls == len(server.requests)
    assert spent.prompt_tokens == 1_000 * spent.calls
    assert spent.cost is not None
    assert spent.cost > 0


@pytest.mark.parametrize("reply", [says(None, refusal="I can't help @you."), says("", finish="content_filter")])
def test_a_model_that_declines_is_not_pressed(tmp_path: Path, server: ScriptedModel, reply: Reply) -> None:
    server.otherwise = lambda _: reply
    with model_writer(tmp_path, server.base_url) as writer, pytest.raises(WriterError) as caught:
        writer.write(dossier())
    assert caught.value.fault is WriterFault.REFUSED
    assert caught.value.usage is not None
    assert caught.value.usage.calls == len(server.requests) == 1
    assert "@you" not in str(caught.value)


def test_a_model_that_knows_no_chinese_leaves_it_to_verification(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda _: answers(analysis=ENGLISH)
    with model_writer(tmp_path, server.base_url, capability="json_mode", **PRICES) as writer:
        written = writer.write(dossier())
        assert writer.write(dossier()).usage.calls == 2, "what is of no use is not remembered"
    assert ENGLISH in written.draft.analysis
    assert (written.usage.calls, written.usage.prompt_tokens) == (2, 2_000)


def test_another_model_is_asked_before_a_foreign_answer_is_taken(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda request: fails(503) if request.model == "third" else answers(analysis=ENGLISH)
    with model_writer(tmp_path, server.base_url, fallbacks=("third",), retries=0) as writer:
        written = writer.write(dossier())
    assert ENGLISH in written.draft.analysis
    assert [request.model for request in server.requests][-1] == "third"


@pytest.mark.parametrize("reply", [*(reply for reply, _ in USELESS), answers(analysis=ENGLISH)])
def test_the_second_attempt_says_what_was_wrong(tmp_path: Path, server: ScriptedModel, reply: Reply) -> None:
    server.play(reply)
    with model_writer(tmp_path, server.base_url, capability="json_mode") as writer:
        written = writer.write(dossier())
    assert written.usage.calls == 2
    first, second = server.requests
    assert told(second).startswith(told(first))
    added = second.body["messages"][2:]
    assert added[-1]["role"] == "user"
    assert "JSON" in added[-1]["content"]


def test_a_cut_answer_gets_more_room(tmp_path: Path, server: ScriptedModel) -> None:
    server.play(says("{", finish="length"))
    with model_writer(tmp_path, server.base_url, max_output_tokens=700) as writer:
        writer.write(dossier())
    assert [request.body["max_tokens"] for request in server.requests] == [700, 1400]
    assert "200 字" in told(server.requests[1])


def test_a_whole_answer_at_the_limit_is_an_answer(tmp_path: Path, server: ScriptedModel) -> None:
    server.play(says(json.dumps(GOOD), finish="length"))
    with model_writer(tmp_path, server.base_url) as writer:
        assert writer.write(dossier()).usage.calls == 1


def test_a_prompt_beyond_the_context_is_not_sent(tmp_path: Path, server: ScriptedModel) -> None:
    with (
        model_writer(tmp_path, server.base_url, context_tokens=1_500, max_output_tokens=1_000) as writer,
        pytest.raises(WriterError, match="context_tokens") as caught,
    ):
        writer.write(dossier())
    assert caught.value.fault is WriterFault.REJECTED
    assert not server.requests


# --- fallbacks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "failure", [fails(404, "no such model"), fails(503), says(None, refusal="no"), answers(verdict="x"), fails(403)]
)
def test_another_model_may_do_better(tmp_path: Path, server: ScriptedModel, failure: Reply) -> None:
    server.otherwise = lambda request: answers() if request.model == "third" else failure
    options: dict[str, Any] = {"capability": "json_mode", "retries": 0, "fallbacks": ("second", "third")}
    with model_writer(tmp_path, server.base_url, **options) as writer:
        written = writer.write(dossier())
    assert written.draft.writer == "third"
    assert list(dict.fromkeys(request.model for request in server.requests)) == ["small", "second", "third"]
    useless = [request for request in server.requests if request.model != "third" and failure.status == 200]
    assert written.usage.calls == 1 + len(useless), "what failed is paid for as well"


def test_no_model_does_better_with_a_wrong_key(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda _: fails(401, "bad key")
    with model_writer(tmp_path, server.base_url, fallbacks=("second",)) as writer, pytest.raises(WriterError):
        writer.write(dossier())
    assert len(server.requests) == 1


def test_every_model_that_failed_is_named(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda request: fails(404, f"{request.model} is unknown")
    with (
        model_writer(tmp_path, server.base_url, fallbacks=("second",), capability="prompted") as writer,
        pytest.raises(WriterError) as caught,
    ):
        writer.write(dossier())
    assert "small HTTP 404：small is unknown；second HTTP 404：second is unknown" in str(caught.value)


# --- repair -----------------------------------------------------------------------------------------------------------


def test_a_repair_shows_answer_and_objections(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url, **PRICES) as writer:
        first = writer.write(dossier())
        server.play(answers(analysis="torch_npu 以赋值式 patch 替换了 spin [E1]。"))
        second = writer.repair(dossier(), first, [FINDING])
    assert second is not None
    assert second.draft.analysis == "torch_npu 以赋值式 patch 替换了 spin [E1]。"
    assert second.usage.calls == 2
    assert second.usage.prompt_tokens == 2_000
    assert second.usage.cost == pytest.approx(2 * (first.usage.cost or 0))
    messages = server.requests[1].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[:2] == server.requests[0].body["messages"], "the provider has these cached"
    assert json.loads(messages[2]["content"])["analysis"] == GOOD["analysis"]
    assert "见 [E9]。" in messages[3]["content"]
    assert "证据清单中没有 E9" in messages[3]["content"]


def test_a_long_list_of_objections_is_cut(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url) as writer:
        writer.repair(dossier(), writer.write(dossier()), [FINDING] * 30)
    asked = server.requests[1].body["messages"][3]["content"]
    assert asked.count("见 [E9]。") == 12
    assert "另有 18 条" in asked


def test_a_repair_that_fails_leaves_the_first_draft(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url, capability="json_mode", **PRICES) as writer:
        first = writer.write(dossier())
        server.play(says("不"), says("不"))
        second = writer.repair(dossier(), first, [FINDING])
    assert second is not None
    assert second.draft == first.draft
    assert second.usage.calls == 3
    assert (second.usage.cost or 0) > (first.usage.cost or 0)


# --- memory -----------------------------------------------------------------------------------------------------------


def test_an_identical_request_is_answered_from_memory(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url, **PRICES) as writer:
        first = writer.write(dossier())
    with model_writer(tmp_path, server.base_url, **PRICES) as later:
        again = later.write(dossier())
    assert again.draft == first.draft
    assert (again.usage.calls, again.usage.prompt_tokens, again.usage.cost) == (0, 0, 0.0)
    assert len(server.requests) == 1


def test_memory_answers_without_an_endpoint(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url) as writer:
        first = writer.write(dossier())
        server.otherwise = lambda _: fails(503)
        assert writer.write(dossier()).draft == first.draft


@pytest.mark.parametrize("change", [{"name": "other"}, {"temperature": 0.7}, {"max_output_tokens": 900}])
def test_another_model_or_parameter_is_another_request(
    tmp_path: Path, server: ScriptedModel, change: dict[str, Any]
) -> None:
    with model_writer(tmp_path, server.base_url) as writer:
        writer.write(dossier())
    with model_writer(tmp_path, server.base_url, **change) as other:
        assert other.write(dossier()).usage.calls == 1


def test_another_dossier_is_another_request(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url) as writer:
        writer.write(dossier())
        assert writer.write(dossier(values.reference())).usage.calls == 1


def test_a_memory_that_cannot_be_used(tmp_path: Path, server: ScriptedModel) -> None:
    (tmp_path / "model.sqlite").write_bytes(b"no database, but long enough to be taken for one" * 30)
    with model_writer(tmp_path, server.base_url) as writer, pytest.raises(WriterError, match=r"model\.sqlite"):
        writer.write(dossier())


# --- caps -------------------------------------------------------------------------------------------------------------


def test_a_cap_for_one_analysis(tmp_path: Path, server: ScriptedModel) -> None:
    with (
        model_writer(tmp_path, server.base_url, cost_per_analysis=0.001, **PRICES) as writer,
        pytest.raises(WriterError, match=r"cost_per_analysis 为 0\.001") as caught,
    ):
        writer.write(dossier())
    assert caught.value.fault is WriterFault.OVER_BUDGET
    assert not server.requests


def test_the_cap_holds_for_the_repair_as_well(tmp_path: Path, server: ScriptedModel) -> None:
    with model_writer(tmp_path, server.base_url, cost_per_analysis=0.04, **PRICES) as writer:
        server.play(says(json.dumps(GOOD), prompt=5_000, completion=2_500))
        first = writer.write(dossier())
        second = writer.repair(dossier(), first, [FINDING])
    assert first.usage.cost == pytest.approx(0.03)
    assert second == first
    assert len(server.requests) == 1


def test_a_cap_for_the_day(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda _: says(json.dumps(GOOD), prompt=5_000, completion=2_500)
    with model_writer(tmp_path, server.base_url, cost_per_day=0.08, **PRICES) as writer:
        writer.write(dossier())
        writer.write(dossier(values.reference()))
        with pytest.raises(WriterError, match=r"今天已用 0\.06 CNY.*cost_per_day 为 0\.08"):
            writer.write(dossier(values.hook()))
    assert len(server.requests) == 2
    (spent,) = Memory(tmp_path / "model.sqlite").spending()
    assert (spent.day, spent.model, spent.usage.calls) == ("2026-03-04", "small", 2)
    assert spent.usage.cost == pytest.approx(0.06)


def test_a_request_that_failed_costs_nothing_of_the_day(tmp_path: Path, server: ScriptedModel) -> None:
    server.otherwise = lambda _: fails(503)
    with model_writer(tmp_path, server.base_url, cost_per_day=0.05, **PRICES) as writer:
        for _ in range(3):
            with pytest.raises(WriterError) as caught:
                writer.write(dossier())
            assert caught.value.fault is WriterFault.UNAVAILABLE
    assert Memory(tmp_path / "model.sqlite").spending() == ()


def test_no_service_is_needed_to_make_one(tmp_path: Path) -> None:
    with model_writer(tmp_path, closed_port()) as writer:
        assert writer.name == "small"
