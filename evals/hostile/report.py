"""The outcome of a trial as terminal table and as JSON."""

from __future__ import annotations

from typing import Any

from evals.hostile import words
from evals.hostile.lies import UNCOVERED, Falsehood
from evals.hostile.trial import Count, Leak, Tally
from reviewbot.cli.output import Output

#: Of true sentences at least this share has to be printed.
KEPT_FLOOR = 0.95


def holds(tally: Tally) -> bool:
    """Nothing false printed in a covered class, and true sentences kept as promised."""
    covered = all(not count.printed for one, count in tally.classes.items() if one not in UNCOVERED)
    return covered and tally.kept_share is not None and tally.kept_share >= KEPT_FLOOR


def show(output: Output, tally: Tally, *, leaks: bool) -> None:
    """Covered classes, then those that no code can tell, then true sentences; with ``leaks`` every one in full."""
    output.table(words.COLUMNS, [_row(one, tally.classes[one]) for one in _ordered(tally)])
    output.line()
    output.line(words.kept(tally.kept, tally.true))
    output.line(words.tried(tally.records, tally.drafts))
    output.line(words.HOLDS if holds(tally) else words.FAILS, style="green" if holds(tally) else "red")
    if leaks:
        for one in _ordered(tally):
            _show_leaks(output, words.NAMES[one], tally.classes[one].printed)
        _show_leaks(output, words.LOST, tally.lost)


def as_document(tally: Tally, *, seed: int, samples: int) -> dict[str, Any]:
    """Counts, rates and every sentence that went the wrong way."""
    return {
        "seed": seed,
        "samples": samples,
        "records": tally.records,
        "drafts": tally.drafts,
        "true": {"tried": tally.true, "kept": tally.kept, "share": tally.kept_share, "lost": _rows(tally.lost)},
        "false": {
            one.value: {
                "covered": one not in UNCOVERED,
                "tried": count.tried,
                "printed": len(count.printed),
                "rate": rate(count),
                "left_out": count.left_out,
                "leaks": _rows(count.printed),
            }
            for one, count in tally.classes.items()
        },
        "holds": holds(tally),
    }


def rate(count: Count) -> float | None:
    return len(count.printed) / count.tried if count.tried else None


def _ordered(tally: Tally) -> list[Falsehood]:
    return sorted(tally.classes, key=lambda one: one in UNCOVERED)


def _row(one: Falsehood, count: Count) -> tuple[str, ...]:
    share = rate(count)
    printed = "" if share is None else f"{share:.1%}"
    covered = words.COVERED[one not in UNCOVERED]
    return words.NAMES[one], covered, str(count.tried), str(len(count.printed)), printed, str(count.left_out)


def _show_leaks(output: Output, heading: str, leaks: list[Leak]) -> None:
    if leaks:
        output.line()
        output.line(heading, style="bold")
        for leak in leaks:
            output.line(words.leak(leak.record, leak.text, leak.findings))


def _rows(leaks: list[Leak]) -> list[dict[str, Any]]:
    return [{"record": one.record, "sentence": one.text, "findings": list(one.findings)} for one in leaks]
