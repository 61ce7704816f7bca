"""How far two sides give the same label. Counts in, figures out, for one table or for many at once.

A table is K x K: rows what people said, columns what the draft said. Every function takes tables with any leading axes
and keeps those, so that thousands of resampled tables cost one call. NaN says that there is nothing to measure.
"""

from __future__ import annotations

import numpy as np

from evals.scores.intervals import Floats, Ints


def tables(truth: Ints, answers: Ints, classes: int, weights: Floats) -> Floats:
    """One table per row of ``weights`` (draws x records); ``truth`` and ``answers`` are codes below ``classes``."""
    cells = np.zeros((len(truth), classes * classes))
    cells[np.arange(len(truth)), truth * classes + answers] = 1.0
    counts: Floats = weights @ cells
    return counts.reshape(*weights.shape[:-1], classes, classes)


def accuracy(table: Floats) -> Floats:
    return divided(np.trace(table, axis1=-2, axis2=-1), table.sum(axis=(-2, -1)))


def f1(table: Floats) -> Floats:
    """F1 of every class: 2 TP / (2 TP + FP + FN). NaN for a class that neither side gives."""
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    return divided(2 * hits, table.sum(axis=-1) + table.sum(axis=-2))


def macro_f1(table: Floats) -> Floats:
    """Mean F1 of the classes that either side gives, so no division by zero has to be decided on."""
    each = f1(table)
    there = ~np.isnan(each)
    return divided(np.where(there, each, 0.0).sum(axis=-1), there.sum(axis=-1))


def kappa(table: Floats, quadratic: bool = False) -> Floats:
    """Cohen's kappa, 1 - observed / expected disagreement; ``quadratic`` weighs by the squared distance of the codes.

    NaN where chance alone leaves no disagreement: both sides give one and the same class throughout.
    """
    codes = np.arange(table.shape[-1])
    apart = (codes[:, None] - codes[None, :]) ** 2
    cost = apart if quadratic else apart > 0
    chance = table.sum(axis=-1)[..., :, None] * table.sum(axis=-2)[..., None, :]
    observed = (table * cost).sum(axis=(-2, -1)) * table.sum(axis=(-2, -1))
    return 1 - divided(observed, (chance * cost).sum(axis=(-2, -1)))


def divided(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """Part by whole, NaN where the whole is zero."""
    out = np.full(np.broadcast_shapes(part.shape, whole.shape), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
