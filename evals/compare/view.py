"""A comparison as terminal tables and as JSON."""

from __future__ import annotations

from typing import Any

from evals.compare import words
from evals.compare.models import DECISIVE, Comparison, Difference, Flip
from evals.scores.keys import Better, better
from evals.scores.spelling import plain, signed
from evals.scores.words import BETTER, NAMES
from reviewbot.cli.output import Output


def show(output: Output, comparison: Comparison, *, everything: bool) -> None:
    """The sentence first, then figures, then every flip."""
    output.line(sentence(comparison), style="bold")
    for note in comparison.notes:
        output.line(words.NOTES[note], style="yellow")
    left_out = words.one_sided(comparison.only_first, comparison.only_second, comparison.unanswered)
    if left_out:
        output.line(left_out, style="yellow")
    if not comparison.records:
        return
    rows = [row for row in comparison.rows if everything or row.key in DECISIVE or row.value]
    output.line()
    output.table(words.COLUMNS, [_row(row) for row in rows])
    output.line()
    if not comparison.flips:
        output.line(words.NO_FLIPS)
        return
    gained = sum(flip.gained for flip in comparison.flips)
    output.line(words.flips_heading(gained, len(comparison.flips) - gained), style="bold")
    output.table(words.FLIP_COLUMNS, [_flip(flip) for flip in comparison.flips])


def sentence(comparison: Comparison) -> str:
    """The whole comparison in one sentence."""
    names = [NAMES[key] for key in DECISIVE]
    return words.conclusion(comparison.conclusion, comparison.first, comparison.second, comparison.records, names)


def as_document(comparison: Comparison) -> dict[str, Any]:
    return {"sentence": sentence(comparison), **comparison.model_dump(mode="json")}


def interval(row: Difference) -> str:
    return f"[{signed(row.interval.low)}, {signed(row.interval.high)}]" if row.interval else ""


def _row(row: Difference) -> tuple[str, ...]:
    split = row.discordance
    test = f"{split.only_first} / {split.only_second}（{words.p_value(split.p)}）" if split else ""
    mark = words.BEYOND[(row.gain or 0) > 0] if row.is_beyond_noise else ""
    arrow = BETTER[Better(better(row.key))]
    return (
        f"{NAMES[row.key]} {arrow}",
        plain(row.first),
        plain(row.second),
        signed(row.value),
        interval(row),
        test,
        mark,
    )


def _flip(flip: Flip) -> tuple[str, ...]:
    said = [words.VALUES.get(value, value) for value in (flip.truth, flip.first, flip.second)]
    return flip.record, flip.batch, words.FIELDS[flip.field], *said, words.GAINED if flip.gained else words.LOST
