"""Figures of a table in a terminal: decimals with a true minus sign, nothing where there is nothing."""

from __future__ import annotations

from evals.scores.models import Interval


def plain(value: float | None, digits: int = 3) -> str:
    return "" if value is None else f"{value:.{digits}f}".replace("-", "−")


def signed(value: float | None, digits: int = 3) -> str:
    return "" if value is None else f"{value:+.{digits}f}".replace("-", "−")


def between(interval: Interval | None, digits: int = 3) -> str:
    """``0.06 – 0.43``: both ends without a sign of their own."""
    return "" if interval is None else f"{plain(interval.low, digits)} – {plain(interval.high, digits)}"
