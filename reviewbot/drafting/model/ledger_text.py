"""The evidence ledger as a model reads it: ids first, no line numbers, since an answer cites ids alone.

What does not fit goes from the end of the ranking: first source lines, then further couplings, then whole places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.models import EvidenceItem, Ledger
from reviewbot.couplings import further_couplings
from reviewbot.drafting.model import words
from reviewbot.drafting.model.outside import told, told_line
from reviewbot.drafting.model.tokens import Count
from reviewbot.render.places import kind_words, kinds_in_all, scope_words, why_words

_INDENT = "    "


@dataclass(frozen=True, slots=True)
class LedgerText:
    """``shown`` are the ids of the places in ``text``, ``cut`` how many of the ledger are not there."""

    text: str
    shown: tuple[str, ...]
    cut: int


@dataclass(slots=True)
class _Entry:
    """One place; parts are emptied as room runs out."""

    id: str
    head: str
    snippet: str
    further: str

    @property
    def text(self) -> str:
        return "\n".join(part for part in (self.head, self.snippet, self.further) if part)


def ledger_text(ledger: Ledger, allowance: int, count: Count) -> LedgerText:
    """The ledger in at most ``allowance`` tokens, the first place in any case."""
    entries = [_entry(item) for item in ledger.items]
    frame = [words.ledger_head(told_line(ledger.downstream), ledger.revision, ledger.totals.files_searched)]
    frame += [words.miss(miss.id, told_line(miss.pattern), told_line(miss.symbol)) for miss in ledger.misses]
    frame += _totals(ledger)
    _fit(entries, allowance - count("\n".join(frame)), count)
    cut = len(ledger.items) - len(entries)
    body = [one.text for one in entries] or [words.NO_ITEMS]
    notes = [words.items_cut(cut)] if cut else []
    return LedgerText("\n".join([frame[0], *body, *notes, *frame[1:]]), tuple(one.id for one in entries), cut)


def _fit(entries: list[_Entry], room: int, count: Count) -> None:
    """Empties parts of ``entries`` from the end, then removes entries, until they take ``room`` tokens."""
    over = sum(count(one.text) for one in entries) - room
    for part in ("snippet", "further"):
        for one in reversed(entries):
            if over <= 0:
                return
            before = count(one.text)
            setattr(one, part, "")
            over -= before - count(one.text)
    while over > 0 and len(entries) > 1:
        over -= count(entries.pop().text)


def _entry(item: EvidenceItem) -> _Entry:
    further = "\n".join(f"  {_head(one, placed=False)}" for one in further_couplings(item))
    snippet = "\n".join(_INDENT + line for line in told(item.snippet).splitlines())
    return _Entry(item.id, _head(item, placed=True), snippet, further)


def _head(item: EvidenceItem, *, placed: bool) -> str:
    """``E1 引用，被改符号本身 | path scope | symbol | detail``; a further coupling shares the place of its item."""
    kind = kind_words(item if not item.further else item.model_copy(update={"kinds": (item.kind,)}))
    relation, _, detail = why_words(_shortened(item)).partition(words.COMMA)
    signature = item.detail.downstream_signature
    told_signature = words.downstream_signature(signature) if signature and item.detail.lacks else ""
    lines = words.at_lines(len(item.lines)) if len(item.lines) > 1 else ""
    place = f"{item.path} {scope_words(item)}{lines}" if placed else ""
    details = words.COMMA.join(part for part in (detail, told_signature) if part)
    parts = (words.coupling(item.id, kind, relation), place, item.symbol, details)
    return words.SEPARATOR.join(told_line(part) for part in parts if part)


def _shortened(item: EvidenceItem) -> EvidenceItem:
    """Without lines, and without the module of a replacement that stands in the very file."""
    detail, module = item.detail, item.path.removesuffix(".py").replace("/", ".")
    replacement = detail.replacement and detail.replacement.removeprefix(f"{module}.")
    return item.model_copy(update={"detail": detail.model_copy(update={"aligned": (), "replacement": replacement})})


def _totals(ledger: Ledger) -> Sequence[str]:
    totals = ledger.totals
    lines = [words.found(kinds_in_all(ledger), totals.found, totals.cut)] if totals.found else []
    if ledger.counts:
        counts = [(told_line(one.pattern), one.lines, one.files) for one in ledger.counts]
        lines.append(words.counted(counts))
    return lines
