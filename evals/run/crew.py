"""Workers of a run: each opens the trees for itself and answers one record at a time.

A worker is a thread. What waits for a network is answered in that thread; what computes goes on to a process of the
thread's own (spawned, as `retrieval.extraction` explains), since Python computes in one thread at a time. Interrupts
are for the main thread: workers and their processes have the signal blocked. A process ends when its pipe does, also
when its parent was killed. One that dies takes no more than the record it had: that ends in an error, the next record
gets a new process.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from evals.errors import EvalsError
from evals.records import LabelledRecord
from evals.run import words
from evals.run.case import Finished, Work
from evals.run.errors import WorkerError
from evals.run.models import CaseError, ErrorKind, Outcome

#: Opens the trees for one worker and closes them at the end of the block; picklable for workers of their own process.
OpenWork = Callable[[], AbstractContextManager[Work]]

_SECONDS_TO_END = 5.0


class Crew:
    """``size`` workers. Hand out with `give`, collect with `take`; results come in the order in which they finish."""

    def __init__(self, open_work: OpenWork, size: int, *, processes: bool) -> None:
        self.size = size
        self._open = _in_a_process(open_work) if processes else open_work
        self._todo: SimpleQueue[LabelledRecord | None] = SimpleQueue()
        self._done: SimpleQueue[Finished | Exception] = SimpleQueue()
        # Daemons: after a second Ctrl-C nobody waits for an answer that is under way.
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(size)]

    def __enter__(self) -> Self:
        # Started later, by a worker, it would let that worker have its interrupts back.
        resource_tracker.ensure_running()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for _ in self._threads:
            self._todo.put(None)
        if kind is None:
            for thread in self._threads:
                thread.join()

    def give(self, record: LabelledRecord) -> None:
        self._todo.put(record)

    def take(self) -> Finished:
        """The next finished record; waits for it. Raises what a worker cannot go on after: trees that do not open
        (WorkerError), a leak.
        """
        done = self._done.get()
        if isinstance(done, EvalsError):
            raise done
        if isinstance(done, Exception):
            raise WorkerError(f"{type(done).__name__}: {done}") from done
        return done

    def _serve(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with self._open() as work:
                while (record := self._todo.get()) is not None:
                    self._done.put(work(record))
        except Exception as error:  # noqa: BLE001 handed to the main thread, which raises it
            self._done.put(error)


def _in_a_process(open_work: OpenWork) -> OpenWork:
    @contextmanager
    def opened() -> Iterator[Work]:
        helper = _Process(open_work)
        try:
            yield helper.work
        finally:
            helper.end()

    return opened


class _Process:
    """A process that answers records, started when one is asked for and again after it died."""

    def __init__(self, open_work: OpenWork) -> None:
        self._open_work = open_work
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def work(self, record: LabelledRecord) -> Finished:
        pipe = self._started()
        try:
            pipe.send(record)
            answer = pipe.recv()
        except (EOFError, OSError):
            return Finished(Outcome(record=record.id, error=self._death()), None)
        assert isinstance(answer, Finished)
        return answer

    def end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.join(_SECONDS_TO_END)
            if self._process.is_alive():
                self._process.terminate()
                self._process.join()
        self._process = self._pipe = None

    def _started(self) -> Connection:
        if self._pipe is not None:
            return self._pipe
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_answer_all, args=(theirs, self._open_work), daemon=True)
        self._process.start()
        theirs.close()
        try:
            refused = self._pipe.recv()
        except EOFError:
            refused = self._death().message
        if refused is not None:
            self.end()
            raise WorkerError(refused)
        return self._pipe

    def _death(self) -> CaseError:
        process = self._process
        self.end()
        code = process.exitcode if process is not None else None
        return CaseError(kind=ErrorKind.ANALYSIS, message=words.worker_died(code))


def _answer_all(pipe: Connection, open_work: OpenWork) -> None:
    """What a worker's process does: says None when the trees are open, or why not; then a `Finished` per record."""
    try:
        with open_work() as work:
            pipe.send(None)
            while True:
                pipe.send(work(pipe.recv()))
    except (EOFError, BrokenPipeError):
        return  # nobody asks any more
    except Exception as error:  # noqa: BLE001 told to whoever started this process
        pipe.send(f"{type(error).__name__}: {error}")
