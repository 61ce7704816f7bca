"""From changes to requests: each is analysed as far as its dossier, and the dossier becomes a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import RetrievalError
from retrieval.index import Progress
from reviewbot.cli.analyst import Analyst, read_change
from reviewbot.cli.batch.plan import Planned, conditions_of
from reviewbot.drafting.model.batch import batch_line, request_for, request_id
from reviewbot.drafting.model.money import cost_of
from reviewbot.drafting.model.sparing import is_plain
from reviewbot.drafting.model.tokens import Counter, counter_for
from reviewbot.drafting.model.writer import budget_of, versions_of
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Written
from reviewbot.settings import ModelSettings
from reviewbot.store import change_key


class DossierKeeper(TemplateWriter):
    """A template writer that keeps the last dossier it was handed."""

    dossier: Dossier | None = None

    def write(self, dossier: Dossier) -> Written:
        self.dossier = dossier
        return super().write(dossier)


@dataclass(frozen=True, slots=True)
class Exported:
    """One source: what is planned for it, or why nothing is. ``line`` is its request, "" for a plain case.

    ``same_as`` is an earlier source of the same change. ``tokens`` is the estimated length of the prompt, ``most`` the
    most that its one answer can cost, None without prices.
    """

    source: str
    planned: Planned | None = None
    line: str = ""
    tokens: int = 0
    most: float | None = None
    problem: str = ""
    same_as: str = ""


def export_all(sources: Sequence[str], analyst: Analyst, progress: Progress) -> Iterator[Exported]:
    """In the order of ``sources``; one that cannot be read stands for itself, the others are exported.

    A change may be named in several ways: what has the content of an earlier one, or leads to its request, is not
    exported again.
    """
    seen: dict[str, str] = {}
    for done, source in enumerate(sources, 1):
        try:
            exported = _exported(source, analyst, seen)
        except RetrievalError as error:
            exported = Exported(source, problem=str(error))
        yield exported
        progress(done, len(sources))


def _exported(source: str, analyst: Analyst, seen: dict[str, str]) -> Exported:
    change = read_change(source, analyst.upstream.clone)
    key = change_key(change)
    if key in seen:
        return Exported(source, same_as=seen[key])
    seen[key] = source
    keeper = DossierKeeper()
    analysis = analyst.analyse(change, keeper)
    assert keeper.dossier is not None
    model = analyst.settings.model
    counter = counter_for(model.name)
    planned = Planned(
        custom_id=None,
        source=Path(source).name if source.startswith("/") else source,
        change=change,
        conditions=conditions_of(analysis, analyst.settings, prompts_of(model, counter)),
    )
    if model.spare_plain_cases and is_plain(keeper.dossier):
        return Exported(source, planned)
    prompt = request_for(keeper.dossier, model, counter)
    name = request_id(prompt)
    if name in seen:
        return Exported(source, same_as=seen[name])
    seen[name] = source
    most = cost_of(model, sum(counter.most(one.content) for one in prompt.messages), 0, model.max_output_tokens)
    line = batch_line(name, prompt.messages, model)
    return Exported(source, planned.model_copy(update={"custom_id": name}), line, prompt.tokens, most)


def prompts_of(model: ModelSettings, counter: Counter) -> str:
    """The versions of the prompts that a request would be made of."""
    return versions_of(model.name or "", counter, budget_of(model, counter))["prompts"]
