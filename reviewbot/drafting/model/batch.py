"""Drafts by way of files: requests in OpenAI's batch format, answers in the same, from that service or from anyone.

A request is named by what it says (`request_id`), so an answer fits a change exactly as long as prompt and evidence are
those it was asked with. One answer is final: there is no second attempt and no repair.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reviewbot.drafting.model import words
from reviewbot.drafting.model.answer import ModelAnswer, draft_of
from reviewbot.drafting.model.asking import judged
from reviewbot.drafting.model.capabilities import body_of, first_manner
from reviewbot.drafting.model.endpoint import Reply
from reviewbot.drafting.model.faults import CallError, masked
from reviewbot.drafting.model.money import usage_of
from reviewbot.drafting.model.prompt import Message, Prompt, assemble
from reviewbot.drafting.model.tokens import Counter, counter_for
from reviewbot.drafting.model.writer import budget_of, finished, versions_of
from reviewbot.drafting.writer import Dossier, Written
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Finding, Usage
from reviewbot.settings import Capability, ModelSettings

URL = "/v1/chat/completions"


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """One line: an answer, or the fault that stands in its place; ``model`` is empty where the line names none."""

    answer: ModelAnswer | None
    fault: WriterFault | None
    detail: str
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class BatchAnswers:
    """``problems`` name the lines that belong to no request, one sentence each (Chinese); the others are all there."""

    by_id: Mapping[str, BatchAnswer]
    problems: tuple[str, ...] = ()


def request_for(dossier: Dossier, settings: ModelSettings, counter: Counter | None = None) -> Prompt:
    """The prompt of a batch request: the one that ``ModelWriter`` would send first."""
    counter = counter or counter_for(settings.name)
    return assemble(dossier, counter.count, budget_of(settings, counter))


def request_id(prompt: Prompt) -> str:
    return f"draft-{prompt.digest[:32]}"


def batch_line(custom_id: str, messages: Sequence[Message], settings: ModelSettings) -> str:
    """One request as a line without its end. Unless the settings say how the shape is asked for, it is JSON mode, which
    every batch service takes. Raises ``ValueError`` without a model name.
    """
    if settings.name is None:
        raise ValueError(words.MODEL_UNSET)
    manner = first_manner(settings)
    if settings.capability is Capability.AUTO:
        manner = manner.model_copy(update={"capability": Capability.JSON_MODE})
    body = {
        "model": settings.name,
        "messages": [{"role": one.role, "content": one.content} for one in messages],
        **body_of(manner, settings, settings.max_output_tokens),
    }
    return json.dumps({"custom_id": custom_id, "method": "POST", "url": URL, "body": body}, ensure_ascii=False)


def read_batch(lines: Iterable[str], settings: ModelSettings | None = None) -> BatchAnswers:
    """Answers by custom id; the last line of an id counts. Prices, for the cost, come from ``settings``."""
    answers: dict[str, BatchAnswer] = {}
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            problems.append(words.batch_line(number, words.BATCH_NOT_JSON))
        elif not isinstance(given.get("custom_id"), str):
            problems.append(words.batch_line(number, words.BATCH_NO_ID))
        else:
            answers[given["custom_id"]] = _answer(given, settings or ModelSettings())
    return BatchAnswers(answers, tuple(problems))


def _answer(given: Mapping[str, Any], settings: ModelSettings) -> BatchAnswer:
    response = _table(given.get("response"))
    body = _table(response.get("body"))
    model = body.get("model")
    name = model if isinstance(model, str) else ""
    status = response.get("status_code", 200)
    if given.get("error") or (isinstance(status, int) and status >= 400) or body.get("error"):
        told = _table(given.get("error")) or _table(body.get("error"))
        said = masked(str(told.get("message") or ""), "")
        detail = words.status(status, said) if isinstance(status, int) and status >= 400 else said
        return BatchAnswer(None, WriterFault.REJECTED, detail, name, Usage())
    reply = _reply(body)
    if reply is None:
        return BatchAnswer(None, WriterFault.INVALID, words.BATCH_NO_ANSWER, name, Usage())
    result = judged(reply)
    usage = _usage(reply, settings)
    if isinstance(result, CallError) and result.answer is not None:
        # As online, when no model answered better: what is not Chinese goes to verification, which takes it out.
        return BatchAnswer(result.answer, None, "", name, usage)
    if isinstance(result, CallError):
        return BatchAnswer(None, result.fault, result.detail, name, usage)
    return BatchAnswer(result, None, "", name, usage)


def _reply(body: Mapping[str, Any]) -> Reply | None:
    """The first choice of a chat completion; None when there is none."""
    choices = body.get("choices")
    choice = _table(choices[0]) if isinstance(choices, list) and choices else {}
    message = _table(choice.get("message"))
    if not message:
        return None
    calls = message.get("tool_calls")
    function = _table(_table(calls[0]).get("function")) if isinstance(calls, list) and calls else {}
    text = function.get("arguments") or message.get("content") or ""
    usage = _table(body.get("usage"))
    cached = _table(usage.get("prompt_tokens_details")).get("cached_tokens") or usage.get("prompt_cache_hit_tokens")
    return Reply(
        text=text if isinstance(text, str) else "",
        finish=str(choice.get("finish_reason") or ""),
        refusal=str(message.get("refusal") or ""),
        prompt_tokens=_number(usage.get("prompt_tokens")),
        cached_tokens=_number(cached),
        completion_tokens=_number(usage.get("completion_tokens")),
    )


def _usage(reply: Reply, settings: ModelSettings) -> Usage:
    return usage_of(settings, reply.prompt_tokens or 0, reply.cached_tokens, reply.completion_tokens or 0)


def _table(given: object) -> Mapping[str, Any]:
    return given if isinstance(given, dict) else {}


def _number(given: object) -> int:
    return given if isinstance(given, int) and given >= 0 else 0


class BatchWriter:
    """Answers from a file. A change without an answer there is a ``WriterError`` with the fault ``missing``."""

    def __init__(self, answers: BatchAnswers, settings: ModelSettings, *, counter: Counter | None = None) -> None:
        self.name = settings.name or "batch"
        self._answers = answers
        self._settings = settings
        self._counter = counter or counter_for(settings.name)

    @property
    def versions(self) -> dict[str, str]:
        return versions_of(self.name, self._counter, budget_of(self._settings, self._counter))

    def write(self, dossier: Dossier) -> Written:
        prompt = request_for(dossier, self._settings, self._counter)
        found = self._answers.by_id.get(request_id(prompt))
        if found is None:
            raise WriterError(self.name, WriterFault.MISSING, request_id(prompt))
        if found.answer is None:
            raise WriterError(self.name, found.fault or WriterFault.INVALID, found.detail, found.usage)
        draft = draft_of(found.answer, found.model or self.name)
        return Written(draft=finished(draft, dossier, prompt), usage=found.usage)

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> None:
        """There is nobody to ask again."""
