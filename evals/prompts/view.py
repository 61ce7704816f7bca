"""Figures of prompts as a table for people, and as a document for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from evals.prompts import words
from evals.prompts.figures import LEAST_RECALL, MOST_TOKENS, Figures
from evals.prompts.measuring import Measured
from evals.recall import Ratio

Row = tuple[str, str, str, str]


def rows(figures: Figures) -> list[Row]:
    """What is measured, its value, its target and whether that is met; the last two empty without a target."""
    median, p95, longest = figures.tokens
    met = {name: words.MET if held else words.MISSED for name, held in figures.targets.items()}
    recall, everything = words.at_least(LEAST_RECALL), words.at_least(1)
    return [
        (words.TOKENS_MEDIAN, f"{median:,}", words.at_most(MOST_TOKENS), met["tokens_median"]),
        (words.TOKENS_P95, f"{p95:,}", *_FREE),
        (words.TOKENS_MAX, f"{longest:,}", *_FREE),
        (words.PREFIX, f"{figures.prefix:.2f}", *_FREE),
        (words.PLACES, _ratio(figures.places), recall, met["places"]),
        (words.CITED_IN_LEDGER, _ratio(figures.cited_in_ledger), *_FREE),
        (words.CITED_IN_PROMPT, _ratio(figures.cited_in_prompt), recall, met["cited_in_prompt"]),
        (words.FILES, _ratio(figures.files), everything, met["files"]),
        (words.HUNKS, _ratio(figures.hunks), *_FREE),
        (words.HUNKS_UNREAD, words.unread(figures.unread, figures.unread_in), *_FREE),
        (words.PAST, _ratio(figures.past), *_FREE),
        (words.DECIDED, _ratio(figures.decided), *_FREE),
        (words.PLAIN, _ratio(figures.plain), *_FREE),
    ]


_FREE = (words.NO_TARGET, words.NO_TARGET)


def _ratio(ratio: Ratio) -> str:
    return words.NOTHING if ratio.value is None else words.ratio(ratio.value, ratio.hits, ratio.total)


def document(figures: Figures, measured: Sequence[Measured], *, exact: bool) -> dict[str, Any]:
    """``exact``: tokens are those of o200k_base, not estimates. ``records`` has one entry for each prompt."""
    ratios = ("places", "cited_in_ledger", "cited_in_prompt", "files", "hunks", "decided", "plain", "past")
    shape = {name: {**asdict(getattr(figures, name)), "value": getattr(figures, name).value} for name in ratios}
    return {
        "prompts": figures.records,
        "exact_tokens": exact,
        "tokens": dict(zip(("median", "p95", "max"), figures.tokens, strict=True)),
        "prefix_share": figures.prefix,
        **shape,
        "unread_hunks": figures.unread,
        "targets": figures.targets,
        "records": [_record(one) for one in measured],
    }


def _record(one: Measured) -> dict[str, Any]:
    counted = {name: len(getattr(one, name)) for name in ("expected", "cited", "cited_told")}
    kept = ("record", "tokens", "prefix_tokens", "places", "files", "files_told", "hunks", "hunks_told", "unread")
    return {
        **{name: getattr(one, name) for name in (*kept, "decided", "plain", "past")},
        **counted,
        "missing": list(one.missing),
    }
