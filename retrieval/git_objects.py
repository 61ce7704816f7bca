"""Contents of git objects through one persistent ``git cat-file --batch``.

Requests are pipelined: a window of them is written before the first answer is read. Safe to share between threads (a
lock spans each exchange) and across ``fork``: a child starts its own process and never touches the pipes it
inherited, since two readers of one pipe would get each other's bytes.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import IO

from retrieval import words
from retrieval.errors import SourceTreeError
from retrieval.git_repository import GitRepository

#: Objects asked for before the first answer is read; their requests stay far below the smallest pipe buffer.
_WINDOW = 64


class ObjectReader:
    """Blobs by id. An object that is not there, or a process that dies, is a ``SourceTreeError``."""

    def __init__(self, repository: GitRepository) -> None:
        self._repository = repository
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._owner = os.getpid()
        self._finalizer: weakref.finalize[..., ObjectReader] | None = None

    def read(self, object_id: str) -> bytes:
        return self._exchange([object_id])[0]

    def read_many(self, object_ids: Iterable[str]) -> Iterator[bytes]:
        """Contents in the order asked for. The lock is never held while the consumer works."""
        remaining = iter(object_ids)
        while window := list(itertools.islice(remaining, _WINDOW)):
            yield from self._exchange(window)

    def close(self) -> None:
        """Ends the process; a later read starts a new one."""
        self._leave_parent()
        with self._lock:
            self._stop()

    def _exchange(self, object_ids: list[str]) -> list[bytes]:
        self._leave_parent()
        with self._lock:
            process = self._process or self._begin()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write("".join(f"{object_id}\n" for object_id in object_ids).encode())
                process.stdin.flush()
                # Read every answer before judging one, or the next exchange would start in the middle.
                found = [_read_answer(process.stdout) for _ in object_ids]
            except (OSError, EOFError) as error:
                raise self._died(process) from error
        answers = []
        for object_id, content in zip(object_ids, found, strict=True):
            if content is None:
                raise SourceTreeError(f"{self._repository.location}@{object_id}", words.GIT_OBJECT_MISSING)
            answers.append(content)
        return answers

    def _begin(self) -> subprocess.Popen[bytes]:
        # A file, not a pipe: nobody reads it while the process lives, and a full pipe would stop it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = self._repository.start_batch(self._complaints)
        self._finalizer = weakref.finalize(self, _end, self._process, self._complaints, self._owner)
        return self._process

    def _died(self, process: subprocess.Popen[bytes]) -> SourceTreeError:
        """Ends what is left of the process and says why it stopped, a partial clone above all."""
        process.kill()
        process.wait()
        assert self._complaints is not None
        self._complaints.seek(0)
        message = self._complaints.read()
        self._stop()
        if message:
            return self._repository.error("cat-file", message)
        return SourceTreeError(str(self._repository.location), words.GIT_STOPPED)

    def _stop(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._finalizer = self._process = self._complaints = None

    def _leave_parent(self) -> None:
        if self._owner == os.getpid():
            return
        # Forked: the lock may be held by a thread that does not exist here.
        if self._finalizer is not None:
            self._finalizer.detach()
        if self._process is not None:
            self._process.returncode = 0  # not ours to wait for
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._process = self._finalizer = self._complaints = None


def _read_answer(pipe: IO[bytes]) -> bytes | None:
    """One answer, ``<id> <type> <size>`` and the content, or None for an object that is not there."""
    header = pipe.readline().split()
    if len(header) == 2:
        return None
    if len(header) != 3:
        raise EOFError
    size = int(header[2])
    content = pipe.read(size + 1)
    if len(content) != size + 1:
        raise EOFError
    return content[:size]


def _end(process: subprocess.Popen[bytes], complaints: IO[bytes], owner: int) -> None:
    if owner != os.getpid():
        return
    # A forked child may still hold the writing end, so end of input alone would not end the process.
    process.kill()
    for pipe in (process.stdin, process.stdout, complaints):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):  # a request that the process did not live to take
                pipe.close()
    process.wait()
