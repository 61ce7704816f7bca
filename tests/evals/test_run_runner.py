"""A run answers every record once, tells errors from answers, and can be stopped anywhere."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from evals.dataset.errors import LeakError
from evals.dataset.leaks import Leak, LeakKind
from evals.run import words
from evals.run.crew import Crew
from evals.run.engine import Engine
from evals.run.errors import WorkerError
from evals.run.folder import RunFolder
from evals.run.models import ErrorKind
from evals.run.runner import Ending, Tally
from evals.run.writers import Answering, rules, template
from reviewbot.errors import WriterFault
from reviewbot.models import AnalysisState
from tests.evals.run_scene import CITED, Scene, Told, answering, deadly, timeless
from tests.support.processes import python


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path).lay()


def test_the_rules_answer_with_their_prior_and_no_text(scene: Scene) -> None:
    ending, outcomes = scene.sit()
    assert ending is Ending.COMPLETE
    answers = [outcomes[record].answer for record in ("r001", "r002", "r003")]
    for answer in answers:
        assert answer is not None
        assert (answer.labels, answer.state) == (answer.prior, AnalysisState.DONE)
        assert (answer.summary, answer.analysis, answer.cited, answer.citations) == ("", "", (), 0)
        assert answer.needs_work_score == answer.prior_score
    assert answers[0] is not None
    assert answers[0].shown[0].scope == "stretch_npu"


def test_the_template_cites_what_its_ledger_shows(scene: Scene) -> None:
    _, outcomes = scene.sit(chosen=template())
    answer = outcomes["r002"].answer
    assert answer is not None
    assert answer.cited[0] == answer.shown[0]
    assert answer.citations == answer.resolved > 0
    assert f"{answer.cited[0].path}:" in answer.analysis
    assert "[E1" in answer.draft


def test_only_citations_that_the_tree_has_are_kept_for_scoring(scene: Scene) -> None:
    _, outcomes = scene.sit()
    assert [(one.path, one.scope) for one in outcomes["r001"].existing] == [(CITED["path"], CITED["scope"])]


def test_a_record_without_a_diff_is_an_input_error(scene: Scene) -> None:
    (scene.diffs / "r001.diff").write_text("--- a/x\n+++ b/x\n@@ broken\n", encoding="utf-8")
    _, outcomes = scene.sit()
    errors = {record: one.error for record, one in outcomes.items() if one.error}
    assert {record: error.kind for record, error in errors.items()} == {
        "r001": ErrorKind.INPUT,
        "r999": ErrorKind.INPUT,
    }
    assert errors["r999"].message == words.NO_DIFF
    assert "r001.diff" in errors["r001"].message


@pytest.mark.parametrize("fault", WriterFault)
def test_every_fault_of_a_provider_is_an_error_of_its_own(scene: Scene, fault: WriterFault) -> None:
    ending, outcomes = scene.sit(chosen=answering(Told({"r002": fault}, cost=0.5)))
    error = outcomes["r002"].error
    assert ending is Ending.COMPLETE
    assert error is not None
    assert (error.kind, error.fault, error.usage.cost) == (ErrorKind.WRITER, fault, 0.5)
    assert outcomes["r002"].answer is None
    assert outcomes["r001"].answer is not None


def test_an_unforeseen_exception_is_kept_with_its_class(scene: Scene) -> None:
    _, outcomes = scene.sit(chosen=answering(Told({"r002": ZeroDivisionError("torn")})))
    error = outcomes["r002"].error
    assert error is not None
    assert (error.kind, error.message) == (ErrorKind.ANALYSIS, "ZeroDivisionError: torn")


def test_a_leak_ends_the_run(scene: Scene) -> None:
    leak = LeakError((Leak("r002", "r001", LeakKind.SHARED_LINES),))
    with pytest.raises(LeakError):
        scene.sit(chosen=answering(Told({"r002": leak})))


def test_errors_are_asked_again_and_answers_are_not(scene: Scene) -> None:
    scene.sit(chosen=answering(Told({"r002": WriterFault.TIMEOUT})))
    again = Told()
    _, outcomes = scene.sit(chosen=answering(again))
    assert again.asked == ["r002"]
    assert outcomes["r002"].answer is not None
    history = RunFolder(scene.runs, "trial").history()
    assert [one.record for one in history if one.error] == ["r002", "r999", "r999"]


def test_order_and_workers_change_nothing(tmp_path: Path) -> None:
    scene = Scene(tmp_path, times=2).lay()
    expected = timeless(scene.sit("alone", template())[1])
    assert timeless(scene.sit("processes", template(), jobs=3)[1]) == expected
    slow_first = Told({"r001": 0.3})
    threads = answering(slow_first)
    in_order = timeless(scene.sit("one-thread", threads)[1])
    assert timeless(scene.sit("threads", threads, jobs=4)[1]) == in_order
    finished = [one.record for one in RunFolder(scene.runs, "threads").history()]
    assert sorted(finished) == [record.id for record in scene.records]
    assert finished[0] != "r001"


def test_a_run_killed_in_the_middle_goes_on_to_the_same_end(tmp_path: Path) -> None:
    scene = Scene(tmp_path, times=3).lay()
    script = (
        "import sys; from pathlib import Path; from tests.evals.run_scene import *\n"
        "Scene(Path(sys.argv[1]), times=3).sit('killed', answering(Told({'r005': 600.0})))"
    )
    process = python(script, str(tmp_path))
    path = scene.runs / "killed" / "outcomes.jsonl"
    deadline = time.monotonic() + 60
    while not (path.is_file() and path.read_bytes().count(b"\n") == 4):
        assert process.poll() is None, process.communicate()[1].decode()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    rest = Told()
    ending, resumed = scene.sit("killed", answering(rest))
    assert ending is Ending.COMPLETE
    assert sorted(rest.asked) == ["r005", "r006", "r007", "r008", "r009"]
    assert timeless(resumed) == timeless(scene.sit("whole", answering(Told()))[1])


def test_workers_of_a_killed_run_end_with_it(tmp_path: Path) -> None:
    Scene(tmp_path, times=3).lay()
    script = (
        "import sys, os, signal, multiprocessing; from pathlib import Path; from tests.evals.run_scene import *\n"
        "def watch(tally):\n"
        "    if tally.done:\n"
        "        print(*[child.pid for child in multiprocessing.active_children()], flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "Scene(Path(sys.argv[1]), times=3).sit('killed', rules(), jobs=2, watch=watch)"
    )
    process = python(script, str(tmp_path))
    told, complaint = process.communicate(timeout=60)
    workers = [int(pid) for pid in told.split()]
    assert len(workers) == 2, complaint.decode()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_first_interrupt_lets_what_is_under_way_finish(tmp_path: Path) -> None:
    scene = Scene(tmp_path, times=2).lay()
    told: list[int] = []

    def interrupt_after_one(tally: Tally) -> None:
        if tally.done == 1:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    ending, outcomes = scene.sit(chosen=answering(Told()), jobs=2, watch=interrupt_after_one, on_interrupt=told.append)
    assert ending is Ending.INTERRUPTED
    assert told == [1]
    assert len(outcomes) == 2
    assert signal.getsignal(signal.SIGINT) is before
    assert scene.sit(chosen=answering(Told()))[0] is Ending.COMPLETE


def test_the_second_interrupt_does_not_wait(scene: Scene) -> None:
    def interrupt_twice() -> None:
        for _ in range(2):
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

    def once_started(tally: Tally) -> None:
        if not tally.done:
            threading.Thread(target=interrupt_twice).start()

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        scene.sit(chosen=answering(Told({"r001": 20.0})), watch=once_started)
    assert time.monotonic() - began < 15


def test_a_worker_that_dies_costs_its_record_alone(scene: Scene) -> None:
    outcomes = scene.sit(chosen=Answering(Engine.TEMPLATE, deadly), jobs=2)[1]
    error = outcomes["r002"].error
    assert error is not None
    assert (error.kind, error.message) == (ErrorKind.ANALYSIS, words.worker_died(7))
    assert outcomes["r001"].answer is not None
    assert outcomes["r003"].answer is not None


def test_a_worker_that_cannot_open_the_trees_ends_the_run(scene: Scene) -> None:
    unreadable = scene.root / "cache-is-a-file"
    unreadable.write_text("", encoding="utf-8")
    setup = replace(scene.setup(rules()), cache=unreadable)
    with Crew(setup.open, 1, processes=True) as crew:
        crew.give(scene.records[0])
        with pytest.raises(WorkerError, match="cache-is-a-file"):
            crew.take()


def test_the_cap_is_never_passed_and_the_run_goes_on_from_there(scene: Scene) -> None:
    chosen = answering(Told(cost=1.0), guess=0.5)
    ending, outcomes = scene.sit(chosen=chosen, jobs=4, limit=2.5)
    assert ending is Ending.CAP
    assert sum(one.usage.cost or 0 for one in outcomes.values()) == 2.0
    assert scene.sit(chosen=chosen, limit=2.5)[0] is Ending.CAP
    ending, outcomes = scene.sit(chosen=chosen, limit=10.0)
    assert ending is Ending.COMPLETE
    assert sum(one.usage.cost or 0 for one in outcomes.values()) == 3.0
