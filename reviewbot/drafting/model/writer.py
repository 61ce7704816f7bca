"""``ModelWriter``: a dossier goes to a model, an answer comes back as a draft, findings go back once.

Contract of `reviewbot.drafting.writer.Writer`. Faults that another model can cure are taken to the fallbacks, in order;
what remains is a ``WriterError`` with all that was spent. A repair that fails leaves the first draft standing, with the
cost of both: the verifier has already removed what it could not prove.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from types import TracebackType
from typing import Self

from retrieval.models import Ledger
from reviewbot.drafting.model import words
from reviewbot.drafting.model.answer import ModelAnswer, answer_of, draft_of
from reviewbot.drafting.model.asking import Asker, Today
from reviewbot.drafting.model.endpoint import Endpoint, Sleep
from reviewbot.drafting.model.faults import CallError
from reviewbot.drafting.model.guards import guarded
from reviewbot.drafting.model.investigation import material_of, names_in, question, with_counts
from reviewbot.drafting.model.memory import Memory, MemoryUnusableError
from reviewbot.drafting.model.money import ASIDE, OBJECTIONS, together
from reviewbot.drafting.model.outside import told, told_line
from reviewbot.drafting.model.prompt import Message, Prompt, assemble, prefix_name
from reviewbot.drafting.model.prompt_files import load_prompt, prompt_names
from reviewbot.drafting.model.suspicion import suspected_places
from reviewbot.drafting.model.tokens import Counter, counter_for
from reviewbot.drafting.writer import Dossier, Written
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Decision, Draft, Finding, Usage
from reviewbot.settings import ModelSettings

_MOST_FINDINGS = 12


class ModelWriter:
    """Holds connections; close it, or use it as a context. Safe for threads."""

    def __init__(
        self,
        settings: ModelSettings,
        memory: Memory,
        *,
        key: str = "",
        counter: Counter | None = None,
        sleep: Sleep = time.sleep,
        today: Today = date.today,
    ) -> None:
        assert settings.name is not None
        self.name = settings.name
        self._models = (settings.name, *settings.fallbacks)
        self._counter = counter or counter_for(settings.name)
        self._budget = budget_of(settings, self._counter)
        self._endpoint = Endpoint(settings, key, sleep=sleep)
        self._investigates = settings.investigate
        self._asker = Asker(settings, self._endpoint, memory, self._counter, today)

    @property
    def versions(self) -> dict[str, str]:
        versions = versions_of(self.name, self._counter, self._budget)
        if self._investigates:
            versions["prompts"] += f" {load_prompt('investigate').name}"
        return versions

    def write(self, dossier: Dossier) -> Written:
        ledger, before = self._investigated(dossier)
        if ledger is not None:
            dossier = replace(dossier, ledger=ledger)
        prompt = assemble(dossier, self._counter.count, self._budget)
        try:
            model, answer, usage = self._answered(prompt.messages, before)
        except CallError as error:
            raise WriterError(self.name, error.fault, error.detail, together(before, error.usage)) from None
        draft = finished(draft_of(answer, model), dossier, prompt)
        return Written(draft=draft, usage=together(before, usage), ledger=ledger)

    def _investigated(self, dossier: Dossier) -> tuple[Ledger | None, Usage]:
        """The ledger with what the model wanted looked up, None when that was nothing, and what asking took.

        It is a help, no condition: a model that does not answer here is asked for the draft all the same.
        """
        if not self._investigates or dossier.count is None or dossier.prior.decision is Decision.DECIDED:
            return None, Usage()
        messages = question(assemble(dossier, self._counter.count, self._budget))
        try:
            text, usage = self._asker.ask_aside(self.name, messages, Usage(), ASIDE)
        except CallError as error:
            return None, error.usage
        except MemoryUnusableError:  # asking for the draft meets the same file, and tells it
            return None, Usage()
        ledger = with_counts(dossier.ledger, names_in(text, material_of(dossier)), dossier.count)
        return (None if ledger == dossier.ledger else ledger), usage

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> Written | None:
        prompt = assemble(dossier, self._counter.count, self._budget)
        messages = repair_messages(prompt, without_notes(written.draft, dossier, prompt), findings)
        try:
            model, answer, usage = self._answered(messages, written.usage)
        except CallError as error:
            return written.model_copy(update={"usage": together(written.usage, error.usage)})
        draft = finished(draft_of(answer, model), dossier, prompt)
        return Written(draft=draft, usage=together(written.usage, usage))

    def close(self) -> None:
        self._endpoint.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answered(self, messages: tuple[Message, ...], before: Usage) -> tuple[str, ModelAnswer, Usage]:
        """The first model that answers, its answer and all that was spent. Raises ``CallError`` with the last fault.

        An answer in another language is no fault that ends an analysis: when no model wrote Chinese, the first such
        answer goes to verification, which keeps of it what it can prove.
        """
        usage = Usage()
        failures: list[tuple[str, CallError]] = []
        for model in self._models:
            try:
                answer, taken = self._asker.ask(model, messages, together(before, usage))
            except CallError as error:
                usage = together(usage, error.usage)
                failures.append((model, error))
                if not error.elsewhere:
                    break
            except MemoryUnusableError as error:
                detail = words.memory_unusable(str(error.path), error.reason)
                raise CallError(WriterFault.UNAVAILABLE, detail, elsewhere=False, usage=usage) from None
            else:
                return model, answer, together(usage, taken)
        for model, failure in failures:
            if failure.answer is not None:
                return model, failure.answer, usage
        last = failures[-1][1]
        details = [(model, error.detail or words.fault(error.fault)) for model, error in failures]
        detail = last.detail if len(failures) == 1 else words.models_failed(details)
        raise CallError(last.fault, detail, elsewhere=False, usage=usage)


def budget_of(settings: ModelSettings, counter: Counter) -> int:
    """How many tokens a prompt is to take: as set, but so that answer, objections and second answer fit behind it."""
    room = settings.context_tokens - 2 * settings.max_output_tokens - min(OBJECTIONS, settings.context_tokens // 8)
    return min(settings.prompt_tokens, max(int(room / counter.factor), 0))


def versions_of(model: str, counter: Counter, budget: int) -> dict[str, str]:
    return {"prompts": prompt_names(prefix_name(counter.count, budget)), "model": model}


def finished(draft: Draft, dossier: Dossier, prompt: Prompt) -> Draft:
    """The draft under the guards, between what a reader has to know of how it came about.

    The warning opens the paragraph: nothing that a model writes can take its end mark away, or push it out by length.
    Before a note, a last sentence without a sure end mark gets one, or the note would be judged, and removed, along
    with it.
    """
    suspected = bool(suspected_places(dossier))
    draft = guarded(draft, dossier.prior, suspected=suspected)
    note = _unread(prompt)
    written = _ended(draft.analysis) if note else draft.analysis
    return draft.model_copy(update={"analysis": _warning(suspected) + written + note})


def without_notes(draft: Draft, dossier: Dossier, prompt: Prompt) -> Draft:
    """The draft as its model wrote it, but for labels that the guards held."""
    written = draft.analysis.removeprefix(_warning(bool(suspected_places(dossier)))).removesuffix(_unread(prompt))
    return draft.model_copy(update={"analysis": written})


def _ended(text: str) -> str:
    text = text.rstrip()
    if not text or text[-1] in words.END_MARKS:
        return text
    return text.rstrip(words.WEAK_MARKS) + words.END_MARK


def _warning(suspected: bool) -> str:
    return words.SUSPECTED if suspected else ""


def _unread(prompt: Prompt) -> str:
    return words.hunks_unread(prompt.left_out.hunks) if prompt.left_out.hunks else ""


def repair_messages(prompt: Prompt, draft: Draft, findings: Sequence[Finding]) -> tuple[Message, ...]:
    """The first request, its answer, and a short list of what did not hold."""
    said = json.dumps(answer_of(draft).model_dump(mode="json"), ensure_ascii=False)
    listed = [
        words.finding(number, told_line(one.sentence), told_line(one.message))
        for number, one in enumerate(findings[:_MOST_FINDINGS], 1)
    ]
    if len(findings) > _MOST_FINDINGS:
        listed.append(words.findings_cut(len(findings) - _MOST_FINDINGS))
    asked = load_prompt("repair").filled(findings="\n".join(listed))
    return (*prompt.messages, Message("assistant", told(said)), Message("user", asked))
