"""A record for the terminal: coloured, safe at any width, never read as markup.

Contract: ``record_panel`` returns a Rich renderable and prints nothing. All text is a ``Text``, so outside brackets
are not markup, and it is scrubbed, so no escape sequence reaches the terminal. At narrow widths the label table becomes
a list; text wraps between Chinese characters and after slashes, and nothing is cut.
"""

from __future__ import annotations

import re

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from retrieval.models import EvidenceItem, Ledger
from reviewbot import words as common
from reviewbot.citations import cite_item, cite_miss
from reviewbot.models import Analysis, AnalysisState, Labels, NeedsAdaptation, Prior, Record, Risk, Verdict
from reviewbot.render import words
from reviewbot.render.basis import basis_lines
from reviewbot.render.flow import Flowing
from reviewbot.render.labels import label_cells
from reviewbot.render.places import kind_words, kinds_in_all, why_words
from reviewbot.render.record import record
from reviewbot.render.scrub import scrub_line

_VERDICT_STYLE = {Verdict.CHECK: "green", Verdict.TEST: "yellow", Verdict.SHIM: "red"}
_VALUE_STYLE: dict[str, str] = {
    Risk.LOW: "green",
    Risk.MEDIUM: "yellow",
    Risk.HIGH: "red",
    NeedsAdaptation.YES: "yellow",
    NeedsAdaptation.UNCLEAR: "magenta",
    NeedsAdaptation.NO: "green",
}
_CITATION = re.compile(rf"[\w./+-]+:\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*|[\w.]+ {common.ZERO_HITS}", re.ASCII)
#: Below this many columns tables are written as lists.
NARROW = 60
#: No panel is wider: longer lines are hard to read.
WIDE = 120
#: Evidence rows shown in a terminal; the rest is counted.
ROWS = 10


def record_panel(analysis: Analysis, *, explain: bool = False, rows: int = ROWS) -> RenderableType:
    """Title, labels, summary, analysis, evidence and basis. ``explain`` adds the rules that fired and why."""
    printed = record(analysis)
    title = Flowing(Text(printed.title or words.UNTITLED, style="bold"))
    parts: list[RenderableType] = [title, _labels(printed.labels)]
    if analysis.state is not AnalysisState.DONE or analysis.reason:
        state = Text(scrub_line(words.state_line(analysis.state, analysis.reason)), style="bold magenta")
        parts.append(Flowing(state))
    parts += [
        _section(words.HEADING_SUMMARY, _cited(printed.summary)),
        _section(words.HEADING_ANALYSIS, _cited(printed.analysis)),
        _section(words.HEADING_EVIDENCE, _evidence(analysis.ledger, rows)),
    ]
    if explain:
        parts.append(_section(words.HEADING_RULES, _rules(analysis.prior)))
    basis = Text("\n".join(scrub_line(line) for line in basis_lines(analysis)), style="dim")
    parts.append(_section(words.HEADING_BASIS, Flowing(basis)))
    return _framed(Group(*parts), printed)


def _framed(body: RenderableType, printed: Record) -> RenderableType:
    """In a panel that names the pull request and what to do."""
    verdict = printed.labels.verdict
    name = Text(words.change_name(printed.upstream_pr), style="bold") if printed.upstream_pr is not None else None
    panel = Panel(
        body,
        title=name,
        title_align="left",
        subtitle=Text(f"{verdict} · {words.VERDICT_WORDS[verdict]}", style=_VERDICT_STYLE[verdict]),
        subtitle_align="right",
        border_style=_VERDICT_STYLE[verdict],
        padding=(0, 1),
    )
    return Constrain(panel, WIDE)


class _Adaptive:
    """A table where there is room for one, a list where there is not."""

    def __init__(self, wide: RenderableType, narrow: RenderableType) -> None:
        self.wide = wide
        self.narrow = narrow

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.narrow if options.max_width < NARROW else self.wide


def _section(heading: str, body: RenderableType) -> RenderableType:
    return Group(Rule(Text(heading, style="bold cyan"), style="dim", align="left"), Padding(body, (0, 0, 0, 1)))


def _cited(text: str) -> Flowing:
    """The paragraph with its citations coloured."""
    shown = Text(text)
    for match in _CITATION.finditer(text):
        shown.stylize("cyan", match.start(), match.end())
    return Flowing(shown)


def _labels(labels: Labels) -> RenderableType:
    cells = [(name, Text(value, style=_VALUE_STYLE.get(value, ""))) for name, value in label_cells(labels)]
    cells[0][1].stylize(f"bold {_VERDICT_STYLE[labels.verdict]}")
    wide = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name, _ in cells:
        wide.add_column(name, no_wrap=True)
    wide.add_row(*(value for _, value in cells))
    narrow = Group(*(Text.assemble((f"{name}{words.COLON}", "dim"), value) for name, value in cells))
    return _Adaptive(wide, narrow)


def _evidence(ledger: Ledger, rows: int) -> RenderableType:
    parts: list[RenderableType] = []
    if ledger.items:
        parts.append(Flowing(Text(kinds_in_all(ledger), style="dim")))
        parts.append(_items(ledger.items[:rows]))
    hidden = len(ledger.items[rows:]) + ledger.totals.cut
    if hidden:
        cut = words.evidence_cut(hidden, len(ledger.items) + ledger.totals.cut)
        parts.append(Flowing(Text(cut, style="dim")))
    if ledger.misses:
        counted = common.LIST_COMMA.join(scrub_line(cite_miss(miss)) for miss in ledger.misses)
        parts.append(Flowing(Text(counted, style="dim")))
    return Group(*parts) if parts else Text(words.ABSENT)


def _items(items: tuple[EvidenceItem, ...]) -> RenderableType:
    wide = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=False)
    wide.add_column(no_wrap=True)
    wide.add_column(ratio=3)
    wide.add_column(ratio=8)
    wide.add_column(ratio=6)
    narrow: list[RenderableType] = []
    for item in items:
        place, why = Text(scrub_line(cite_item(item)), style="cyan"), Text(scrub_line(why_words(item)))
        kinds = Text(kind_words(item))
        wide.add_row(Text(item.id, style="bold"), Flowing(kinds), Flowing(place), Flowing(why))
        narrow.append(Flowing(Text(" ").join([Text(item.id, style="bold"), kinds, place])))
    return _Adaptive(wide, Group(*narrow))


def _rules(prior: Prior) -> RenderableType:
    lines = [Flowing(Text(words.prior_line(prior.track, prior.decision), style="dim"))]
    for rule in prior.rules:
        line = Text.assemble((rule.id, "bold"), f" {scrub_line(rule.reason)}")
        if rule.because:
            line.append(words.in_brackets(scrub_line(common.LIST_COMMA.join(rule.because))), style="dim")
        lines.append(Flowing(line))
    return Group(*lines)
