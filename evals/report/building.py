"""Everything a report says, computed once, before a format is chosen. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.judge.summary import NOBODY_JUDGED, Shown
from evals.records import LabelledRecord
from evals.report.beating import Comparison, compare_with_baselines
from evals.report.headline import headline
from evals.report.operating import OperatingPoint, operating_points
from evals.report.rows import RecordRow, Standing, build_rows
from evals.run.models import Manifest, Run
from evals.scores.models import ScoreSheet, Scoring
from reviewbot.models import FindingKind, needs_work
from reviewbot.render.export import AnalysisExport


@dataclass(frozen=True, slots=True)
class Report:
    """``rows`` are sorted: most likely to need work first, without an answer last. ``comparisons`` go with the
    scoring's baselines, in order.
    """

    manifest: Manifest
    scoring: Scoring
    rows: tuple[RecordRow, ...]
    comparisons: tuple[Comparison, ...]
    points: tuple[OperatingPoint, ...]
    headline: tuple[str, ...]
    judge: Shown = NOBODY_JUDGED

    @property
    def sheet(self) -> ScoreSheet:
        return self.scoring.sheet

    def of(self, standing: Standing) -> tuple[RecordRow, ...]:
        return tuple(row for row in self.rows if row.standing is standing)

    @property
    def findings(self) -> Mapping[FindingKind, int]:
        """The verifier's objections over all answers, by kind; kinds that never came up are left out."""
        counted: Counter[FindingKind] = Counter()
        for row in self.rows:
            if row.answer is not None:
                counted.update(row.answer.findings)
        return {kind: counted[kind] for kind in FindingKind if counted[kind]}


def build_report(
    run: Run,
    scoring: Scoring,
    records: Sequence[LabelledRecord],
    analyses: Mapping[str, AnalysisExport],
    judge: Shown = NOBODY_JUDGED,
) -> Report:
    """``records`` are those of the manifest. ``analyses`` are by record id; any of them may be missing. ``judge`` is
    what may be shown of a language model's grades.
    """
    rows = build_rows(records, {one.record: one for one in run.outcomes}, analyses)
    comparisons = compare_with_baselines(scoring)
    scored = [(row.score, needs_work(row.record.labels)) for row in rows]
    return Report(
        manifest=run.manifest,
        scoring=scoring,
        rows=rows,
        comparisons=comparisons,
        points=operating_points((score, needs) for score, needs in scored if score is not None),
        headline=headline(run.manifest.engine, scoring.sheet, comparisons, run.manifest.versions.get("model", "")),
        judge=judge,
    )
