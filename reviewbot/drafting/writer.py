"""What a writer is: it gets a dossier and gives a draft, and may be asked once to repair what verification refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.models import Delta, Frozen, Ledger, UpstreamChange
from reviewbot.models import Draft, Finding, Prior, Usage
from reviewbot.precedents import PastRecord

#: Whole-word occurrences of a name in the downstream tree: lines, files.
CountWord = Callable[[str], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Dossier:
    """All that is known of a change before the draft. ``precedents`` are similar past records, the nearest first;
    ``count`` searches the downstream tree, None where nothing can be looked up any more.
    """

    change: UpstreamChange
    delta: Delta
    ledger: Ledger
    prior: Prior
    precedents: tuple[PastRecord, ...] = ()
    count: CountWord | None = None


class Written(Frozen):
    """A draft and what it cost. ``ledger`` is the dossier's with what the writer had looked up, None without any."""

    draft: Draft
    usage: Usage = Usage()
    ledger: Ledger | None = None


class Writer(Protocol):
    """A template, a model, or answers from a file. Errors of a writer are ``WriterError``, never half a draft."""

    @property
    def name(self) -> str: ...

    @property
    def versions(self) -> dict[str, str]:
        """What else a reader needs to know to get the same draft again: ids of phrases, prompts, model."""

    def write(self, dossier: Dossier) -> Written: ...

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> Written | None:
        """A second draft that answers the findings, its usage on top of the first one's; None when there is none."""
