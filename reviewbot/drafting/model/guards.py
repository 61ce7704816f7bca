"""What no model may talk a record out of: a draft milder than what the evidence decided, or than suspicion allows.

A model reads text that an attacker may have written, so its labels are bounded by code:

* Where the prior is ``decided``, no label of the draft is milder than the prior's.
* Where it is ``open`` and the change holds text that looks written for the reviewer (`suspicion`), no label is milder
  than the prior's either, and ``needs_adaptation`` is 待确认 unless it is 是: a person looks.
* In both cases the score is at least the prior's: lists are sorted by it, and the last place hides a record, too.

Texts are not touched here: sentences that contradict the held labels are removed by verification.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from reviewbot.models import Decision, Draft, Labels, NeedsAdaptation, Prior, Risk, Verdict, YesNo

#: Mildest first.
_ORDERS: dict[str, Sequence[StrEnum]] = {
    "verdict": tuple(Verdict),
    "risk": tuple(Risk),
    "needs_adaptation": (NeedsAdaptation.NO, NeedsAdaptation.UNCLEAR, NeedsAdaptation.YES),
    "npu_affected": (YesNo.NO, YesNo.YES),
}


def is_milder(labels: Labels, prior: Labels) -> bool:
    return _at_least(labels, prior) != labels


def guarded(draft: Draft, prior: Prior, *, suspected: bool) -> Draft:
    """``draft`` with labels and score that prior and suspicion allow."""
    if prior.decision is Decision.OPEN and not suspected:
        return draft
    labels = _at_least(draft.labels, prior.labels)
    if prior.decision is Decision.OPEN and labels.needs_adaptation is NeedsAdaptation.NO:
        labels = labels.model_copy(update={"needs_adaptation": NeedsAdaptation.UNCLEAR})
    score = max(draft.needs_work_score, prior.needs_work_score)
    return draft.model_copy(update={"labels": labels, "needs_work_score": score})


def _at_least(labels: Labels, prior: Labels) -> Labels:
    held = {name: max(getattr(labels, name), getattr(prior, name), key=order.index) for name, order in _ORDERS.items()}
    if prior.needs_cann is YesNo.YES:
        held["needs_cann"] = YesNo.YES
    return labels.model_copy(update=held)
