"""Leaves plain cases to the template: where the evidence decides and nothing is coupled, no model is asked.

Coupled means in contact with what changed. Places that are merely near it (another name of the module) do not count:
nearly every change has some, and they cannot undo what the evidence decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.drafting.template import WRITER as TEMPLATE
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Writer, Written
from reviewbot.models import Decision, Finding
from reviewbot.rubric.situation import Situation


class SparingWriter:
    """``writer`` for what takes a reader; the writer of a draft stands in it."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._template = TemplateWriter()

    @property
    def name(self) -> str:
        return self._writer.name

    @property
    def versions(self) -> dict[str, str]:
        return {**self._template.versions, **self._writer.versions}

    def write(self, dossier: Dossier) -> Written:
        return (self._template if is_plain(dossier) else self._writer).write(dossier)

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> Written | None:
        return None if written.draft.writer == TEMPLATE else self._writer.repair(dossier, written, findings)


def is_plain(dossier: Dossier) -> bool:
    """Decided by the rules, and no place of torch_npu is in contact with what changed."""
    situation = Situation(dossier.change, dossier.delta, dossier.ledger)
    return dossier.prior.decision is Decision.DECIDED and not situation.direct
