"""One run on disk. Whatever kills the process, a record that was reported finished is there after it.

Contract: the manifest is written once and first, by a rename. An outcome is one line, written by one call and synced
before `append` returns; its analysis lies in its own file before that. One process at a time may write (a lock that
the kernel drops with it); reading needs no lock and never changes a file. A torn last line, which only a crash in the
middle of a write leaves, is no outcome: readers pass over it, the next writer cuts it off and says so.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from evals.run import words
from evals.run.conditions import differences
from evals.run.documents import parse_document
from evals.run.errors import OtherRunError, RunFolderError
from evals.run.models import Manifest, Outcome, Run
from evals.scores.models import Scoring
from retrieval.models import Frozen

#: Where runs lie unless said otherwise, below the working directory.
RUNS = Path("runs")
_NAME = re.compile(r"(?!\.)[\w.+-]{1,100}(?<!\.json)")


class RunFolder:
    """``path`` need not exist before `begin`."""

    def __init__(self, root: Path, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise RunFolderError(name, words.BAD_NAME)
        self.path = root / name

    @property
    def exists(self) -> bool:
        return self._manifest_path.is_file()

    @property
    def analyses(self) -> Path:
        return self.path / "analyses"

    @property
    def scores_path(self) -> Path:
        return self.path / "scores.json"

    @property
    def _manifest_path(self) -> Path:
        return self.path / "manifest.json"

    @property
    def _outcomes_path(self) -> Path:
        return self.path / "outcomes.jsonl"

    # --- reading ------------------------------------------------------------------------------------------------------

    def manifest(self) -> Manifest:
        """Raises RunFolderError for none, one that cannot be read, or one of a newer format."""
        return parse_document(self._manifest_path, Manifest)

    def history(self) -> tuple[Outcome, ...]:
        """Every outcome ever written, the oldest first: a record that failed before it was answered has several."""
        lines = self._read_outcomes().split(b"\n")
        torn = lines.pop()
        found = [self._outcome(line, number) for number, line in enumerate(lines, start=1)]
        whole = _parsed(torn)
        return (*found, whole) if whole is not None else tuple(found)

    def run(self) -> Run:
        """The last outcome of each record, in the manifest's order."""
        manifest = self.manifest()
        last = {outcome.record: outcome for outcome in self.history()}
        return Run(manifest=manifest, outcomes=tuple(last[one] for one in manifest.records if one in last))

    def scoring(self) -> Scoring:
        return parse_document(self.scores_path, Scoring)

    def _read_outcomes(self) -> bytes:
        try:
            return self._outcomes_path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise RunFolderError(str(self._outcomes_path), words.unreadable(error)) from error

    def _outcome(self, line: bytes, number: int) -> Outcome:
        outcome = _parsed(line)
        if outcome is None:
            raise RunFolderError(f"{self._outcomes_path}:{number}", words.DAMAGED_LINE)
        return outcome

    # --- writing ------------------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds the folder for this process; RunFolderError when another one does, or the disk refuses."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / ".lock").open("a")
        except OSError as error:
            raise RunFolderError(str(self.path), words.unwritable(error)) from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise RunFolderError(str(self.path), words.IN_USE) from error
            yield

    def begin(self, manifest: Manifest, say: Callable[[str], None], *, replace: bool = False) -> None:
        """Makes the folder that of ``manifest``, new or taken up again. Call inside `writing`.

        Raises OtherRunError when the name belongs to a run made under other conditions, unless ``replace`` gives that
        run up.
        """
        if self.exists:
            changed = differences(self.manifest(), manifest)
            if not changed:
                self._cut_torn_line(say)
                return
            if not replace:
                raise OtherRunError(str(self.path), changed)
            say(words.replaced(str(self.path), changed))
        self._clear()
        try:
            self.analyses.mkdir(exist_ok=True)
        except OSError as error:
            raise RunFolderError(str(self.analyses), words.unwritable(error)) from error
        self._write(self._manifest_path, _json(manifest))

    def append(self, outcome: Outcome, analysis: bytes | None) -> None:
        """Keeps one finished record; when this returns, nothing but a broken disk loses it."""
        if analysis is not None:
            self._write(self.analyses / f"{outcome.record}.json", analysis)
        line = outcome.model_dump_json().encode() + b"\n"
        try:
            descriptor = os.open(self._outcomes_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                if os.write(descriptor, line) != len(line):
                    raise RunFolderError(str(self._outcomes_path), words.DISK_FULL)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise RunFolderError(str(self._outcomes_path), words.unwritable(error)) from error

    def save_scoring(self, scoring: Scoring) -> None:
        self._write(self.scores_path, _json(scoring))

    def _cut_torn_line(self, say: Callable[[str], None]) -> None:
        """Ends the file with a whole line. A last line that lacks nothing but its end gets it."""
        content = self._read_outcomes()
        kept, _, torn = content.rpartition(b"\n")
        if not torn:
            return
        if _parsed(torn) is not None:
            self._write(self._outcomes_path, content + b"\n")
            return
        self._write(self._outcomes_path, kept + b"\n" if kept else b"")
        say(words.torn_line(str(self._outcomes_path)))

    def _clear(self) -> None:
        """Removes what a run has here and nothing else; a calibration speaks of its paragraphs, while each judgement
        keeps its own and was paid for. The manifest goes first: what a killed process leaves is no
        run, and the next one clears it before it begins.
        """
        try:
            for name in ("manifest.json", "outcomes.jsonl", "scores.json", "report.html", "calibration.json"):
                (self.path / name).unlink(missing_ok=True)
            for analysis in self.analyses.glob("*.json"):
                analysis.unlink()
        except OSError as error:
            raise RunFolderError(str(self.path), words.unwritable(error)) from error

    def _write(self, path: Path, content: bytes) -> None:
        """A whole file or none: written beside it, synced, renamed."""
        beside = path.with_name(f".{path.name}.part")
        try:
            with beside.open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(path)
        except OSError as error:
            raise RunFolderError(str(path), words.unwritable(error)) from error


def _parsed(line: bytes) -> Outcome | None:
    try:
        return Outcome.model_validate_json(line)
    except ValidationError:
        return None


def _json(value: Frozen) -> bytes:
    return value.model_dump_json(indent=1).encode() + b"\n"
