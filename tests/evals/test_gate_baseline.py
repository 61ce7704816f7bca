"""The shipped baseline: a run of the product without a model over shipped records, with no text in it."""

from __future__ import annotations

from pathlib import Path

from evals.gate.baseline import open_baseline, without_texts
from evals.gate.thresholds import load_thresholds
from evals.records import load_records, usable_records
from evals.run.judging import judged
from evals.run.models import Engine
from evals.scores.prepared import Prepared


def test_the_shipped_baseline_answers_every_usable_record(tmp_path: Path) -> None:
    baseline = open_baseline(None, tmp_path)
    assert baseline.manifest.engine is Engine.TEMPLATE
    assert {one.record for one in baseline.outcomes if one.answer} == {one.id for one in usable_records(load_records())}


def test_it_holds_no_text_and_every_figure_that_the_gate_watches(tmp_path: Path) -> None:
    baseline = open_baseline(None, tmp_path)
    assert baseline == without_texts(baseline)
    prepared = Prepared(judged(baseline, load_records()))
    assert not [key for key in load_thresholds().slack if prepared.value(key) is None]
