"""Reads labelled records from JSON lines and writes them; an error names file, line and key.

A line says in ``schema`` which version of the format it has, 1 when it does not say. Older lines are upgraded while
they are read, newer ones refused: what they mean is not known here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from evals import words
from evals.errors import RecordsError
from evals.records import words as own_words
from evals.records.models import SCHEMA, LabelledRecord


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


def batch_order(records: Iterable[LabelledRecord]) -> dict[str, int]:
    """The position of every batch: batches stand in the file in the order in which they were labelled."""
    return {batch: position for position, batch in enumerate(dict.fromkeys(record.batch for record in records))}


def record_line(record: LabelledRecord) -> str:
    """The record as one line of a records file, without its line end."""
    return json.dumps(record.model_dump(mode="json"), ensure_ascii=False)


def _parse(line: str, source: str, number: int) -> LabelledRecord:
    try:
        return LabelledRecord.model_validate_json(_in_this_schema(line, source, number), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise RecordsError(source, number, key, _reason(first)) from error


def _in_this_schema(line: str, source: str, number: int) -> str:
    """The line as this version writes it. What is no JSON object stays as it is, for the model to refuse."""
    try:
        value = json.loads(line)
    except ValueError:
        return line
    if not isinstance(value, dict):
        return line
    schema = value.get("schema", 1)
    if isinstance(schema, int) and schema > SCHEMA:
        raise RecordsError(source, number, "schema", own_words.newer_schema(schema, SCHEMA))
    return json.dumps(_from_1(value)) if schema == 1 else line


def _from_1(value: dict[str, Any]) -> dict[str, Any]:
    """Version 1 had no ``revisions``; the revision that the citations were found at is the downstream one."""
    evidence = value.get("evidence")
    snapshot = evidence.get("snapshot") if isinstance(evidence, dict) else None
    return {"revisions": {"downstream": snapshot}} | value | {"schema": 2}


def _reason(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return words.MISSING_KEY
    if error["type"] == "extra_forbidden":
        return words.UNKNOWN_KEY
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    return words.bad_value(error["msg"], error["input"])
