"""A writer that tells what passes between a model and the pipeline: prompt, answer, objections, second answer.

Contract: gives back exactly what the writer inside gives; ``say`` gets one line for a person at each step. What a model
said is outside text: it is scrubbed and cut before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evals.local_model import words
from reviewbot.drafting.model.prompt import assemble
from reviewbot.drafting.model.tokens import Count
from reviewbot.drafting.writer import Dossier, Writer, Written
from reviewbot.models import Draft, Finding, Usage
from reviewbot.render.labels import label_cells
from reviewbot.render.scrub import scrub_line

_SHOWN = 100  # characters

Say = Callable[[str], None]


class NarratingWriter:
    """``count`` and ``budget`` are those of ``writer``: they tell what a prompt holds."""

    def __init__(self, writer: Writer, count: Count, budget: int, say: Say) -> None:
        self._writer = writer
        self._count = count
        self._budget = budget
        self._say = say

    @property
    def name(self) -> str:
        return self._writer.name

    @property
    def versions(self) -> dict[str, str]:
        return self._writer.versions

    def write(self, dossier: Dossier) -> Written:
        prompt = assemble(dossier, self._count, self._budget)
        places = len(dossier.ledger.items)
        self._say(words.asking(prompt.tokens, len(prompt.shown), places, prompt.left_out.hunks))
        written = self._writer.write(dossier)
        self._say(words.answered(written.usage))
        self._tell(written.draft)
        return written

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> Written | None:
        self._say(words.objections(len(findings)))
        again = self._writer.repair(dossier, written, findings)
        if again is None or again.draft == written.draft:
            self._say(words.not_repaired(_since(written.usage, again.usage if again else written.usage)))
        else:
            self._say(words.repaired(_since(written.usage, again.usage)))
            self._tell(again.draft)
        return again

    def _tell(self, draft: Draft) -> None:
        self._say(words.said_labels(label_cells(draft.labels), draft.needs_work_score))
        self._say(words.said_text(shown(draft.summary), shown(draft.analysis)))


def shown(text: str) -> str:
    """One short line that no terminal obeys."""
    line = scrub_line(text)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def _since(before: Usage, after: Usage) -> Usage:
    """What the second round took alone."""
    return Usage(
        calls=after.calls - before.calls,
        prompt_tokens=after.prompt_tokens - before.prompt_tokens,
        cached_tokens=after.cached_tokens - before.cached_tokens,
        completion_tokens=after.completion_tokens - before.completion_tokens,
        seconds=round(after.seconds - before.seconds, 3),
    )
