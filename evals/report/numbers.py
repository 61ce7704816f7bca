"""Figures as people read them. A figure that could not be measured is a dash, never a zero."""

from __future__ import annotations

from evals.report import words
from evals.scores.keys import DEFINITIONS, Kind
from evals.scores.models import Score

_KINDS = {one.key: one.kind for one in DEFINITIONS}
_SHARES = frozenset({Kind.RATE, Kind.RATIO})


def percent(share: float | None) -> str:
    return words.ABSENT if share is None else f"{share:.0%}"


def decimal(value: float | None) -> str:
    return words.ABSENT if value is None else f"{value:.2f}"


def amount(value: float | None) -> str:
    """Tokens, money, seconds: whole when whole or large, else as many decimals as say something."""
    if value is None:
        return words.ABSENT
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 1000 else f"{value:,.3g}"


def value_text(score: Score) -> str:
    return _spelled(score, score.value)


def interval_text(score: Score) -> str:
    if score.interval is None:
        return words.ABSENT
    return words.interval(_spelled(score, score.interval.low), _spelled(score, score.interval.high))


def count_text(score: Score) -> str:
    """``9/22`` for a share, else what it rests on."""
    return str(score.n) if score.hits is None else words.share_of(score.hits, score.n)


def is_share(score: Score) -> bool:
    return _KINDS[score.key] in _SHARES


def _spelled(score: Score, value: float | None) -> str:
    if is_share(score):
        return percent(value)
    return amount(value) if _KINDS[score.key] is Kind.COST else decimal(value)
