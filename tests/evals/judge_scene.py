"""A run with paragraphs about invented code, a judge's answers as the scripted server gives them, sheets of grades."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.judge.cases import digest
from evals.judge.models import Criterion, Judge, JudgedParagraph, Judgement
from evals.judge.storage import Judgements
from evals.records import LabelledRecord, record_line
from evals.run.folder import RunFolder
from evals.run.models import Engine, Outcome, Run
from reviewbot.models import Usage
from reviewbot.render import as_json
from tests.reviewbot.analyses import example
from tests.support.labelled import labelled
from tests.support.runs import answer, failed, run_of
from tests.support.scripted_model import Reply, Request, says

DRAFTER = "drafter-7b"
JUDGE = Judge(model="arbiter-1", prompt="judge-1")


def form(faithful: int = 2, complete: int = 1, useful: int = 0) -> dict[str, Any]:
    grades = {"faithful": faithful, "complete": complete, "useful": useful}
    return {one: {"reason": f"{one} 的理由", "grade": grade} for one, grade in grades.items()}


def judgement(*grades: int) -> Judgement:
    return Judgement.model_validate(form(*grades))


def graded(*grades: int, **reply: Any) -> Reply:
    return says(json.dumps(form(*grades), ensure_ascii=False), **reply)


def paragraph(record: str) -> str:
    return f"{record}：mill_npu/gears.py:12 替换了 spin，建议运行 test_gears.py。"


def paragraph_in(request: Request) -> str:
    """Which record a request is about."""
    text = str(request.body["messages"][1]["content"])
    return text[text.rindex("\n", 0, text.rindex("：mill_npu")) + 1 :].partition("：")[0]


@dataclass
class Scene:
    """``count`` records with a paragraph each (every other one needs work), one with an error, one without text."""

    root: Path
    count: int = 12
    name: str = "trial"
    engine: Engine = Engine.MODEL
    versions: dict[str, str] = field(default_factory=lambda: {"model": DRAFTER})
    parameters: dict[str, str] = field(default_factory=dict)
    writer: str = DRAFTER

    @property
    def ids(self) -> list[str]:
        return [f"r{at:03}" for at in range(1, self.count + 1)]

    @property
    def records(self) -> list[LabelledRecord]:
        rows = [
            labelled(one, at, title=f"Turn gear {at}", risk="medium" if at % 2 else "low")
            for at, one in enumerate(self.ids, start=1)
        ]
        return [*rows, labelled("r998", 998), labelled("r999", 999)]

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.runs, self.name)

    @property
    def run(self) -> Run:
        labels = labelled().labels
        outcomes = [Outcome(record=one, answer=answer(labels, analysis=paragraph(one))) for one in self.ids]
        outcomes += [failed("r998"), Outcome(record="r999", answer=answer(labels))]
        return run_of(self.name, outcomes, engine=self.engine, versions=self.versions, parameters=self.parameters)

    @property
    def records_file(self) -> Path:
        path = self.root / "records.jsonl"
        path.write_text("".join(record_line(one) + "\n" for one in self.records), encoding="utf-8")
        return path

    def analysis(self, record: str) -> bytes:
        kept = example(title=f"Turn the gears of {record}")
        draft = kept.draft.model_copy(update={"writer": self.writer})
        told = as_json(kept.model_copy(update={"draft": draft}), hunks=True)
        return json.dumps(told, ensure_ascii=False).encode()

    def lay(self) -> Scene:
        run = self.run
        with self.folder.writing():
            self.folder.begin(run.manifest, print)
            for outcome in run.outcomes:
                self.folder.append(outcome, self.analysis(outcome.record))
        return self

    def judge(self, grades: Callable[[int], Sequence[int]], judge: Judge = JUDGE, **fields: Any) -> Scene:
        """Keeps a judgement of every paragraph; ``grades`` gives the three of the n-th record."""
        for at, one in enumerate(self.ids):
            line = JudgedParagraph(
                record=one,
                judge=judge,
                text=digest(paragraph(one)),
                judgement=judgement(*grades(at)),
                usage=Usage(calls=1, cost=0.5),
                **fields,
            )
            Judgements(self.folder).append(line)
        return self

    def sheet(self, grades: Callable[[int], Sequence[object]], analyst: str = "", name: str = "grades.csv") -> Path:
        """People's grades of every paragraph, as a spreadsheet saves them."""
        out = io.StringIO()
        rows = csv.writer(out)
        rows.writerow(["record（记录）", "paragraph", *(f"{one}（…）" for one in Criterion), "analyst"])
        rows.writerows([one, paragraph(one), *grades(at), analyst] for at, one in enumerate(self.ids))
        path = self.root / name
        path.write_text(out.getvalue(), encoding="utf-8-sig")
        return path
