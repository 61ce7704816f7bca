"""A real model behind the endpoint settings: wiring, shape, limits, repair. Never quality: its Chinese is unusable."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals import miniature
from evals.local_model.errors import LocalModelError
from evals.local_model.narrating import NarratingWriter
from evals.local_model.server import CONTEXT_TOKENS, LocalServer, local_server, settings_for
from evals.local_model.showing import miniature_changes, show
from evals.local_model.weights import find_weights
from evals.workbench import open_workbench
from reviewbot.drafting.model.answer import answer_schema
from reviewbot.drafting.model.asking import judged
from reviewbot.drafting.model.capabilities import body_of, first_manner
from reviewbot.drafting.model.endpoint import Endpoint, Reply
from reviewbot.drafting.model.faults import CallError
from reviewbot.drafting.model.memory import Memory
from reviewbot.drafting.model.prompt import Message
from reviewbot.drafting.model.tokens import Counter
from reviewbot.drafting.model.writer import ModelWriter
from reviewbot.errors import WriterFault

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    """The model, served. Without the packages a test skips, unless ``REQUIRE_LOCAL_MODEL`` is set: then it fails."""
    try:
        weights = find_weights()
    except LocalModelError as error:
        if os.environ.get("REQUIRE_LOCAL_MODEL"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    with local_server(weights) as running:
        yield running


def asked(server: LocalServer, question: str, limit: int) -> Reply:
    settings = settings_for(server)
    with Endpoint(settings, "") as endpoint:
        return endpoint.ask("any", [Message("user", question)], body_of(first_manner(settings), settings, limit))


def test_an_answer_arrives_with_its_tokens(server: LocalServer) -> None:
    question = "Review this change."
    reply = asked(server, question, 40)
    assert reply.text.lstrip().startswith("{")
    assert reply.prompt_tokens is not None
    assert reply.prompt_tokens >= server.count(question) > 0
    assert reply.completion_tokens is not None
    assert 0 < reply.completion_tokens <= 40


def test_the_schema_binds_the_answer(server: LocalServer) -> None:
    """Labels are generated first, in order: whatever the length limit cuts off, they are of the enumerations."""
    reply = asked(server, "Say hello and nothing else.", 300)
    at = 0
    for name, schema in answer_schema()["properties"].items():
        if name in ("needs_work_score", "summary", "analysis"):
            continue
        at = reply.text.index(f'"{name}"', at)
        value = reply.text[at:].partition(":")[2].partition(",")[0].strip().strip('"')
        assert value in {"null" if one is None else one for one in schema["enum"]}


def test_an_answer_at_the_length_limit_is_truncated(server: LocalServer) -> None:
    reply = asked(server, "Review this change.", 20)
    assert reply.finish == "length"
    fault = judged(reply)
    assert isinstance(fault, CallError)
    assert fault.fault is WriterFault.TRUNCATED


def test_a_request_over_the_context_is_rejected_with_its_size(server: LocalServer) -> None:
    with pytest.raises(CallError) as caught:
        asked(server, "word " * (CONTEXT_TOKENS + 100), 20)
    assert caught.value.fault is WriterFault.REJECTED
    assert caught.value.detail.startswith("HTTP 400：")
    assert str(CONTEXT_TOKENS) in caught.value.detail


def test_nothing_it_makes_up_is_printed(server: LocalServer, tmp_path: Path) -> None:
    """The whole path on a prompt cut to its bound: an answer of the right shape, a second round, removals, the end."""
    base, downstream = miniature.write_trees(tmp_path)
    settings = settings_for(server)
    lines: list[str] = []
    with (
        open_workbench(base, downstream, tmp_path / "cache") as bench,
        ModelWriter(settings, Memory(tmp_path / "model.sqlite"), counter=Counter(server.count, factor=1.0)) as writer,
    ):
        narrated = NarratingWriter(writer, server.count, settings.prompt_tokens, lines.append)
        proved = show(bench, narrated, miniature_changes(), lines.append)
    said = "\n".join(lines)
    assert proved, said
    assert "收到应答，符合 schema" in said
    assert "条异议，返工一次" in said
    assert "终态：evidence_insufficient" in said


def test_the_server_is_gone_after_its_block(server: LocalServer) -> None:
    with local_server(find_weights()) as other:
        assert other.address != server.address
    with pytest.raises(OSError, match="refused"):
        other.count("anyone?")
