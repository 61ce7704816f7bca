"""The part of an exported analysis (``reviewbot analyze --json``) that an audit needs, read by its own plain models.

Unknown keys are ignored on purpose: the export may grow, and an audit must not depend on the product's own classes.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from evals import words
from evals.errors import ExportError


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class ExportedDetail(_Read):
    registrar: str | None = None
    listed: bool = False


class ExportedCoupling(_Read):
    kind: str
    lines: tuple[int, ...]
    token: str
    symbol: str
    relation: str = ""
    detail: ExportedDetail = ExportedDetail()


class ExportedItem(ExportedCoupling):
    """One scope. ``symbols`` are all it is coupled to; ``further`` what else it holds beside its strongest coupling."""

    id: str
    path: str
    scope: str
    symbols: tuple[str, ...] = ()
    further: tuple[ExportedCoupling, ...] = ()

    @property
    def couplings(self) -> tuple[ExportedItem, ...]:
        """The item, then one item per further coupling that holds nothing else."""
        place = {"id": self.id, "path": self.path, "scope": self.scope}
        others = (ExportedItem(**place, **dict(one), symbols=(one.symbol,)) for one in self.further)
        return (self, *others)


class ExportedMiss(_Read):
    id: str
    pattern: str


class ExportedCount(_Read):
    pattern: str
    lines: int
    files: int


class ExportedLedger(_Read):
    items: tuple[ExportedItem, ...]
    misses: tuple[ExportedMiss, ...]
    counts: tuple[ExportedCount, ...] = ()

    @property
    def couplings(self) -> tuple[ExportedItem, ...]:
        """Every coupling of the ledger, place by place."""
        return tuple(one for item in self.items for one in item.couplings)


class ExportedText(_Read):
    """``analysis`` as printed, ledger ids already turned into places."""

    title: str
    summary: str
    analysis: str
    upstream_pr: int | None = None


class ExportedRecord(_Read):
    record: ExportedText
    ledger: ExportedLedger

    @property
    def name(self) -> str:
        number = self.record.upstream_pr
        return self.record.title if number is None else f"#{number} {self.record.title}"


def read_export(path: Path) -> tuple[ExportedRecord, ...]:
    """One exported analysis, or a list of them. Raises ExportError naming the file and the key at fault."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ExportError(str(path), words.unreadable(error)) from error
    return tuple(parse_record(one, str(path)) for one in (document if isinstance(document, list) else [document]))


def parse_record(document: object, source: str) -> ExportedRecord:
    try:
        return ExportedRecord.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ExportError(source, words.bad_export(key, first["msg"])) from error
