"""Reads what a report is made of: a run with its kept analyses, the records, perhaps the team's own texts.

Raises RunFolderError for a run or a kept analysis that cannot be read, RecordsError for the records, SelectionError
when they lack one of the run's, InputFileError for a file of texts.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from evals.judge.summary import NOBODY_JUDGED, judge_summary
from evals.records import LabelledRecord, load_records
from evals.report import words
from evals.report.building import Report, build_report
from evals.run.errors import RunFolderError, SelectionError
from evals.run.folder import RunFolder
from evals.run.judging import scoring_of
from evals.run.loading import find_folder, load_run
from evals.run.provenance import digest_of_records
from evals.run.words import LABELS_CHANGED, records_lack
from reviewbot.errors import InputFileError
from reviewbot.records.models import TeamRecord
from reviewbot.records.reading import read_table
from reviewbot.render.export import AnalysisExport

Say = Callable[[str], None]


def load_report(name: str | Path, runs: Path, records: Path | None, texts: Path | None, say: Say) -> Report:
    """The report of a run. ``say`` hears what a reader should know about it.

    Scores are computed here and not read from the run: they have to be of the same outcomes, labels and texts as the
    rows beside them, and a process that was killed leaves old ones.
    """
    run, folder = load_run(name, runs), find_folder(name, runs)
    known = load_records(records)
    if digest_of_records(records) != run.manifest.data:
        say(LABELS_CHANGED)
    if texts is not None:
        known = with_texts(known, read_texts(texts), str(texts), say)
    by_id = {record.id: record for record in known}
    lacking = [one for one in run.manifest.records if one not in by_id]
    if lacking:
        raise SelectionError(records_lack(lacking))
    chosen = [by_id[one] for one in run.manifest.records]
    analyses = load_analyses(folder, run.manifest.records) if folder else {}
    judge = judge_summary(folder) if folder else NOBODY_JUDGED
    return build_report(run, scoring_of(run, known), chosen, analyses, judge)


def load_analyses(folder: RunFolder, ids: Iterable[str]) -> Mapping[str, AnalysisExport]:
    """By record id, those that the run kept."""
    found = {}
    for one in ids:
        path = folder.analyses / f"{one}.json"
        if path.is_file():
            found[one] = _analysis(path)
    return found


def _analysis(path: Path) -> AnalysisExport:
    try:
        return AnalysisExport.model_validate_json(path.read_bytes())
    except OSError as error:
        raise RunFolderError(str(path), words.unreadable(error)) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RunFolderError(str(path), words.bad_analysis(".".join(map(str, first["loc"])), first["msg"])) from error


def read_texts(path: Path) -> tuple[TeamRecord, ...]:
    """Rows of the team's table in any of its forms, or labelled records as JSON lines."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputFileError(str(path), error.strerror or str(error)) from error
    return read_table(content, str(path)).records


def with_texts(
    records: Sequence[LabelledRecord], rows: Sequence[TeamRecord], source: str, say: Say
) -> tuple[LabelledRecord, ...]:
    """Records with the texts of the rows that bear their number; several with one number match in order.

    ``say`` hears how many rows of ``source`` found no record.
    """
    waiting: defaultdict[int | None, deque[TeamRecord]] = defaultdict(deque)
    for row in rows:
        waiting[row.upstream_pr].append(row)
    told = []
    for record in records:
        found = waiting[record.upstream_pr]
        texts = found.popleft().model_dump(include={"summary", "analysis"}) if found else {}
        told.append(record.model_copy(update=texts))
    nameless = len(waiting.pop(None, ()))
    if nameless:
        say(words.texts_without_numbers(source, nameless))
    left = sum(map(len, waiting.values()))
    if left:
        say(words.unmatched_texts(source, left, len(rows)))
    return tuple(told)
