"""Who writes the draft of an analysis, said before anything is spent, and what becomes of it when a model fails.

A model that gives no draft costs nobody the record: the template writes it (`FallbackWriter`), the reason stands in the
record, and the command ends with `ExitCode.WRITER`, so that a script can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot.cli import words
from reviewbot.cli.output import Output

if TYPE_CHECKING:
    from reviewbot.drafting.writer import Dossier, Writer, Written
    from reviewbot.errors import WriterError
    from reviewbot.models import Analysis, Finding
    from reviewbot.settings import ModelSettings, Settings


class WriterChoice(StrEnum):
    """Who is to write; without a choice the model, where one is set."""

    MODEL = "model"
    TEMPLATE = "template"


WriterOption = Annotated[WriterChoice | None, typer.Option("--writer", metavar="WRITER", help=words.OPTION_WRITER)]


@contextmanager
def open_chosen_writer(choice: WriterChoice | None, settings: Settings, output: Output) -> Iterator[Writer]:
    """The writer that is meant. It is named on standard error wherever there is a choice, that is, a model.

    Raises ``SettingsError`` for a model that is wanted and cannot be opened as it is set.
    """
    from reviewbot.drafting.fallback import FallbackWriter
    from reviewbot.drafting.template import TemplateWriter

    model = settings.model
    if choice is WriterChoice.TEMPLATE or (choice is None and model.name is None):
        if model.name is not None:
            output.note(words.TEMPLATE_WRITES, style="dim")
        yield TemplateWriter()
        return
    from reviewbot.drafting.model.opening import open_writer

    with open_writer(settings) as writer:
        yield FallbackWriter(_Announced(writer, model, lambda sentence: output.note(sentence, style="dim")))


def failure_of(writer: Writer) -> WriterError | None:
    """Why the draft is not the model's, None when it is, or when none was asked for."""
    from reviewbot.drafting.fallback import FallbackWriter

    return writer.failure if isinstance(writer, FallbackWriter) else None


def told_failure(analysis: Analysis, failure: WriterError) -> Analysis:
    """The analysis with the failure in its reason: whoever reads the record sees that the template wrote it."""
    reason = words.joined_reasons(analysis.reason, words.written_instead(str(failure)))
    return analysis.model_copy(update={"reason": reason})


class _Announced:
    """``writer``, named before it writes: who, how long the prompt, and the most that it can cost."""

    def __init__(self, writer: Writer, settings: ModelSettings, say: Callable[[str], None]) -> None:
        self._writer = writer
        self._settings = settings
        self._say = say

    @property
    def name(self) -> str:
        return self._writer.name

    @property
    def versions(self) -> dict[str, str]:
        return self._writer.versions

    def write(self, dossier: Dossier) -> Written:
        self._say(announcement(dossier, self._settings))
        return self._writer.write(dossier)

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> Written | None:
        return self._writer.repair(dossier, written, findings)


def announcement(dossier: Dossier, settings: ModelSettings) -> str:
    """Who writes about this change, in a sentence."""
    from reviewbot.drafting.model.batch import request_for
    from reviewbot.drafting.model.money import most_cost
    from reviewbot.drafting.model.sparing import is_plain

    if settings.spare_plain_cases and is_plain(dossier):
        return words.PLAIN_CASE
    prompt = request_for(dossier, settings).tokens
    return words.model_writes(settings.name or "", prompt, most_cost(settings, prompt), settings.currency)
