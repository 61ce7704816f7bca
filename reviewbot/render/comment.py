"""The Markdown comment on a pull request: verdict first, evidence folded away, never longer than a forge takes.

Contract: ``comment`` returns at most ``LIMIT`` characters and begins with a hidden marker by which the bot finds its
own comment again. What does not fit goes in this order: code snippets, further couplings, misses and counts, evidence
rows from the end; how much is missing is said. Everything printed comes from a checked analysis and passes ``scrub``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePath
from textwrap import indent

from retrieval.models import EvidenceItem, Ledger, UpstreamChange
from reviewbot import words as common
from reviewbot.citations import cite_item, line_ranges
from reviewbot.couplings import further_couplings
from reviewbot.models import Analysis, AnalysisState
from reviewbot.render import words
from reviewbot.render.basis import basis_lines
from reviewbot.render.labels import label_cells
from reviewbot.render.markdown import clip, code, fenced, fold, prose, prose_line, table
from reviewbot.render.places import kind_words, kinds_in_all, scope_words, why_words
from reviewbot.render.record import record
from reviewbot.render.scrub import clean, scrub_line

LIMIT = 60_000
MARKER_VERSION = 1
_TITLE_LIMIT = 300
_PARAGRAPH_LIMIT = 6_000
_CELL_LIMIT = 300
_SNIPPET_LIMIT = 2_000


@dataclass(frozen=True)
class _Shown:
    """How many snippets, evidence rows, further couplings, misses and counts a comment shows."""

    snippets: int
    rows: int
    further: int
    misses: int
    counts: int


def marker(key: str) -> str:
    """The hidden first line. ``key`` names repository, pull request and subject; what could end the line becomes -."""
    safe = re.sub(r"[^A-Za-z0-9._/#]+", "-", clean(key)).strip("-")
    return f"<!-- reviewbot:comment v{MARKER_VERSION} key={safe} -->"


def default_key(change: UpstreamChange) -> str:
    """``pytorch/pytorch#N``, else the head SHA, else the name of the source: a path would tell of the machine."""
    if change.number is not None:
        return f"pytorch/pytorch#{change.number}"
    return change.head_sha or PurePath(change.source).name or "change"


def comment(analysis: Analysis, *, key: str | None = None, at: datetime | None = None, limit: int = LIMIT) -> str:
    """The whole comment. ``key`` goes into the marker, ``at`` is printed as the time it was made."""
    full = _everything(analysis.ledger)
    for shown in _shrinking(full):
        text = _write(analysis, shown, full, key or default_key(analysis.change), at)
        if len(text) <= limit:
            return text
    return cut(text, limit)


#: How often ``content`` can be asked for less; at the last level nothing but the record and its basis is left.
LEAST = 11


def content(analysis: Analysis, level: int, at: datetime | None = None) -> str:
    """What a comment says below its title, folded the more the higher ``level`` is, 0 to ``LEAST``."""
    full = _everything(analysis.ledger)
    return "\n\n".join(_content(analysis, tuple(_shrinking(full))[level], full, at))


def cut(text: str, limit: int) -> str:
    """The beginning of a comment, with open folds closed and said to be cut; at most ``limit`` characters."""
    if len(text) <= limit:
        return text
    end = f"\n\n{words.COMMENT_TRUNCATED}"
    return _closed(text[: limit - len(end) - 64]) + end


def _everything(ledger: Ledger) -> _Shown:
    places, further = len(ledger.items), sum(len(item.further) for item in ledger.items)
    return _Shown(places, places, further, len(ledger.misses), len(ledger.counts))


def _shrinking(full: _Shown) -> Iterator[_Shown]:
    """From everything to nothing but the record: snippets, further couplings, then misses and counts, then rows."""
    yield full
    for snippets in (full.snippets // 2, full.snippets // 4, 0):
        yield replace(full, snippets=snippets)
    full = replace(full, snippets=0)
    for further in (full.further // 4, 0):
        yield replace(full, further=further)
    full = replace(full, further=0)
    for rest in (10, 0):
        yield replace(full, misses=min(full.misses, rest), counts=min(full.counts, rest))
    for rows in (full.rows // 2, full.rows // 4, min(5, full.rows), 0):
        yield replace(full, rows=rows, misses=0, counts=0)


def _closed(text: str) -> str:
    """A cut text with its open fold closed, so that what follows is not swallowed."""
    return text + "\n\n</details>" * (text.count("<details>") - text.count("</details>"))


def _write(analysis: Analysis, shown: _Shown, full: _Shown, key: str, at: datetime | None) -> str:
    parts = [
        marker(key),
        f"## {words.comment_title(analysis.draft.labels.verdict)}",
        *_content(analysis, shown, full, at),
    ]
    return "\n\n".join(parts) + "\n"


def _content(analysis: Analysis, shown: _Shown, full: _Shown, at: datetime | None) -> list[str]:
    printed = record(analysis)
    title = clip(printed.title, _TITLE_LIMIT, words.CLIPPED)
    number = printed.upstream_pr
    names = ["" if number is None else code(f"pytorch/pytorch#{number}"), prose_line(title) or words.UNTITLED]
    cells = label_cells(printed.labels)
    parts = [" ".join(name for name in names if name)]
    if analysis.state is not AnalysisState.DONE or analysis.reason:
        reason = clip(analysis.reason, _TITLE_LIMIT, words.CLIPPED)
        parts.append(f"> {prose_line(words.state_line(analysis.state, reason))}")
    parts += [
        table([name for name, _ in cells], [[value for _, value in cells]]),
        f"**{words.HEADING_SUMMARY}**{words.COLON}{prose_line(clip(printed.summary, _TITLE_LIMIT, words.CLIPPED))}",
        f"**{words.HEADING_ANALYSIS}**{words.COLON}{prose(clip(printed.analysis, _PARAGRAPH_LIMIT, words.CLIPPED))}",
        _evidence(analysis.ledger, shown, full),
        fold(words.HEADING_BASIS, _basis(analysis, at)),
    ]
    return parts


# --- evidence ---------------------------------------------------------------------------------------------------------


def _evidence(ledger: Ledger, shown: _Shown, full: _Shown) -> str:
    parts = [kinds_in_all(ledger)] if ledger.items else []
    if shown.rows:
        parts.append(table(words.EVIDENCE_COLUMNS, [_item_row(item) for item in ledger.items[: shown.rows]]))
    if ledger.totals.cut:
        parts.append(words.evidence_cut(ledger.totals.cut, ledger.totals.found))
    if shown.further:
        others = [one for item in ledger.items for one in further_couplings(item)][: shown.further]
        rows = [_further_row(one) for one in others]
        parts += [f"**{words.HEADING_FURTHER}**", table(words.FURTHER_COLUMNS, rows)]
    if shown.misses:
        missed = [
            (scrub_line(miss.id), code(miss.pattern), code(_cell(miss.symbol)), str(miss.files), str(miss.count))
            for miss in ledger.misses[: shown.misses]
        ]
        parts += [f"**{words.HEADING_MISSES}**", table(words.MISS_COLUMNS, missed)]
    if shown.counts:
        counted = [(code(one.pattern), str(one.lines), str(one.files)) for one in ledger.counts[: shown.counts]]
        parts += [f"**{words.HEADING_COUNTS}**", table(words.COUNT_COLUMNS, counted)]
    snippets = [_snippet(item) for item in ledger.items[: shown.snippets] if item.snippet.strip()]
    if snippets:
        parts += [f"**{words.HEADING_SNIPPETS}**", fenced("\n".join(snippets), "text")]
    missing = (
        full.rows - shown.rows,
        full.further - shown.further,
        full.snippets - shown.snippets,
        full.misses - shown.misses + full.counts - shown.counts,
    )
    if any(missing):
        parts.append(words.comment_cut(*missing))
    return fold(words.evidence_fold(ledger.totals.found or len(ledger.items), len(ledger.misses)), "\n\n".join(parts))


def _item_row(item: EvidenceItem) -> tuple[str, ...]:
    return (
        scrub_line(item.id),
        kind_words(item),
        code(cite_item(item)),
        prose_line(_cell(scope_words(item))),
        code(_cell(item.symbol)),
        prose_line(_cell(why_words(item))),
    )


def _further_row(one: EvidenceItem) -> tuple[str, ...]:
    why = prose_line(_cell(why_words(one)))
    return scrub_line(one.id), kind_words(one), line_ranges(one.lines), code(_cell(one.symbol)), why


def _cell(text: str) -> str:
    return clip(text, _CELL_LIMIT, words.CLIPPED)


def _snippet(item: EvidenceItem) -> str:
    """Where it is, then the lines set in, so that none begins where a bot would look for a command."""
    body = indent(clip(item.snippet, _SNIPPET_LIMIT, words.CLIPPED), "    ")
    return f"{scrub_line(item.id)} {scrub_line(cite_item(item))}\n{body}"


# --- basis ------------------------------------------------------------------------------------------------------------


def _basis(analysis: Analysis, at: datetime | None) -> str:
    rules = [
        (code(rule.id), prose_line(rule.reason), prose_line(_cell(common.LIST_COMMA.join(rule.because))))
        for rule in analysis.prior.rules
    ]
    lines = [f"- {prose_line(line)}" for line in basis_lines(analysis, at)]
    return "\n\n".join(
        [
            f"**{words.HEADING_RULES}**{words.COLON}" + words.prior_line(analysis.prior.track, analysis.prior.decision),
            table(words.RULE_COLUMNS, rules),
            "\n".join(lines),
        ]
    )
