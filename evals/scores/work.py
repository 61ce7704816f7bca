"""How well the needs-work score ranks records, whatever threshold one would pick. Pure.

``scores`` and ``needs`` are per record, ``weights`` draws x records; each result has one figure per draw, NaN where a
draw holds no record that needs work, or none that does not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evals.scores.agreement import divided
from evals.scores.intervals import Floats

Flags = NDArray[np.bool_]

#: Whole counts are compared with a product of a rate: far above rounding, far below one record.
_SLACK = 1e-9


def auc(scores: Floats, needs: Flags, weights: Floats) -> Floats:
    """The chance that a record that needs work scores above one that does not; a tie counts half (midranks)."""
    above, below = scores[needs], scores[~needs]
    wins = np.sign(above[:, None] - below[None, :]) / 2 + 0.5
    working, idle = weights[:, needs], weights[:, ~needs]
    return divided(((working @ wins) * idle).sum(axis=1), working.sum(axis=1) * idle.sum(axis=1))


def miss_at(rate: float, scores: Floats, needs: Flags, weights: Floats) -> Floats:
    """The share of work missed when records are flagged from the highest score down until a share ``rate`` of the
    others is flagged, too.

    Records that tie are flagged in part, each equally: on the ROC curve that is the straight line through the tie, and
    of a vertical piece its upper end.
    """
    if not len(scores):
        return np.full(len(weights), np.nan)
    order = np.argsort(-scores, kind="stable")
    levels = np.flatnonzero(np.diff(scores[order], prepend=np.inf))
    working = np.add.reduceat((weights * needs)[:, order], levels, axis=1)
    idle = np.add.reduceat((weights * ~needs)[:, order], levels, axis=1)
    alarms = rate * idle.sum(axis=1, keepdims=True)
    room = alarms - (np.cumsum(idle, axis=1) - idle)
    # A level without false alarms is flagged whole as long as the allowance is not overdrawn.
    part = np.where(idle > 0, np.clip(room / np.where(idle > 0, idle, 1.0), 0.0, 1.0), room >= -_SLACK)
    missed = divided((working * (1 - part)).sum(axis=1), working.sum(axis=1))
    return np.where(idle.sum(axis=1) > 0, missed, np.nan)
