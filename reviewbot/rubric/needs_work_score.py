"""The rules' needs-work score: one number that orders changes by how likely somebody has to act.

The labels decide on which side of 0.5 it lies: a prior whose labels need work scores 0.5 or more, every other less, so
the threshold 0.5 is the labels. Within its side a logistic sum orders: log-odds of the labels, of the conditions that
hold, of each doubling of the coupled places, and of the share of the change that they are coupled to. The weights stand
under ``score`` in ``prompts/rubric.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log2

from retrieval.models import Frozen, Relation
from reviewbot.couplings import place_id
from reviewbot.models import Labels, NeedsAdaptation, Risk, Verdict, needs_work
from reviewbot.rubric.grounds import CONDITIONS
from reviewbot.rubric.situation import Situation

_FAR = Relation.SAME_PACKAGE
_BELOW_HALF = 0.499


class ScoreWeights(Frozen):
    """Log-odds. ``direct`` and ``near`` count for each doubling of places: in direct contact, closer than a package."""

    start: float
    verdict: dict[Verdict, float]
    risk: dict[Risk, float]
    needs_adaptation: dict[NeedsAdaptation, float]
    direct: float
    share: float
    near: float
    conditions: dict[str, float]


def needs_work_score(situation: Situation, labels: Labels, weights: ScoreWeights) -> float:
    """0 to 1, three decimals."""
    odds = weights.start + weights.verdict.get(labels.verdict, 0.0) + weights.risk.get(labels.risk, 0.0)
    odds += weights.needs_adaptation.get(labels.needs_adaptation, 0.0)
    odds += sum(weight for name, weight in weights.conditions.items() if CONDITIONS[name](situation) is not None)
    odds += weights.direct * _doublings(one.item.id for one in situation.direct if one.changed_names)
    odds += weights.share * coupled_share(situation)
    odds += weights.near * _doublings(one.item.id for one in situation.couplings if one.item.relation is not _FAR)
    order = 1 / (1 + exp(-odds))
    return round(0.5 + order / 2 if needs_work(labels) else order * _BELOW_HALF, 3)


def coupled_share(situation: Situation) -> float:
    """Which part of the changed lines, 0 to 1, belongs to definitions that torch_npu is in direct contact with."""
    touched = {(one.path, one.qualname) for contact in situation.direct for one in contact.behaving}
    lines = {(one.path, one.qualname): one.added + one.removed for one in situation.delta.definitions}
    return sum(lines[one] for one in touched) / max(sum(lines.values()), 1)


def _doublings(ids: Iterable[str]) -> float:
    """0 for no place, 1 for one, 2 for three: places are counted once, whatever couplings they hold."""
    return log2(1 + len({place_id(one) for one in ids}))
