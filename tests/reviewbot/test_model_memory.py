"""What is kept between runs: safe side by side, honest about money, begun anew when its shape changes."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reviewbot.drafting.model.answer import ModelAnswer
from reviewbot.drafting.model.capabilities import Manner
from reviewbot.drafting.model.memory import Memory, MemoryUnusableError, OverCapError
from reviewbot.models import Usage
from reviewbot.settings import Capability
from tests.support.scripted_model import GOOD

ANSWER = ModelAnswer.model_validate(GOOD)
URL = "https://user:hunter2@models.example/v1"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "deep" / "model.sqlite")


def test_answers(memory: Memory) -> None:
    assert memory.answer("a") is None
    memory.keep_answer("a", ANSWER)
    memory.keep_answer("a", ANSWER)
    assert memory.answer("a") == ANSWER
    assert Memory(memory.path).answer("a") == ANSWER
    assert memory.answer("b") is None


def test_an_answer_of_another_shape_is_asked_for_again(memory: Memory) -> None:
    memory.keep_answer("a", ANSWER)
    with sqlite3.connect(memory.path) as connection:
        connection.execute('UPDATE answers SET answer = \'{"verdict": "Perhaps"}\'')
    connection.close()
    assert memory.answer("a") is None


def test_manners_by_endpoint_and_model(memory: Memory) -> None:
    manner = Manner(capability=Capability.JSON_MODE, temperature=False)
    memory.keep_manner(URL, "m", manner)
    assert memory.manner(f"{URL}/", "m") == manner
    assert memory.manner(URL, "n") is None
    assert memory.manner("https://other.example/v1", "m") is None
    assert b"hunter2" not in memory.path.read_bytes()


def test_a_cap_holds_for_workers_side_by_side(memory: Memory) -> None:
    """Twenty workers, money for seven requests: what each may cost at most is set aside before it is spent."""

    def spend(_: int) -> bool:
        mine = Memory(memory.path)
        try:
            number = mine.set_aside("2026-03-04", "m", 1.0, 7.5)
        except OverCapError:
            return False
        mine.settle(number, Usage(calls=1, cost=1.0))
        return True

    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(spend, range(20)))
    assert sum(allowed) == 7
    assert memory.spending()[0].usage == Usage(calls=7, cost=7.0)


def test_what_turns_out_cheaper_leaves_room(memory: Memory) -> None:
    number = memory.set_aside("d", "m", 1.0, 1.0)
    with pytest.raises(OverCapError) as caught:
        memory.set_aside("d", "m", 0.1, 1.0)
    assert caught.value.spent == 1.0
    memory.settle(number, Usage(calls=1, cost=0.2))
    memory.set_aside("d", "m", 0.8, 1.0)
    memory.set_aside("another day", "m", 0.8, 1.0)


def test_spending_by_day_and_model(memory: Memory) -> None:
    for day, model, cost in (("2026-03-04", "b", 0.5), ("2026-03-05", "a", 1.0), ("2026-03-04", "b", 0.25)):
        usage = Usage(calls=1, prompt_tokens=10, cached_tokens=4, completion_tokens=3, cost=cost)
        memory.settle(memory.set_aside(day, model, cost, None), usage)
    first, second = memory.spending()
    assert (first.day, first.model, first.usage.cost) == ("2026-03-05", "a", 1.0)
    assert second.usage == Usage(calls=2, prompt_tokens=20, cached_tokens=8, completion_tokens=6, cost=0.75)


def test_a_file_of_another_format_is_begun_anew(memory: Memory) -> None:
    memory.keep_answer("a", ANSWER)
    with sqlite3.connect(memory.path) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("CREATE TABLE other (x)")
    connection.close()
    assert memory.answer("a") is None
    memory.keep_answer("a", ANSWER)
    assert memory.answer("a") == ANSWER


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"\x00\x01 not a database " * 100)
    with pytest.raises(MemoryUnusableError):
        Memory(tmp_path / "m").answer("a")
    with pytest.raises(MemoryUnusableError):
        Memory(tmp_path / "m" / "below-a-file").answer("a")
