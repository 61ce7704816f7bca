"""The engines of a run by name; light, since help pages list them."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    """Who writes the drafts of a run."""

    RULES = "rules"  # the prior alone: labels and score, no text
    TEMPLATE = "template"  # the product without a model
    MODEL = "model"  # the product with the model of the settings
    BATCH = "batch"  # answers from a file
