"""How a table is written down, and what a file's suffix says about it. Light: the command line's options need it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath


class Form(StrEnum):
    LEGACY = "legacy"  # the team's old text: cells separated by single blanks
    TSV = "tsv"
    MARKDOWN = "markdown"
    CSV = "csv"
    XLSX = "xlsx"
    JSONL = "jsonl"


_BY_SUFFIX: dict[str, Form] = {
    ".tsv": Form.TSV,
    ".tab": Form.TSV,
    ".csv": Form.CSV,
    ".md": Form.MARKDOWN,
    ".markdown": Form.MARKDOWN,
    ".xlsx": Form.XLSX,
    ".xlsm": Form.XLSX,
    ".jsonl": Form.JSONL,
    ".ndjson": Form.JSONL,
}


def form_by_suffix(name: str) -> Form | None:
    return _BY_SUFFIX.get(PurePath(name).suffix.lower())
