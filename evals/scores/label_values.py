"""The label fields that are scored, and the values of each in the order of tables and of ordinal distance."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from reviewbot.models import CompileStage, Labels, NeedsAdaptation, Risk, Verdict, YesNo

#: ``needs_cann`` is not scored: most records were written before its column existed.
VALUES: Mapping[str, tuple[StrEnum | None, ...]] = {
    "verdict": tuple(Verdict),
    "risk": tuple(Risk),
    "needs_adaptation": tuple(NeedsAdaptation),
    "npu_affected": tuple(YesNo),
    "compile_stage": (None, *CompileStage),
}
#: How a table writes a label that is absent.
ABSENT = "-"


def value_of(labels: Labels, field: str) -> StrEnum | None:
    value: StrEnum | None = getattr(labels, field)
    return value


def code_of(labels: Labels, field: str) -> int:
    """The position of the label among the field's values."""
    return VALUES[field].index(value_of(labels, field))


def written(value: StrEnum | None) -> str:
    return ABSENT if value is None else str(value)
