"""The run that others are held against: a stored one, or the shipped one of the product without a model.

A baseline that is kept under version control carries labels, scores and places, and no text: a paragraph would change
with every phrase of the template and say nothing that the gate watches.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from evals.run.loading import load_run
from evals.run.models import Outcome, Run


def open_baseline(name: str | None, runs: Path) -> Run:
    """Raises `RunFolderError` for a run that is not there or cannot be read."""
    if name is not None:
        return load_run(name, runs)
    with as_file(files("evals.gate").joinpath("baseline.json")) as shipped:
        return load_run(shipped, runs)


def without_texts(run: Run) -> Run:
    return run.model_copy(update={"outcomes": tuple(_stripped(outcome) for outcome in run.outcomes)})


def _stripped(outcome: Outcome) -> Outcome:
    if outcome.answer is None:
        return outcome
    bare = outcome.answer.model_copy(update={"summary": "", "analysis": "", "draft": "", "removed": ()})
    return outcome.model_copy(update={"answer": bare})
