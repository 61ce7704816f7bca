"""What a batch engine elsewhere needs to answer, one record a line, in one of two forms.

* OpenAI's batch format (`reviewbot.drafting.model.batch`): the prompt that the model engine would send.
* Dossiers, as the product's writers get them, for whoever makes prompts of their own; answers come back in the form of
  `answers_file`:

    {"record": "r001", "change": {...}, "delta": {...}, "ledger": {...}, "prior": {...}, "precedents": [...]}

No label of the record is in either: a dossier holds none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from evals.dataset.errors import LeakError
from evals.records import LabelledRecord
from evals.run import words
from evals.run.case import Setup, analysed, error_of
from evals.run.errors import RunFolderError
from evals.workbench import Workbench
from retrieval.index import Progress
from reviewbot.drafting.model.batch import batch_line, request_for, request_id
from reviewbot.drafting.model.tokens import counter_for
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Written
from reviewbot.errors import SettingProblem, SettingsError
from reviewbot.settings import ModelSettings


class Listener(TemplateWriter):
    """Keeps the last dossier that it was handed."""

    dossier: Dossier | None = None

    def write(self, dossier: Dossier) -> Written:
        self.dossier = dossier
        return super().write(dossier)


LineOf = Callable[[str, Dossier], str]


def openai_line(settings: ModelSettings) -> LineOf:
    """Raises SettingsError without a model name."""
    if settings.name is None:
        raise SettingsError((SettingProblem("model.name", "", words.EXPORT_NEEDS_MODEL),))
    counter = counter_for(settings.name)

    def line(record: str, dossier: Dossier) -> str:
        prompt = request_for(dossier, settings, counter)
        return batch_line(request_id(prompt), prompt.messages, settings)

    return line


def export_requests(
    records: Sequence[LabelledRecord],
    setup: Setup,
    bench: Workbench,
    path: Path,
    line_of: LineOf,
    report: Progress,
) -> dict[str, str]:
    """Writes the file; returns why a record is not in it, by its id. Raises RunFolderError when the disk refuses,
    and LeakError for a past record that must not be shown.
    """
    failures: dict[str, str] = {}
    lines = []
    for number, record in enumerate(records, start=1):
        listener = Listener()
        try:
            analysed(replace(setup, writer_of=partial(_always, listener)), bench, record)
        except LeakError:
            raise
        except Exception as error:  # noqa: BLE001 told with the others; the rest is still written
            failures[record.id] = error_of(error).message
        if listener.dossier is not None:
            lines.append(line_of(record.id, listener.dossier) + "\n")
        report(number, len(records))
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise RunFolderError(str(path), words.unwritable(error)) from error
    return failures


def _always(listener: Listener, record: LabelledRecord) -> Listener:
    return listener


def dossier_line(record: str, dossier: Dossier) -> str:
    parts = {name: getattr(dossier, name).model_dump(mode="json") for name in ("change", "delta", "ledger", "prior")}
    precedents = [past.model_dump(mode="json") for past in dossier.precedents]
    return json.dumps({"record": record, **parts, "precedents": precedents}, ensure_ascii=False)
