"""Labels in words, in the order of the team's table."""

from __future__ import annotations

from reviewbot.models import Labels
from reviewbot.render import words

#: Columns of labels as a reader meets them; tested equal to the fields of ``Labels``.
LABEL_ORDER = ("verdict", "risk", "needs_adaptation", "needs_cann", "npu_affected", "compile_stage")


def label_cells(labels: Labels) -> tuple[tuple[str, str], ...]:
    """(Chinese name, value) of each label; an absent value is a dash."""
    values = labels.model_dump(mode="json")
    return tuple((words.LABEL_WORDS[name], values[name] or words.ABSENT) for name in LABEL_ORDER)
