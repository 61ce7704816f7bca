"""Reads labelled records from JSON lines; an error names file, line and key."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from evals import words
from evals.errors import RecordsError
from evals.records.models import LabelledRecord


def load_records(path: Path | None = None) -> tuple[LabelledRecord, ...]:
    """All records of ``path``, in file order; without a path, the development records that ship with the package.

    Raises RecordsError for a file that cannot be read, a line that is not such a record, or an id seen before.
    """
    if path is None:
        with as_file(files("evals.records").joinpath("dev.jsonl")) as shipped:
            return load_records(shipped)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordsError(str(path), 1, "", words.unreadable(error)) from error
    records: dict[str, LabelledRecord] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        record = _parse(line, str(path), number)
        if record.id in records:
            raise RecordsError(str(path), number, "id", words.duplicate_record(record.id))
        records[record.id] = record
    return tuple(records.values())


def usable_records(records: Iterable[LabelledRecord]) -> tuple[LabelledRecord, ...]:
    """Those of quality clean or noisy."""
    return tuple(record for record in records if record.usable)


def _parse(line: str, source: str, number: int) -> LabelledRecord:
    try:
        return LabelledRecord.model_validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise RecordsError(source, number, key, _reason(first)) from error


def _reason(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return words.MISSING_KEY
    if error["type"] == "extra_forbidden":
        return words.UNKNOWN_KEY
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    return words.bad_value(error["msg"], error["input"])
