"""Runs the trial over real records: trees and diffs laid once, one analysis and many drafts per record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from evals.audit import TreeText
from evals.errors import EvalsError
from evals.hostile import words
from evals.hostile.scene import Pool, Scene
from evals.hostile.trial import Bench, Tally, try_record
from evals.hostile.truth import Facts
from evals.real_data import RealData
from evals.records import LabelledRecord
from evals.workbench import Workbench, change_of, open_workbench
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.models import Analysis
from reviewbot.pipeline import name_lookup


def drive(real: RealData, records: Sequence[LabelledRecord], cache: Path, *, seed: int, samples: int) -> Tally:
    """The outcome over ``records``, all of which have a diff. Shows a progress bar. The same seed asks the same."""
    if not records:
        raise EvalsError(words.NO_RECORDS)
    tally = Tally()
    with (
        progress_bar(Output(), words.TRYING) as report,
        open_workbench(real.base, real.downstream, cache, report) as bench,
    ):
        analyses = {record.id: bench.analyse(change_of(record, real.diff(record))) for record in records}
        facts = Facts(TreeText.read(real.downstream), real.base)
        pool = pool_of(facts, analyses.values())
        for done, (record, analysis) in enumerate(analyses.items(), 1):
            scene = scene_of(analysis, pool)
            rng = Random(f"{seed}:{record}")
            try_record(tally, bench_of(record, analysis, bench), scene, facts, rng, samples)
            report(done, len(analyses))
    return tally


def scene_of(analysis: Analysis, pool: Pool) -> Scene:
    flags = {name: str(value) for name, value in analysis.prior.labels.model_dump(mode="json").items()}
    return Scene(analysis.change, analysis.delta, analysis.ledger, flags, pool)


def bench_of(record: str, analysis: Analysis, bench: Workbench) -> Bench:
    facts = analysis.change, analysis.delta, analysis.ledger
    return Bench(record, analysis, name_lookup(*facts, index=bench.index, upstream=(bench.base,)))


def pool_of(facts: Facts, analyses: Iterable[Analysis]) -> Pool:
    """Real names: source files of both trees, and the tests of all changes at hand beside test files of the trees."""
    tests: set[str] = set()
    for one in analyses:
        tests |= {path for path in one.change.other_paths if _is_test(path)}
        tests |= {f"{test.path}::{test.scope.replace('.', '::')}" for test in one.delta.tests}
    downstream, upstream = (_sources(tree.files) for tree in (facts.downstream, facts.upstream))
    tests |= {path for path in (*downstream, *upstream) if _is_test(path)}
    return Pool(downstream, upstream, tuple(sorted(tests)))


def _sources(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if path.endswith(".py") and not path.endswith("__init__.py")))


def _is_test(path: str) -> bool:
    return path.rpartition("/")[2].startswith("test_") and path.endswith(".py")
