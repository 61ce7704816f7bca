"""Every score there is, once: key, what kind of figure it is, which way is better. Light: pages may import it.

What each key means is said in Chinese in ``docs/scores.md``; names are in ``words.NAMES``; tests keep the three equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """How a figure comes about, and so how two runs can be compared on it."""

    RATE = "rate"  # a share of records, one yes or no each: McNemar's test applies
    RATIO = "ratio"  # a share of units (places, citations, parts) of which a record has any number
    MEAN = "mean"  # a number per record, averaged
    WHOLE = "whole"  # computed from all records together; no record has a part of its own
    COST = "cost"  # an amount per record, described; nothing is estimated


class Better(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"


class Topic(StrEnum):
    """What a figure is about. Baselines answer with labels and a needs-work score alone: `LABELS` and `WORK`."""

    LABELS = "labels"
    WORK = "work"
    EVIDENCE = "evidence"
    TEXT = "text"
    COST = "cost"


@dataclass(frozen=True, slots=True)
class Definition:
    """``weak``: a figure that says little by itself and is marked so wherever it is shown."""

    key: str
    topic: Topic
    kind: Kind
    better: Better = Better.HIGHER
    weak: bool = False


#: False-alarm rates at which the miss rate of the needs-work score is read off.
FALSE_ALARM_RATES = (0.10, 0.20, 0.35)


def miss_at(rate: float) -> str:
    """The key of the miss rate at this false-alarm rate."""
    return f"miss_at_fa_{round(100 * rate)}"


DEFINITIONS: tuple[Definition, ...] = (
    Definition("miss_rate", Topic.WORK, Kind.RATE, Better.LOWER),
    Definition("false_alarm_rate", Topic.WORK, Kind.RATE, Better.LOWER),
    Definition("work_auc", Topic.WORK, Kind.WHOLE),
    *(Definition(miss_at(rate), Topic.WORK, Kind.WHOLE, Better.LOWER) for rate in FALSE_ALARM_RATES),
    Definition("brier", Topic.WORK, Kind.MEAN, Better.LOWER),
    Definition("verdict_accuracy", Topic.LABELS, Kind.RATE),
    Definition("verdict_macro_f1", Topic.LABELS, Kind.WHOLE),
    Definition("verdict_kappa", Topic.LABELS, Kind.WHOLE),
    Definition("risk_accuracy", Topic.LABELS, Kind.RATE),
    Definition("risk_kappa", Topic.LABELS, Kind.WHOLE),
    Definition("needs_adaptation_accuracy", Topic.LABELS, Kind.RATE),
    Definition("needs_adaptation_f1", Topic.LABELS, Kind.WHOLE),
    Definition("npu_affected_accuracy", Topic.LABELS, Kind.RATE),
    Definition("npu_affected_f1", Topic.LABELS, Kind.WHOLE),
    Definition("compile_stage_accuracy", Topic.LABELS, Kind.RATE),
    Definition("cited_recall", Topic.EVIDENCE, Kind.RATIO),
    Definition("cited_recall_file", Topic.EVIDENCE, Kind.RATIO),
    Definition("cited_precision", Topic.EVIDENCE, Kind.RATIO, weak=True),
    Definition("cited_precision_file", Topic.EVIDENCE, Kind.RATIO, weak=True),
    Definition("shown_recall", Topic.EVIDENCE, Kind.RATIO),
    Definition("shown_recall_file", Topic.EVIDENCE, Kind.RATIO),
    Definition("shown_precision", Topic.EVIDENCE, Kind.RATIO, weak=True),
    Definition("shown_precision_file", Topic.EVIDENCE, Kind.RATIO, weak=True),
    Definition("citations_resolved", Topic.EVIDENCE, Kind.RATIO),
    Definition("part_change", Topic.TEXT, Kind.RATE),
    Definition("part_search", Topic.TEXT, Kind.RATE),
    Definition("part_chain", Topic.TEXT, Kind.RATE),
    Definition("part_impact", Topic.TEXT, Kind.RATE),
    Definition("part_verification", Topic.TEXT, Kind.RATE),
    Definition("part_risk", Topic.TEXT, Kind.RATE),
    Definition("paragraph_coverage", Topic.TEXT, Kind.RATIO),
    Definition("chrf", Topic.TEXT, Kind.MEAN, weak=True),
    *(
        Definition(f"{amount}_{figure}", Topic.COST, Kind.COST, Better.LOWER)
        for amount in ("tokens", "money", "seconds")
        for figure in ("median", "p95", "sum")
    ),
)

_BY_KEY = {one.key: one for one in DEFINITIONS}
KEYS: tuple[str, ...] = tuple(_BY_KEY)
#: Those that need labels and a needs-work score and nothing else.
LABEL_KEYS: tuple[str, ...] = tuple(one.key for one in DEFINITIONS if one.topic in (Topic.LABELS, Topic.WORK))


def definition(key: str) -> Definition:
    """``KeyError`` for a key that is none."""
    return _BY_KEY[key]


def better(key: str) -> Better:
    return definition(key).better
