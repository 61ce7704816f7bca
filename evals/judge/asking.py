"""Puts one paragraph to the judge and always comes back with a line for the file: grades, or the fault and its cost.

Requests ask for JSON mode and fall back to words alone where an endpoint refuses it; the shape is proved on arrival.
An answer of no use gets one further attempt that says what was wrong. Spending enters the same books as that of drafts,
so a cap on the day's money holds for both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

from evals.judge import words
from evals.judge.answer import judgement_in
from evals.judge.cases import Case
from evals.judge.models import Judge, JudgedParagraph, JudgeFault, Judgement
from evals.judge.prompt import messages_for
from reviewbot.drafting.model import opening
from reviewbot.drafting.model import words as model_words
from reviewbot.drafting.model.asking import taken_by
from reviewbot.drafting.model.capabilities import body_of, first_manner, next_manner
from reviewbot.drafting.model.endpoint import Endpoint, Reply
from reviewbot.drafting.model.faults import CallError
from reviewbot.drafting.model.memory import FILE_NAME, Memory, OverCapError
from reviewbot.drafting.model.money import cost_of, together
from reviewbot.drafting.model.prompt import PER_MESSAGE, Message
from reviewbot.drafting.model.tokens import Counter, counter_for
from reviewbot.errors import SettingsError, WriterFault
from reviewbot.models import Usage
from reviewbot.settings import Capability, ModelSettings, Settings

Today = Callable[[], date]
Messages = tuple[Message, ...]


class Asker:
    """Safe for threads. ``own`` goes into every line: the judge is among the models that drafted the run."""

    def __init__(
        self,
        settings: ModelSettings,
        judge: Judge,
        endpoint: Endpoint,
        memory: Memory,
        *,
        own: bool = False,
        counter: Counter | None = None,
        today: Today = date.today,
    ) -> None:
        self.settings = settings
        self._judge = judge
        self._endpoint = endpoint
        self._memory = memory
        self._own = own
        self._counter = counter or counter_for(judge.model)
        self._today = today
        stated = settings.capability is Capability.PROMPTED
        capability = Capability.PROMPTED if stated else Capability.JSON_MODE
        self._manner = first_manner(settings).model_copy(update={"capability": capability})

    def judged(self, case: Case) -> JudgedParagraph:
        """Raises MemoryUnusableError: without its books no request is made."""
        line = {"record": case.record, "judge": self._judge, "text": case.text, "own": self._own}
        try:
            judgement, usage = self._answered(self._messages(case))
        except CallError as error:
            message = words.failed(self._judge.model, error.fault, error.detail)
            return JudgedParagraph(**line, error=JudgeFault(fault=error.fault, message=message), usage=error.usage)
        return JudgedParagraph(**line, judgement=judgement, usage=usage)

    def tokens(self, case: Case) -> int:
        """Length of the first request, as far as one can tell before it is sent."""
        return self._length(self._messages(case))

    def most(self, tokens: int) -> float | None:
        """What a request of that length costs when the answer is as long as it may be; None without prices."""
        return cost_of(self.settings, tokens, 0, self.settings.max_output_tokens)

    def _messages(self, case: Case) -> Messages:
        return messages_for(case, self.settings.prompt_tokens, self._counter.count)

    def _length(self, messages: Messages) -> int:
        return sum(self._counter.most(one.content) + PER_MESSAGE for one in messages)

    def _answered(self, messages: Messages) -> tuple[Judgement, Usage]:
        """Raises ``CallError`` with what was spent in vain."""
        reply, usage = self._reply(messages, Usage())
        found = judgement_in(reply)
        if isinstance(found, CallError) and found.fault is not WriterFault.REFUSED:
            again = Message("user", words.again(found.detail))
            reply, usage = self._reply((*messages, again), usage)
            found = judgement_in(reply)
        if isinstance(found, CallError):
            found.usage = usage
            raise found
        return found, usage

    def _reply(self, messages: Messages, before: Usage) -> tuple[Reply, Usage]:
        """One reply, in whatever manner the endpoint takes, and all that was spent by then."""
        while True:
            manner = self._manner
            try:
                return self._paid(messages, before)
            except CallError as error:
                error.usage = before
                looser = next_manner(manner, error.status, error.said, forced=False, proven=False)
                if looser is None:
                    raise
                self._manner = looser

    def _paid(self, messages: Messages, before: Usage) -> tuple[Reply, Usage]:
        settings, tokens = self.settings, self._length(messages)
        if tokens + settings.max_output_tokens > settings.context_tokens:
            room = settings.context_tokens - settings.max_output_tokens
            raise CallError(WriterFault.REJECTED, model_words.too_long(tokens, room))
        body = body_of(self._manner, settings, settings.max_output_tokens)
        number = self._set_aside(self.most(tokens))
        taken, began = Usage(), time.perf_counter()
        try:
            reply = self._endpoint.ask(self._judge.model, messages, body)
            usage = taken_by(reply, messages, self.settings, self._counter)
            taken = usage.model_copy(update={"seconds": round(time.perf_counter() - began, 3)})
            return reply, together(before, taken)
        finally:
            self._memory.settle(number, taken)

    def _set_aside(self, worst: float | None) -> int:
        cap = self.settings.cost_per_day
        try:
            return self._memory.set_aside(self._today().isoformat(), self._judge.model, worst, cap)
        except OverCapError as error:
            assert worst is not None
            assert cap is not None
            detail = model_words.over_day(error.spent, worst, cap, self.settings.currency)
            raise CallError(WriterFault.OVER_BUDGET, detail) from None


@contextmanager
def open_asker(settings: Settings, judge: Judge, *, own: bool) -> Iterator[Asker]:
    """An asker over the endpoint of ``settings.model``. Raises SettingsError for settings that no request can go by."""
    model = settings.model.model_copy(update={"name": judge.model})
    if problems := tuple(opening.problems_of(model)):
        raise SettingsError(problems)
    with Endpoint(model, opening.key_of(model)) as endpoint:
        yield Asker(model, judge, endpoint, Memory(settings.cache.dir / FILE_NAME), own=own)
