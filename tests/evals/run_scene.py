"""A run on trees of a few lines: four records, of which the last has no diff, and writers that do as they are told."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evals import miniature
from evals.records import LabelledRecord, record_line
from evals.run.case import Setup
from evals.run.changes import Changes
from evals.run.engine import Engine
from evals.run.folder import RunFolder
from evals.run.models import Manifest, Outcome
from evals.run.runner import Ending, Tally
from evals.run.session import Asked, manifest_of, sitting_of
from evals.run.writers import Answering, rules
from evals.workbench import open_workbench
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Writer, Written
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Usage
from tests.support.labelled import labelled

CITED = {"path": "torch_npu/_inductor/patches.py", "scope": "codegen_npu", "lines": [4], "token": "codegen"}
GONE = {"path": "torch_npu/_inductor/gone.py", "scope": "f", "lines": [1], "token": "f"}

Act = WriterFault | Exception | float | None  # raise this, or take that many seconds


@dataclass
class Told:
    """A writer that writes the template's draft at a cost, unless told otherwise for a record (by its title)."""

    acts: Mapping[str, Act] = field(default_factory=dict)
    cost: float | None = None
    asked: list[str] = field(default_factory=list)
    name: str = "told"

    @property
    def versions(self) -> dict[str, str]:
        return {"model": self.name}

    def write(self, dossier: Dossier) -> Written:
        self.asked.append(dossier.change.title)
        act = self.acts.get(dossier.change.title)
        usage = Usage(calls=1, cost=self.cost)
        if isinstance(act, WriterFault):
            raise WriterError(self.name, act, "as told", usage)
        if isinstance(act, Exception):
            raise act
        time.sleep(act or 0)
        return TemplateWriter().write(dossier).model_copy(update={"usage": usage})

    def repair(self, dossier: Dossier, written: Written, findings: object) -> None:
        return None


def answering(writer: Told, **fields: object) -> Answering:
    """An engine that asks ``writer`` from threads."""
    return Answering(Engine.MODEL, lambda _: writer, writer.versions, threads=True, **fields)  # type: ignore[arg-type]


def deadly(record: LabelledRecord) -> Writer:
    """Ends the process it is called in when asked for the second record."""
    if record.id == "r002":
        os._exit(7)
    return TemplateWriter()


@dataclass(frozen=True)
class Scene:
    """``times`` three records with a diff each, titled as they are named, and one without."""

    root: Path
    times: int = 1

    @property
    def records(self) -> tuple[LabelledRecord, ...]:
        rows = [
            labelled(f"r{at:03}", 100 + at, title=f"r{at:03}", batch=f"b{at % 2:02}", evidence=(CITED, GONE))
            for at in range(1, 3 * self.times + 1)
        ]
        return (*rows, labelled("r999", 999, title="r999", quality="absent", batch="b01"))

    @property
    def records_file(self) -> Path:
        return self.root / "records.jsonl"

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def diffs(self) -> Path:
        return self.root / "real" / "diffs"

    def lay(self) -> Scene:
        """Writes trees, diffs and records, the trees where `RealData` looks for them."""
        base, downstream = miniature.write_trees(self.root / "written")
        (self.root / "real" / "upstream").mkdir(parents=True)
        base.rename(self.root / "real" / "upstream" / "2.13.0")
        downstream.rename(self.root / "real" / "downstream")
        self.diffs.mkdir()
        for record, change in zip(self.records[:-1], miniature.CHANGES * self.times, strict=True):
            (self.diffs / f"{record.id}.diff").write_bytes(change.patch())
        lines = [record_line(record) + "\n" for record in self.records]
        self.records_file.write_text("".join(lines), encoding="utf-8")
        return self

    def setup(self, chosen: Answering) -> Setup:
        return Setup(
            base=self.root / "real" / "upstream" / "2.13.0",
            downstream=self.root / "real" / "downstream",
            cache=self.root / "cache",
            changes=Changes(self.diffs),
            engine=chosen.engine,
            writer_of=chosen.writer_of,
        )

    def manifest(self, name: str, chosen: Answering, records: Sequence[LabelledRecord]) -> Manifest:
        setup = self.setup(chosen)
        asked = Asked(name, tuple(records), self.records, self.records_file)
        with open_workbench(setup.base, setup.downstream, setup.cache) as bench:
            made = manifest_of(asked, setup, chosen, bench)
        # Sources that somebody edits while a test runs are not what it is about.
        return made.model_copy(update={"versions": dict(chosen.versions), "commit": None, "dirty": False})

    def sit(
        self,
        name: str = "trial",
        chosen: Answering | None = None,
        *,
        jobs: int = 1,
        limit: float | None = None,
        watch: Callable[[Tally], None] = lambda _: None,
        on_interrupt: Callable[[int], None] = lambda _: None,
    ) -> tuple[Ending, dict[str, Outcome]]:
        """One sitting over all records, and what the run holds after it."""
        engine = chosen or rules()
        folder = RunFolder(self.runs, name)
        with folder.writing():
            folder.begin(self.manifest(name, engine, self.records), lambda _: None)
            sitting = sitting_of(folder, self.setup(engine), engine, self.records, limit)
            ending = sitting.go_on(jobs, watch, on_interrupt)
        return ending, {outcome.record: outcome for outcome in folder.run().outcomes}


def timeless(outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    """Without what no two sittings share: how long it took."""
    return {
        record: one.model_copy(update={"answer": one.answer.model_copy(update={"seconds": 0.0})}) if one.answer else one
        for record, one in outcomes.items()
    }
