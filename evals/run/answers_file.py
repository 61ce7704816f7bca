"""Drafts that somebody else wrote, read from a file: one JSON object a line.

    {"record": "r001", "labels": {...}, "needs_work_score": 0.4, "summary": "…", "analysis": "… [E1] …"}

``labels`` and texts are those of a `Draft`: ids of the ledger in brackets, no line numbers. ``writer`` (who wrote it)
and ``usage`` (what it cost) may be added. A record without a line is a writer's error of its own kind, ``missing``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from evals.records import LabelledRecord
from evals.run import words
from evals.run.errors import AnswersError
from retrieval.models import Frozen
from reviewbot.drafting.writer import Dossier, Written
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Draft, Finding, Labels, Score, Usage

WRITER = "batch"


class AnswerLine(Frozen):
    """One line of the file."""

    record: str
    labels: Labels
    needs_work_score: Score
    summary: str
    analysis: str
    writer: str = WRITER
    usage: Usage = Usage()

    @property
    def written(self) -> Written:
        draft = self.model_dump(exclude={"record", "usage"})
        return Written(draft=Draft.model_validate(draft), usage=self.usage)


@dataclass(frozen=True, slots=True)
class FileWriter:
    """The writer of one record: what the file says of it, and no second try."""

    written: Written | None
    versions: dict[str, str]
    name: str = WRITER

    def write(self, dossier: Dossier) -> Written:
        if self.written is None:
            raise WriterError(self.name, WriterFault.MISSING)
        return self.written

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> None:
        """The file holds one draft for each record."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Writers by record; ``versions`` tell one file from another. Can be pickled to worker processes."""

    written: Mapping[str, Written]
    versions: dict[str, str]

    def writer(self, record: LabelledRecord) -> FileWriter:
        return FileWriter(self.written.get(record.id), self.versions)


def read_answers(path: Path) -> str:
    """Raises AnswersError for a file that cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AnswersError(str(path), 1, "", words.unreadable(error)) from error


def is_openai_batch(text: str) -> bool:
    """Whether the first line is one of OpenAI's batch service."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return first.lstrip().startswith("{") and '"custom_id"' in first and '"record"' not in first


def parse_answers(text: str, source: str) -> dict[str, Written]:
    """What is written of each record. Raises AnswersError for a line that is no answer, or the second of a record."""
    written: dict[str, Written] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        answer = _parse(line, source, number)
        if answer.record in written:
            raise AnswersError(source, number, "record", words.second_answer(answer.record))
        written[answer.record] = answer.written
    return written


def _parse(line: str, source: str, number: int) -> AnswerLine:
    try:
        return AnswerLine.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise AnswersError(source, number, ".".join(map(str, first["loc"])), words.bad_answer(first["msg"])) from error
