"""What a run keeps of its judges: ``judgements.jsonl`` and ``calibration.json``.

Contract: a line is there when `Judgements.append` returns. A torn last line, which only a crash in the middle of a
write leaves, is no judgement: readers pass over it, `mend` cuts it off. Write with the run's folder held
(`RunFolder.writing`); reading needs no lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from evals.judge import words
from evals.judge.cases import digest
from evals.judge.models import Calibration, Judge, JudgedParagraph
from evals.run.documents import parse_document
from evals.run.errors import RunFolderError
from evals.run.folder import RunFolder
from evals.run.words import DISK_FULL


class Judgements:
    def __init__(self, folder: RunFolder) -> None:
        self.path = folder.path / "judgements.jsonl"
        self._lock = threading.Lock()

    def read(self) -> tuple[JudgedParagraph, ...]:
        """Every line, the oldest first. Raises RunFolderError for a damaged one."""
        *lines, torn = self._content().split(b"\n")
        found = [self._whole(line, number) for number, line in enumerate(lines, start=1)]
        last = _parsed(torn)
        return (*found, last) if last is not None else tuple(found)

    def mend(self) -> None:
        """Ends the file with a whole line."""
        content = self._content()
        kept, _, torn = content.rpartition(b"\n")
        if not torn:
            return
        if _parsed(torn) is not None:
            self._write(b"\n")
        else:
            os.truncate(self.path, len(kept) + 1 if kept else 0)

    def append(self, line: JudgedParagraph) -> None:
        with self._lock:
            self._write(line.model_dump_json().encode() + b"\n")

    def _write(self, content: bytes) -> None:
        try:
            with self.path.open("ab", buffering=0) as stream:
                if stream.write(content) != len(content):
                    raise RunFolderError(str(self.path), DISK_FULL)
                os.fsync(stream.fileno())
        except OSError as error:
            raise RunFolderError(str(self.path), words.unwritable(error)) from error

    def _content(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise RunFolderError(str(self.path), words.unreadable(error)) from error

    def _whole(self, line: bytes, number: int) -> JudgedParagraph:
        found = _parsed(line)
        if found is None:
            raise RunFolderError(f"{self.path}:{number}", words.DAMAGED_LINE)
        return found


def standing(
    lines: Sequence[JudgedParagraph], judge: Judge, paragraphs: Mapping[str, str]
) -> dict[str, JudgedParagraph]:
    """The last word of ``judge`` on each of ``paragraphs`` as it reads now; a judgement is not undone by an error."""
    found: dict[str, JudgedParagraph] = {}
    texts = {record: digest(paragraph) for record, paragraph in paragraphs.items()}
    for line in lines:
        if line.judge == judge and line.text == texts.get(line.record):
            before = found.get(line.record)
            if line.judgement is not None or before is None or before.judgement is None:
                found[line.record] = line
    return found


def load_calibration(folder: RunFolder) -> Calibration | None:
    """None when there is none. Raises RunFolderError for a damaged one."""
    path = folder.path / "calibration.json"
    return parse_document(path, Calibration) if path.is_file() else None


def save_calibration(folder: RunFolder, calibration: Calibration) -> str:
    """Writes a whole file or none, and returns where it lies."""
    path = folder.path / "calibration.json"
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_text(calibration.model_dump_json(indent=1) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise RunFolderError(str(path), words.unwritable(error)) from error
    return str(path)


def _parsed(line: bytes) -> JudgedParagraph | None:
    try:
        return JudgedParagraph.model_validate_json(line)
    except ValidationError:
        return None
