"""Read-only git plumbing on one local repository: run a command, resolve a revision.

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
its ``get_object_data`` is not thread-safe and waits for an answer per object: 2,708 blobs took 0.42 s, pipelined as in
``git_objects`` 0.27 s.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import IO, BinaryIO

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

    def run(self, *arguments: str, stdin: BinaryIO | None = None) -> bytes:
        """Standard output of ``git <arguments>``; a status other than 0 is an error. ``stdin`` is an open file."""
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

    def holds(self, *arguments: str) -> bool:
        """The answer of a git command that says yes with status 0 and no with 1."""
        status, _, message = self._start(arguments)
        if status not in (0, 1):
            raise self.error(arguments[0], message)
        return status == 0

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

    def _start(self, arguments: tuple[str, ...], stdin: BinaryIO | None = None) -> tuple[int, bytes, bytes]:
        try:
            done = subprocess.run(
                ["git", *_OPTIONS, *arguments],
                cwd=self._folder,
                env=git_environment(self._folder.parent),
                stdin=subprocess.DEVNULL if stdin is None else stdin,
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
