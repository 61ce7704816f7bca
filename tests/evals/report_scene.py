"""A small run about invented code with one record of every standing, as values and as a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from evals.records import LabelledRecord, record_line
from evals.report.building import Report, build_report
from evals.run.folder import RunFolder
from evals.run.judging import scoring_of
from evals.run.models import Answer, CaseError, Engine, ErrorKind, Outcome, Run
from reviewbot.errors import WriterFault
from reviewbot.models import (
    Analysis,
    AnalysisState,
    CheckedDraft,
    Decision,
    Finding,
    FindingKind,
    FiredRule,
    Prior,
    RuleGroup,
    Track,
)
from reviewbot.precedents import CitedPlace
from reviewbot.render import as_json
from reviewbot.render.export import AnalysisExport
from tests.support.judged import WORK, answer
from tests.support.labelled import labelled
from tests.support.runs import run_of
from tests.support.values import change, delta, ledger, missing, patch, reference, resigned

FALSE_SENTENCE = "mill_npu 覆写了 spin。"
OBJECTION = "说是“覆写”，而 E1 是引用"
PLACES = {
    "cited": ("mill_npu/gears.py", "spin_npu"),
    "shown": ("mill_npu/teeth.py", "bite"),
    "unseen": ("mill_npu/axle.py", "turn"),
    "absent": ("mill_npu/gone.py", "f"),
}


def cited(*names: str) -> tuple[CitedPlace, ...]:
    return tuple(CitedPlace(path=PLACES[name][0], scope=PLACES[name][1]) for name in names)


def evidence(*names: str) -> tuple[dict[str, object], ...]:
    return tuple({"path": PLACES[name][0], "scope": PLACES[name][1], "lines": [1], "token": name} for name in names)


def analysis_of(one: Answer, title: str = "Turn the gears") -> AnalysisExport:
    """What a run keeps beside ``one``: two places, a miss, the rule of the verdict, and a sentence taken out."""
    prior = Prior(
        labels=one.prior,
        needs_work_score=one.needs_work_score,
        track=Track.A,
        decision=Decision.OPEN,
        rules=(
            FiredRule(id="test-used", group=RuleGroup.VERDICT, reason="用到了被改符号", because=("引用 spin [E1]",)),
            FiredRule(id="track-a", group=RuleGroup.TRACK, reason="改动已有机制"),
        ),
        rubric_version="rubric-0",
    )
    findings = (
        Finding(kind=FindingKind.WRONG_RELATION, sentence=FALSE_SENTENCE, message=OBJECTION),
        Finding(kind=FindingKind.INCONSISTENT_FLAGS, sentence="", message="标签与文字不符"),
    )
    draft = CheckedDraft(
        labels=one.labels,
        needs_work_score=one.needs_work_score,
        summary=one.summary,
        analysis=one.draft,
        writer="told",
        findings=findings,
        removed=one.removed,
        cited=("E1",),
    )
    kept = Analysis(
        state=one.state,
        reason="" if one.state is AnalysisState.DONE else "证据不够",
        change=change(title=title),
        delta=delta(resigned("spin")),
        ledger=ledger(reference(), patch(path=PLACES["shown"][0], scope=PLACES["shown"][1]), missing("Gadget")),
        prior=prior,
        draft=draft,
    )
    return AnalysisExport.model_validate(as_json(kept, hunks=True))


@dataclass
class Scene:
    """Six records: missed, a false alarm, two that agree (one in another state), an error, one not run."""

    title: str = "Turn the gears"
    batch: str = "b01"
    name: str = "try"
    engine: Engine = Engine.MODEL
    parameters: dict[str, str] = field(default_factory=lambda: {"model": "told"})

    @property
    def records(self) -> tuple[LabelledRecord, ...]:
        title, batch = self.title, self.batch
        return (
            labelled("r001", 1, batch="b00", title=title, evidence=evidence(*PLACES), risk="medium"),
            labelled("r002", 2, batch="b00", title=title),
            labelled("r003", 3, batch=batch, title=title),
            labelled("r004", 4, batch=batch, title=title, needs_adaptation="待确认"),
            labelled("r005", 5, batch=batch, title=title),
            labelled("r006", 6, batch=batch, title=title),
        )

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        missed = answer(
            0.25,
            verdict="Check",
            prior=WORK,
            summary="改了 spin",
            analysis="mill_npu/gears.py:12 引用 spin。",
            draft="[E1] 引用 spin。",
            removed=(FALSE_SENTENCE,),
            findings={FindingKind.WRONG_RELATION: 1, FindingKind.INCONSISTENT_FLAGS: 1},
            cited=cited("cited"),
            shown=cited("cited", "shown"),
            citations=2,
            resolved=2,
            rules=("test-used", "track-a"),
            seconds=1.5,
        )
        unsure = answer(0.9, needs_adaptation="待确认", state=AnalysisState.EVIDENCE_INSUFFICIENT)
        error = CaseError(kind=ErrorKind.WRITER, fault=WriterFault.TIMEOUT, message="等了 60 秒")
        return (
            Outcome(record="r001", answer=missed, existing=cited("cited", "shown", "unseen")),
            Outcome(record="r002", answer=answer(0.75, **WORK)),
            Outcome(record="r003", answer=answer(0.1)),
            Outcome(record="r004", answer=unsure),
            Outcome(record="r005", error=error),
        )

    @property
    def run(self) -> Run:
        return run_of(
            self.name,
            self.outcomes,
            engine=self.engine,
            records=tuple(record.id for record in self.records),
            split="usable",
            sample=6,
            seed=7,
            versions={"rubric": "rubric-0"},
            parameters=self.parameters,
            commit="abcdef",
            dirty=True,
        )

    @property
    def analyses(self) -> dict[str, AnalysisExport]:
        """Of the first record alone."""
        first = self.outcomes[0]
        assert first.answer is not None
        return {first.record: analysis_of(first.answer, self.title)}

    def report(self) -> Report:
        return build_report(self.run, scoring_of(self.run, self.records), self.records, self.analyses)

    def write(self, root: Path) -> tuple[Path, Path]:
        """The runs folder and the records file."""
        folder = RunFolder(root / "runs", self.name)
        run = self.run
        with folder.writing():
            folder.begin(run.manifest, print)
            for outcome in run.outcomes:
                kept = self.analyses.get(outcome.record)
                folder.append(outcome, kept.model_dump_json().encode() if kept else None)
        records = root / "records.jsonl"
        records.write_text("".join(f"{record_line(one)}\n" for one in self.records), encoding="utf-8")
        return root / "runs", records


def texts_file(path: Path, number: int | None, summary: str, analysis: str) -> Path:
    """The team's own record of one pull request, as JSON lines."""
    labels = labelled().labels.model_dump(mode="json")
    row = {"upstream_pr": number, "labels": labels, "summary": summary, "analysis": analysis}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
