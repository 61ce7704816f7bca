"""Read-only git plumbing on one local repository: run a command, resolve a revision, read objects.

Contract: nothing here writes to the repository, runs its hooks or its configured programs, or touches the network.
Errors are ``SourceTreeError`` sentences. The repository's own configuration is untrusted (a downloaded folder may
hold a ``.git``), therefore every call

* starts from an environment without inherited ``GIT_*`` variables: inside a hook or ``git rebase --exec`` an
  inherited ``GIT_DIR`` would silently read another repository. ``GIT_CONFIG_*`` and ``GIT_EXEC_PATH`` stay, they are
  how a person configures git itself (``safe.directory`` in a container);
* may not search parent folders for a repository (``GIT_CEILING_DIRECTORIES``);
* may not fetch the missing objects of a partial clone (no transport is allowed);
* has fsmonitor, hooks, signature checks and global attributes switched off. Commands that print a diff add
  ``--no-ext-diff --no-textconv`` themselves.

git's refusal to read a repository of another user is kept and put into a sentence.

Why not GitPython's ``Git``: it always starts from the whole ``os.environ`` (no way to drop ``GIT_DIR`` and
``GIT_OBJECT_DIRECTORY``), importing it runs ``git`` and raises without one though folders and wheels need none, and
its ``get_object_data`` is not thread-safe and waits for an answer per object: 2,708 blobs took 0.42 s, pipelined as
below 0.27 s.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from retrieval import words
from retrieval.errors import SourceTreeError

_OPTIONS = (
    "--no-pager",
    "-c",
    "safe.bareRepository=all",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    f"core.attributesFile={os.devnull}",
    "-c",
    "log.showSignature=false",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
)
_ENVIRONMENT = {
    "LC_ALL": "C",  # messages in English, they are matched below
    "LANGUAGE": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",  # a commit id means its own content
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.44
}
_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH")

_NO_SUCH_COMMIT = (
    words.GIT_BAD_REVISION_NAME,
    words.GIT_REVISION_UNKNOWN,
    words.GIT_REVISION_AMBIGUOUS,
    words.GIT_REVISION_IS_NO_COMMIT,
    words.GIT_NO_COMMIT,
)

#: Objects asked for before the first answer is read. 64 requests stay far below the smallest pipe buffer.
_WINDOW = 64


def git_environment(ceiling: Path | None = None) -> dict[str, str]:
    """The environment for git: the caller's without its ``GIT_*`` variables, with ours."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    environment.update(_ENVIRONMENT)
    if ceiling is not None:
        environment["GIT_CEILING_DIRECTORIES"] = str(ceiling)
    return environment


class GitRepository:
    """One repository: a bare git directory, a ``.git`` directory or a work tree.

    Raises ``SourceTreeError`` when git is missing or refuses. Cheap to make: nothing runs before the first call.
    """

    def __init__(self, location: Path) -> None:
        self.location = location
        self._folder = location.resolve()

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Standard output of ``git <arguments>``; a status other than 0 is an error."""
        status, output, message = self._start(arguments, stdin)
        if status != 0:
            raise self.error(arguments[0], message)
        return output

    def resolve(self, revision: str) -> str:
        """Full id of the commit that ``revision`` names (branch, tag, short id, ``HEAD~3`` …)."""
        where = f"{self.location}@{revision}"
        if not revision or revision.startswith("-") or re.search(r"[\0\r\n]", revision):
            raise SourceTreeError(where, words.GIT_BAD_REVISION_NAME)
        arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        status, output, message = self._start(arguments)
        if status == 0:
            return output.decode().strip()
        if b"is ambiguous" in message:
            raise SourceTreeError(where, words.GIT_REVISION_AMBIGUOUS)
        if b"expected commit type" in message:
            raise SourceTreeError(where, words.GIT_REVISION_IS_NO_COMMIT)
        if status != 1 or message:
            raise self.error("rev-parse", message)
        raise SourceTreeError(where, words.GIT_NO_COMMIT if revision == "HEAD" else words.GIT_REVISION_UNKNOWN)

    def knows(self, revision: str) -> bool:
        """Does ``revision`` name a commit? Errors of the repository itself are raised."""
        try:
            self.resolve(revision)
        except SourceTreeError as error:
            if error.reason in _NO_SUCH_COMMIT:
                return False
            raise
        return True

    def start_batch(self, complaints: IO[bytes]) -> subprocess.Popen[bytes]:
        """A running ``cat-file --batch`` that writes its error messages to ``complaints``; the caller ends it."""
        try:
            return subprocess.Popen(
                ["git", *_OPTIONS, "cat-file", "--batch"],
                cwd=self._folder,
                env=git_environment(self._folder.parent),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except OSError as error:
            raise self._unstarted(error) from error

    def _start(self, arguments: tuple[str, ...], stdin: bytes = b"") -> tuple[int, bytes, bytes]:
        try:
            done = subprocess.run(
                ["git", *_OPTIONS, *arguments],
                cwd=self._folder,
                env=git_environment(self._folder.parent),
                input=stdin,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise self._unstarted(error) from error
        return done.returncode, done.stdout, done.stderr

    def _unstarted(self, error: OSError) -> SourceTreeError:
        """The sentence for a process that did not start: the folder is gone or closed, or there is no git."""
        if isinstance(error, FileNotFoundError) and self._folder.is_dir():
            return SourceTreeError("git", words.GIT_MISSING)
        return SourceTreeError(str(self.location), words.unreadable(error.strerror or str(error)))

    def error(self, command: str, message: bytes) -> SourceTreeError:
        """The sentence for a command that failed with ``message`` on its error output."""
        text = message.decode("utf-8", "replace")
        where = str(self.location)
        if owner := re.search(r"dubious ownership in repository at '(.+)'", text):
            return SourceTreeError(where, words.git_foreign_owner(owner[1]))
        if "not a git repository" in text:
            return SourceTreeError(where, words.GIT_NOT_A_REPOSITORY)
        if re.search(r"promisor|unable to read|bad object|missing (blob|tree|commit)|could not fetch", text):
            return SourceTreeError(where, words.GIT_OBJECT_MISSING)
        lines = [line for line in text.split("\n") if line.strip()]
        return SourceTreeError(where, words.git_failed(command, lines[0] if lines else ""))


class ObjectReader:
    """Blobs by id through one persistent ``cat-file --batch``.

    Safe to share between threads (a lock spans each exchange) and across ``fork``: a child starts its own process
    and never touches the pipes it inherited, since two readers of one pipe would get each other's bytes.
    """

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
