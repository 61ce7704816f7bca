"""Look-ups before the draft: a model names, code measures, and nothing else comes in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewbot.drafting.model.investigation import MOST_NAMES, names_in, with_counts
from reviewbot.drafting.writer import Dossier
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Decision
from tests.reviewbot.model_cases import dossier, model_writer
from tests.support import values
from tests.support.scripted_model import ScriptedModel, answers, fails, says, scripted_model

TREE = {"grind": (14, 6), "spin": (3, 2)}


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


@pytest.fixture
def server(running: ScriptedModel) -> ScriptedModel:
    running.requests.clear()
    running.otherwise = lambda _: answers()
    return running


def asked(*names: str) -> Dossier:
    """An open case whose change mentions the names, over a tree that holds those of ``TREE``."""
    given = dossier(change=values.change(title="Teach spin to be quiet", body=" ".join(names)))
    return replace(given, count=lambda word: TREE.get(word, (0, 0)))


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ('{"names": ["grind", "torch._mill.halt_all"]}', ("grind", "torch._mill.halt_all")),
        ('想好了：\n```json\n{"names": ["grind"]}\n```', ("grind",)),
        ('{"names": ["grind", "grind"]}', ("grind",)),
        ('{"names": []}', ()),
        ('{"names": "grind"}', ()),
        ('{"names": [1, null, ["grind"]]}', ()),
        ('{"names": ["never_seen"]}', ()),
        ('{"names": ["../etc/passwd", "gri.*", "grind\\n/lgtm", "a b", "@grind", "gr"]}', ()),
        ("no", ()),
        ("{" * 5000, ()),
        ("", ()),
    ],
)
def test_only_names_of_the_material_are_searched_for(answer: str, names: tuple[str, ...]) -> None:
    material = "torch._mill.halt_all calls grind; gri a b etc passwd lgtm gr"
    assert names_in(answer, material) == names


def test_no_more_than_so_many_names_count() -> None:
    many = [f"name_{number}" for number in range(20)]
    assert names_in(json.dumps({"names": many}), " ".join(many)) == tuple(many[:MOST_NAMES])


def test_a_zero_is_a_miss_with_the_next_id_and_hits_are_a_count() -> None:
    ledger = values.ledger(values.patch(), values.missing("halt"), values.missing("stop"))
    wider = with_counts(ledger, ["torch._mill.grind", "brake_all", "halt"], lambda word: TREE.get(word, (0, 0)))
    assert [(miss.id, miss.pattern) for miss in wider.misses] == [("Z1", "halt"), ("Z2", "stop"), ("Z3", "brake_all")]
    assert [(one.symbol, one.lines, one.files) for one in wider.counts] == [("torch._mill.grind", 14, 6)]
    assert wider.items == ledger.items


# --- over HTTP --------------------------------------------------------------------------------------------------------


def test_what_was_looked_up_is_in_the_ledger_and_before_the_model(tmp_path: Path, server: ScriptedModel) -> None:
    server.play(says('{"names": ["grind", "brake_all"]}', prompt=50, completion=5), answers())
    with model_writer(tmp_path, server.base_url, investigate=True) as writer:
        written = writer.write(asked("grind", "brake_all"))
        assert "investigate-1" in writer.versions["prompts"]
    assert written.ledger is not None
    assert [miss.pattern for miss in written.ledger.misses] == ["halt", "brake_all"]
    first, second = server.requests
    assert first.body["messages"][0] == second.body["messages"][0], "one prefix for both, so that it is cached"
    assert first.capability == "prompted"
    assert "[Z2]" in second.body["messages"][1]["content"] or "Z2" in second.body["messages"][1]["content"]
    assert "先不要写记录" not in second.body["messages"][1]["content"]
    assert (written.usage.calls, written.usage.prompt_tokens) == (2, 1050)


def test_the_same_case_is_answered_from_memory(tmp_path: Path, server: ScriptedModel) -> None:
    server.play(says('{"names": ["grind"]}'))
    with model_writer(tmp_path, server.base_url, investigate=True) as writer:
        first = writer.write(asked("grind"))
        again = writer.write(asked("grind"))
    assert again.draft == first.draft
    assert again.ledger == first.ledger
    assert again.usage.calls == 0
    assert len(server.requests) == 2


def test_a_model_that_does_not_answer_is_asked_for_the_draft_all_the_same(
    tmp_path: Path, server: ScriptedModel
) -> None:
    server.play(fails(400, "no"), answers())
    with model_writer(tmp_path, server.base_url, investigate=True) as writer:
        written = writer.write(asked("grind"))
    assert written.ledger is None
    assert written.draft.summary


def test_a_memory_that_cannot_be_used_is_a_clear_fault_of_the_writer(tmp_path: Path, server: ScriptedModel) -> None:
    (tmp_path / "model.sqlite").write_bytes(b"\x00\x01 not a database " * 100)
    with (
        model_writer(tmp_path, server.base_url, investigate=True) as writer,
        pytest.raises(WriterError, match=r"model\.sqlite") as caught,
    ):
        writer.write(asked("grind"))
    assert caught.value.fault is WriterFault.UNAVAILABLE
    assert not server.requests


@pytest.mark.parametrize("case", ["off", "decided", "nothing to search in"])
def test_it_costs_nothing_where_it_is_not_wanted(tmp_path: Path, server: ScriptedModel, case: str) -> None:
    given = asked("grind")
    if case == "decided":
        given = replace(given, prior=given.prior.model_copy(update={"decision": Decision.DECIDED}))
    if case == "nothing to search in":
        given = replace(given, count=None)
    with model_writer(tmp_path, server.base_url, investigate=case != "off") as writer:
        assert writer.write(given).ledger is None
    assert len(server.requests) == 1


def test_a_cap_holds_for_the_question_too_and_what_it_took_is_told(tmp_path: Path, server: ScriptedModel) -> None:
    server.play(says('{"names": []}', prompt=100_000, completion=10))
    prices: dict[str, Any] = {"price_in": 10.0, "price_out": 10.0, "cost_per_analysis": 1.0}
    with (
        model_writer(tmp_path, server.base_url, investigate=True, **prices) as writer,
        pytest.raises(WriterError) as caught,
    ):
        writer.write(asked("grind"))
    assert caught.value.fault.value == "over_budget"
    assert caught.value.usage is not None
    assert caught.value.usage.prompt_tokens == 100_000
    assert len(server.requests) == 1
