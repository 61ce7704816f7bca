"""A ledger in full, for ``--explain`` and ``index query``: every item with its score and relation, misses, counts."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from retrieval.models import EvidenceItem, Ledger
from reviewbot.citations import cite_item, line_ranges
from reviewbot.cli import words
from reviewbot.cli.output import Output
from reviewbot.couplings import further_couplings
from reviewbot.models import Analysis
from reviewbot.render import words as render_words
from reviewbot.render.places import kind_words, why_words
from reviewbot.render.scrub import clean

#: Below this many columns an item is a block of lines instead of a row.
_ROOM_FOR_TABLE = 150


def show_grounds(output: Output, analysis: Analysis) -> None:
    """What ``--explain`` adds below the record: the whole ledger, what verification said, time per step."""
    show_ledger(output, analysis.ledger)
    if analysis.draft.findings:
        _title(output, words.FINDINGS_TITLE)
        for finding in analysis.draft.findings:
            output.line(words.finding_line(finding.kind, _shown(finding.message), _shown(finding.sentence)))
    _title(output, words.TIMING_TITLE)
    spent = analysis.timing.model_dump()
    output.line("   ".join(f"{words.STEP_WORDS[step]} {spent[step]:.1f} ms" for step in words.STEP_WORDS))


def show_ledger(output: Output, ledger: Ledger) -> None:
    """Items, counted misses and whole-word counts of one ledger."""
    totals = ledger.totals
    _title(output, words.ledger_title(totals.shown, totals.found, totals.cut))
    if not ledger.items:
        output.line(words.NO_COUPLING)
    elif output.out.width >= _ROOM_FOR_TABLE:
        output.table(words.ITEM_COLUMNS, [row for item in ledger.items for row in _rows(item)], fold=(3, 4, 5, 6))
    else:
        for item in ledger.items:
            output.out.print(_block(item))
    if ledger.misses:
        _title(output, words.misses_title(totals.files_searched))
        rows = [(miss.id, _shown(miss.pattern), _shown(miss.symbol)) for miss in ledger.misses]
        output.table(words.SEARCH_COLUMNS, rows, fold=(2,))
    if ledger.counts:
        _title(output, render_words.HEADING_COUNTS)
        counts = [(_shown(one.pattern), str(one.lines), str(one.files)) for one in ledger.counts]
        output.table(render_words.COUNT_COLUMNS, counts)


def _rows(item: EvidenceItem) -> Iterator[tuple[str, ...]]:
    """The item, then its further couplings: same path and scope, which are not said again."""
    what = (f"{item.score:.2f}", kind_words(item), _shown(why_words(item)))
    yield item.id, *what, _shown(cite_item(item)), _shown(item.scope), _shown(item.symbol)
    for one in further_couplings(item):
        yield one.id, "", kind_words(one), _shown(why_words(one)), f":{line_ranges(one.lines)}", "", _shown(one.symbol)


def _block(item: EvidenceItem) -> RenderableType:
    place = Text.assemble((_shown(cite_item(item)), "cyan"), f"  {_shown(item.scope)}")
    symbol = Text(words.upstream_symbol(_shown(item.symbol)), style="dim")
    head = Text.assemble((item.id, "bold"), f"  {item.score:.2f}  {kind_words(item)}  {_shown(why_words(item))}")
    others = [
        Text(f"{one.id}  {kind_words(one)}  {_shown(why_words(one))}  :{line_ranges(one.lines)}  {_shown(one.symbol)}")
        for one in further_couplings(item)
    ]
    return Group(head, Padding(Group(place, symbol, *others), (0, 0, 0, 4)))


def _shown(text: str) -> str:
    """Text from outside as a terminal may have it: as written, so that a path can be copied, but nothing invisible."""
    return " ".join(clean(text).split())


def _title(output: Output, title: str) -> None:
    output.line()
    output.line(title, style="bold")
