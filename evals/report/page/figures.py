"""The figures of a report, drawn by matplotlib as inline SVG. Without it there are none, and tables stand in.

Every figure shows how many cases stand behind each of its marks: with few records a mark without its count misleads.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from markupsafe import Markup

from evals.report import words
from evals.report.beating import FALSE_ALARM, MISS
from evals.report.operating import OperatingPoint
from evals.report.page import svg
from evals.report.page import words as page_words
from evals.scores import words as score_words
from evals.scores.baselines import CONSTANT
from evals.scores.models import BatchRow, Bin, Confusion, ScoreSheet, Scoring
from reviewbot.render.scrub import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A cell darker than this takes the colour of the page behind its count.
_DARK = 0.55
#: Characters of a batch's name below its bars.
_MOST_NAME = 12


def draw_figures(scoring: Scoring, points: Sequence[OperatingPoint]) -> Mapping[str, Markup] | None:
    """SVG by the figure's name (``curve``, ``reliability``, ``batches``, ``confusion-<label>``); a figure with nothing
    to show is left out. None without matplotlib.
    """
    sheet = scoring.sheet
    try:
        with svg.drawing():
            drawn = {
                "curve": _curve(scoring, points),
                "reliability": _reliability(sheet.reliability),
                "batches": _batches(sheet.batches),
                **{f"confusion-{label}": _confusion(label, one) for label, one in sheet.confusions.items()},
            }
    except ImportError:
        return None
    return {name: figure for name, figure in drawn.items() if figure is not None}


def _curve(scoring: Scoring, points: Sequence[OperatingPoint]) -> Markup | None:
    """The run's score as a stair, the run's own labels and every baseline as points."""
    own = _position(scoring.sheet)
    if own is None:
        return None
    figure, axes = svg.canvas(4.2, 4.0)
    _unit_square(axes, score_words.NAMES[FALSE_ALARM], score_words.NAMES[MISS])
    if points:
        across, up = [one.false_alarm for one in points], [one.miss for one in points]
        axes.step(across, up, where="post", color=svg.MAIN, linewidth=1.6)
    stacked = _stacked(scoring.baselines)
    for position, names in stacked.items():
        axes.plot(*position, marker="s", markersize=6, color=svg.SECOND, clip_on=False, linestyle="none")
        if position != own:
            _beside(axes, position, words.join(names), svg.MUTED)
    axes.plot(*own, marker="o", markersize=9, color=svg.BAD, clip_on=False, linestyle="none")
    _beside(axes, own, words.join([words.RUN_ROW, *stacked.get(own, ())]), svg.INK)
    return svg.inline(figure, "curve", page_words.FIGURE_CURVE)


def _position(sheet: ScoreSheet) -> tuple[float, float] | None:
    miss, false_alarm = sheet.score(MISS).value, sheet.score(FALSE_ALARM).value
    return None if miss is None or false_alarm is None else (false_alarm, miss)


def _stacked(baselines: Sequence[ScoreSheet]) -> dict[tuple[float, float], list[str]]:
    """Names of the baselines at each point. Constant answers share two corners and are counted there, not named."""
    named: defaultdict[tuple[float, float], list[str]] = defaultdict(list)
    constants: Counter[tuple[float, float]] = Counter()
    for sheet in baselines:
        position = _position(sheet)
        if position is None:
            continue
        if sheet.name.startswith(CONSTANT):
            constants[position] += 1
        else:
            named[position].append(score_words.baseline_name(sheet.name))
    for position, count in constants.items():
        named[position].append(page_words.constants(count))
    return named


def _beside(axes: Axes, position: tuple[float, float], text: str, colour: str) -> None:
    """A label that grows towards the middle of the square, where there is room."""
    left = position[0] > 0.5
    axes.annotate(
        text,
        position,
        xytext=(-9 if left else 9, 7 if position[1] < 0.5 else -14),
        textcoords="offset points",
        ha="right" if left else "left",
        fontsize=9,
        color=colour,
    )


def _unit_square(axes: Axes, across: str, up: str) -> None:
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=across, ylabel=up, aspect="equal")
    axes.xaxis.set_major_formatter(_percent)
    axes.yaxis.set_major_formatter(_percent)
    axes.grid(True)


def _percent(value: float, _position: float) -> str:
    return f"{value:.0%}"


def _reliability(bins: Sequence[Bin]) -> Markup | None:
    """Mean score of each bin against the share that needed work; the diagonal is perfect calibration."""
    marks = [(one.mean, one.share, one.n) for one in bins if one.mean is not None and one.share is not None]
    if not marks:
        return None
    figure, axes = svg.canvas(4.2, 4.0)
    _unit_square(axes, page_words.AXIS_MEAN_SCORE, page_words.AXIS_SHARE)
    axes.plot([0, 1], [0, 1], color=svg.MUTED, linewidth=0.8, linestyle=(0, (4, 4)))
    most = max(n for _, _, n in marks)
    means, shares, counts = zip(*marks, strict=True)
    axes.plot(means, shares, color=svg.MAIN, linewidth=1)
    axes.scatter(means, shares, s=[30 + 150 * n / most for n in counts], color=svg.MAIN, clip_on=False, zorder=3)
    for mean, share, n in marks:
        _beside(axes, (mean, share), f"n={n}", svg.MUTED)
    return svg.inline(figure, "reliability", page_words.FIGURE_RELIABILITY)


def _batches(batches: Sequence[BatchRow]) -> Markup | None:
    """Verdict agreement per batch beside what the batch's own majority would have had."""
    if not batches:
        return None
    names = [_shortened(clean(row.batch)) for row in batches]
    figure, axes = svg.canvas(1 + len(batches) * max(0.4, 0.09 * max(map(len, names))), 2.6)
    places = range(len(batches))
    pairs = (
        (-0.2, svg.MAIN, [row.verdict_hits / row.n for row in batches]),
        (0.2, svg.SECOND, [row.majority_hits / row.n for row in batches]),
    )
    for shift, colour, shares in pairs:
        axes.bar([place + shift for place in places], shares, width=0.36, color=colour)
    axes.set_xticks(places, [f"{name}\n{row.n}" for name, row in zip(names, batches, strict=True)])
    axes.set(ylim=(0, 1.02), xlim=(-0.6, len(batches) - 0.4))
    axes.yaxis.set_major_formatter(_percent)
    axes.tick_params(axis="x", length=0)
    axes.grid(True, axis="y")
    return svg.inline(figure, "batches", page_words.FIGURE_BATCHES)


def _shortened(name: str) -> str:
    """As much of a batch's name as fits below its bars; the table beside has all of it."""
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…"


def _confusion(label: str, confusion: Confusion) -> Markup | None:
    """Counts, shaded by the share of their row."""
    size = len(confusion.values)
    if not any(map(any, confusion.counts)):
        return None
    figure, axes = svg.canvas(1.2 + size * max(0.7, 0.085 * max(map(len, confusion.values))), 0.8 + 0.55 * size)
    for row, column in product(range(size), repeat=2):
        count = confusion.counts[row][column]
        share = count / max(sum(confusion.counts[row]), 1)
        colour = svg.MAIN if row == column else svg.BAD
        axes.fill_between(
            (column - 0.48, column + 0.48), row - 0.48, row + 0.48, color=colour, alpha=share, linewidth=0
        )
        axes.text(column, row, str(count), ha="center", va="center", color=svg.PAGE if share > _DARK else svg.INK)
    axes.set_xticks(range(size), confusion.values)
    axes.set_yticks(range(size), confusion.values)
    axes.set(
        xlim=(-0.5, size - 0.5), ylim=(size - 0.5, -0.5), xlabel=page_words.DRAFT_SAID, ylabel=page_words.TEAM_SAID
    )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return svg.inline(figure, f"confusion-{label}", page_words.figure_confusion(label))
