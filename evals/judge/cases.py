"""The paragraphs of a run that can be judged, each beside what its writer knew. No label of people is read here."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.judge import words
from evals.judge.errors import JudgeError
from evals.run.documents import parse_document
from evals.run.folder import RunFolder
from evals.run.loading import find_folder, load_run
from evals.run.models import Run
from reviewbot.render.export import AnalysisExport


@dataclass(frozen=True, slots=True)
class Case:
    """``paragraph`` is as printed: places in full, no ids."""

    record: str
    paragraph: str
    analysis: AnalysisExport

    @property
    def text(self) -> str:
        return digest(self.paragraph)


def digest(paragraph: str) -> str:
    return hashlib.sha256(paragraph.encode("utf-8", "surrogatepass")).hexdigest()


def folder_of(name: str, runs: Path) -> RunFolder:
    """The folder of a run. Raises RunFolderError for no such run, JudgeError for one in a single file."""
    folder = find_folder(name, runs)
    if folder is None:
        load_run(name, runs)
        raise JudgeError(words.needs_folder(name))
    return folder


def paragraphs_of(run: Run) -> dict[str, str]:
    """By record, those that are not empty. Raises JudgeError when there are none."""
    found = {one.record: one.answer.analysis for one in run.outcomes if one.answer and one.answer.analysis.strip()}
    if not found:
        raise JudgeError(words.no_paragraph(run.manifest.name))
    return found


def sampled(records: Sequence[str], size: int | None, seed: int) -> tuple[str, ...]:
    """``size`` of the records in their order, all when there are no more; the draw depends on ids and seed alone."""
    if size is None or size >= len(records):
        return tuple(records)
    taken = set(random.Random(seed).sample(sorted(records), size))
    return tuple(record for record in records if record in taken)


def cases_of(folder: RunFolder, run: Run, size: int | None, seed: int) -> tuple[Case, ...]:
    """Raises RunFolderError for an analysis that is not there or damaged, JudgeError for a run without paragraphs."""
    paragraphs = paragraphs_of(run)
    return tuple(
        Case(one, paragraphs[one], parse_document(folder.analyses / f"{one}.json", AnalysisExport))
        for one in sampled(tuple(paragraphs), size, seed)
    )
