"""A model that fails costs nobody the record: the template writes it instead, and what went wrong is kept.

What was spent in vain stays in the usage of the draft. An instance serves one analysis.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Writer, Written
from reviewbot.errors import WriterError
from reviewbot.models import Finding, Usage


class FallbackWriter:
    """``writer`` as long as it gives a draft; ``failure`` is why it did not, None while all is well."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._template = TemplateWriter()
        self.failure: WriterError | None = None

    @property
    def name(self) -> str:
        return self._writer.name

    @property
    def versions(self) -> dict[str, str]:
        """Of both, when both took part: what failed belongs to the record of how a draft came about."""
        own = self._template.versions if self.failure is not None else {}
        return {**own, **self._writer.versions}

    def fresh(self) -> FallbackWriter:
        """For another analysis, with the same writer."""
        return FallbackWriter(self._writer)

    def write(self, dossier: Dossier) -> Written:
        try:
            return self._writer.write(dossier)
        except WriterError as error:
            self.failure = error
            instead = self._template.write(dossier)
            return instead.model_copy(update={"usage": error.usage or Usage()})

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> Written | None:
        return None if self.failure is not None else self._writer.repair(dossier, written, findings)
