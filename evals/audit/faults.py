"""What an audit can find wrong, one value per fault."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evals import words


class FaultKind(StrEnum):
    NO_SUCH_LINE = "no_such_line"  # the file, or that line of it, is not in the tree
    NOT_IN_LEDGER = "not_in_ledger"  # printed, but no ledger item holds this path and line
    WRONG_SCOPE = "wrong_scope"  # the line lies in another scope than the ledger claims
    WORD_ABSENT = "word_absent"  # the line does not hold the word it is cited for
    FALSE_MISS = "false_miss"  # 0 命中, and a fresh search finds it
    FALSE_COUNT = "false_count"  # another number of lines or files than a fresh search finds
    UNKNOWN_MISS = "unknown_miss"  # 0 命中 that names nothing that could be searched
    WRONG_RELATION = "wrong_relation"  # the line is no import, class header, patch, registration, override
    TOP_ITEM_NOT_CITED = "top_item_not_cited"
    NO_MISS_STATED = "no_miss_stated"  # an empty ledger, and no counted miss in the text


@dataclass(frozen=True, slots=True)
class Fault:
    """``where`` is a ``path:line``, a searched word or a ledger id; ``detail`` says what was found instead."""

    kind: FaultKind
    record: str
    where: str
    detail: str = ""

    def __str__(self) -> str:
        return words.audit_fault(self.record, words.FAULTS[self.kind], self.where, self.detail)
