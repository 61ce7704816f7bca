"""Asks one model until it gives a usable answer: from memory, down the ladder of manners, once more when it fails.

Two loops, each bounded. Refusals of a request's *form* go down the ladder of `capabilities`; an answer whose *content*
is of no use (cut off, empty, not the shape, not Chinese) gets one further attempt that says what was wrong; a model
that declines is not pressed. Before each request the most it can cost is held against both caps, and set aside.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from reviewbot.drafting.model import words
from reviewbot.drafting.model.answer import AnswerError, ModelAnswer, is_chinese, read_answer
from reviewbot.drafting.model.capabilities import body_of, first_manner, looser, next_manner
from reviewbot.drafting.model.endpoint import Endpoint, Reply
from reviewbot.drafting.model.faults import CallError, masked
from reviewbot.drafting.model.memory import Memory, OverCapError
from reviewbot.drafting.model.money import cost_of, together, usage_of
from reviewbot.drafting.model.outside import told
from reviewbot.drafting.model.prompt import PER_MESSAGE, Message, digest_of
from reviewbot.drafting.model.tokens import Counter
from reviewbot.errors import WriterFault
from reviewbot.models import Usage
from reviewbot.settings import Capability, ModelSettings

_LONGEST_QUOTE = 4_000  # characters of a useless answer that the model is shown again
Today = Callable[[], date]


@dataclass(frozen=True, slots=True)
class Asker:
    settings: ModelSettings
    endpoint: Endpoint
    memory: Memory
    counter: Counter
    today: Today = date.today

    def ask(self, model: str, messages: Sequence[Message], spent: Usage) -> tuple[ModelAnswer, Usage]:
        """The answer of ``model`` and what it took. ``spent`` is what this analysis has cost before.

        Raises ``CallError`` with what was spent in vain.
        """
        key = self.key(model, messages)
        if (known := self.memory.answer(key)) is not None:
            return known, usage_of(self.settings, 0, 0, 0, calls=0)
        answer, usage = _Exchange(self, model, tuple(messages), spent).run()
        self.memory.keep_answer(key, answer)
        return answer, usage

    def ask_aside(self, model: str, messages: Sequence[Message], spent: Usage, limit: int) -> tuple[str, Usage]:
        """The plain text of a short answer and what it took: one request, held to no shape, not asked again.

        Raises ``CallError`` as `ask` does.
        """
        key = self.key(model, messages)
        if (known := self.memory.aside(key)) is not None:
            return known, usage_of(self.settings, 0, 0, 0, calls=0)
        exchange = _Exchange(self, model, tuple(messages), spent)
        text, usage = exchange.aside(limit)
        self.memory.keep_aside(key, text)
        return text, usage

    def key(self, model: str, messages: Sequence[Message]) -> str:
        """What makes a request the same: endpoint, model, parameters, messages. How the shape is asked for does not."""
        settings = self.settings
        parameters = (settings.base_url, model, settings.temperature, settings.max_output_tokens)
        told = json.dumps([*parameters, digest_of(tuple(messages))])
        return hashlib.sha256(told.encode()).hexdigest()


class _Exchange:
    """One question to one model: what was spent, and in which manner it is asked by now."""

    def __init__(self, asker: Asker, model: str, messages: tuple[Message, ...], spent: Usage) -> None:
        self._asker = asker
        self._settings = asker.settings
        self._model = model
        self._messages = messages
        self._before = spent
        self._usage = Usage()
        self._forced = self._settings.capability is not Capability.AUTO
        kept = None if self._forced else asker.memory.manner(self._settings.base_url, model)
        self._proven = kept is not None
        self._manner = kept or first_manner(self._settings)

    def run(self) -> tuple[ModelAnswer, Usage]:
        limit = self._settings.max_output_tokens
        reply = self._reply(self._messages, limit)
        answer = judged(reply)
        if isinstance(answer, CallError) and answer.fault is not WriterFault.REFUSED:
            self._loosen(answer)
            limit = self._longer(limit) if answer.fault is WriterFault.TRUNCATED else limit
            again = (*self._messages, *_quoted(reply, answer), Message("user", _again(answer)))
            answer = judged(self._reply(again, limit))
        if isinstance(answer, CallError):
            answer.usage = self._usage
            raise answer
        if not self._proven and not self._forced:
            self._asker.memory.keep_manner(self._settings.base_url, self._model, self._manner)
        return answer, self._usage

    def aside(self, limit: int) -> tuple[str, Usage]:
        """The text of one reply, whatever it is worth."""
        self._manner = self._manner.model_copy(update={"capability": Capability.PROMPTED})
        try:
            return self._paid(self._messages, limit).text, self._usage
        except CallError as error:
            error.usage = self._usage
            raise

    def _reply(self, messages: tuple[Message, ...], limit: int) -> Reply:
        """One reply, in whatever manner the endpoint takes. Raises ``CallError`` with all that was spent."""
        while True:
            try:
                return self._paid(messages, limit)
            except CallError as error:
                error.usage = self._usage
                manner = next_manner(self._manner, error.status, error.said, forced=self._forced, proven=self._proven)
                if manner is None:
                    raise
                self._manner, self._proven = manner, False

    def _paid(self, messages: tuple[Message, ...], limit: int) -> Reply:
        prompt = sum(self._asker.counter.most(one.content) + PER_MESSAGE for one in messages)
        if prompt + limit > self._settings.context_tokens:
            room = self._settings.context_tokens - limit
            raise CallError(WriterFault.REJECTED, words.too_long(prompt, room), elsewhere=False)
        number = self._set_aside(cost_of(self._settings, prompt, 0, limit))
        taken = Usage()
        began = time.perf_counter()
        try:
            reply = self._asker.endpoint.ask(self._model, messages, body_of(self._manner, self._settings, limit))
            taken = taken_by(reply, messages, self._settings, self._asker.counter)
            return reply
        finally:
            self._asker.memory.settle(number, taken)
            seconds = round(time.perf_counter() - began, 3)
            self._usage = together(self._usage, taken.model_copy(update={"seconds": seconds}))

    def _set_aside(self, worst: float | None) -> int:
        """Holds the most that the next request can cost against both caps."""
        settings = self._settings
        spent = (self._before.cost or 0.0) + (self._usage.cost or 0.0)
        cap = settings.cost_per_analysis
        if cap is not None and worst is not None and spent + worst > cap:
            detail = words.over_analysis(spent, worst, cap, settings.currency)
            raise CallError(WriterFault.OVER_BUDGET, detail, elsewhere=False)
        day = self._asker.today().isoformat()
        try:
            return self._asker.memory.set_aside(day, self._model, worst, settings.cost_per_day)
        except OverCapError as error:
            assert worst is not None
            assert settings.cost_per_day is not None
            detail = words.over_day(error.spent, worst, settings.cost_per_day, settings.currency)
            raise CallError(WriterFault.OVER_BUDGET, detail, elsewhere=False) from None

    def _loosen(self, fault: CallError) -> None:
        """An endpoint may take a form and ignore it: what gave no answer of the shape is not asked for again."""
        if fault.fault is WriterFault.INVALID and not self._proven and not self._forced:
            self._manner = looser(self._manner) or self._manner

    def _longer(self, limit: int) -> int:
        """Twice the room for the second attempt, as far as the context has it."""
        prompt = sum(self._asker.counter.most(one.content) + PER_MESSAGE for one in self._messages)
        note = self._asker.counter.most(words.AGAIN[WriterFault.TRUNCATED]) + PER_MESSAGE
        return max(limit, min(2 * limit, self._settings.context_tokens - prompt - note))


def taken_by(reply: Reply, messages: Sequence[Message], settings: ModelSettings, counter: Counter) -> Usage:
    """What the endpoint says it took, or an estimate where it does not say, so that caps hold all the same."""
    prompt, completion = reply.prompt_tokens, reply.completion_tokens
    prompt = sum(counter.count(one.content) + PER_MESSAGE for one in messages) if prompt is None else prompt
    completion = counter.count(reply.text) if completion is None else completion
    return usage_of(settings, prompt, reply.cached_tokens, completion)


def judged(reply: Reply) -> ModelAnswer | CallError:
    """The answer in a reply, or what is wrong with it."""
    if reply.refusal or reply.finish == "content_filter":
        return CallError(WriterFault.REFUSED, masked(reply.refusal, ""))
    try:
        answer = read_answer(reply.text)
    except AnswerError as error:
        if reply.finish == "length":
            return CallError(WriterFault.TRUNCATED)
        if not reply.text.strip():
            return CallError(WriterFault.EMPTY)
        return CallError(WriterFault.INVALID, error.problem)
    return answer if is_chinese(answer) else CallError(WriterFault.WRONG_LANGUAGE, answer=answer)


def _quoted(reply: Reply, fault: CallError) -> tuple[Message, ...]:
    """The useless answer as the model's own turn, where seeing it helps to mend it."""
    if fault.fault not in (WriterFault.INVALID, WriterFault.WRONG_LANGUAGE):
        return ()
    return (Message("assistant", told(reply.text)[:_LONGEST_QUOTE]),)


def _again(fault: CallError) -> str:
    return words.AGAIN.get(fault.fault) or words.again_invalid(fault.detail)
