"""Reads what a judge answered. Lenient about what stands around the object, strict about grades. Pure."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import ValidationError

from evals.judge import words
from evals.judge.models import Criterion, Judgement
from reviewbot.drafting.model.endpoint import Reply
from reviewbot.drafting.model.faults import CallError, masked
from reviewbot.errors import WriterFault

_REASONING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


def judgement_in(reply: Reply) -> Judgement | CallError:
    """The judgement in a reply, each reason one harmless line; or what is wrong with it, in words for the judge."""
    if reply.refusal or reply.finish == "content_filter":
        return CallError(WriterFault.REFUSED, masked(reply.refusal, ""))
    found = _object_in(_REASONING.sub("", reply.text))
    if found is None:
        if reply.finish == "length":
            return _useless(WriterFault.TRUNCATED)
        return _useless(WriterFault.INVALID if reply.text.strip() else WriterFault.EMPTY)
    try:
        return Judgement.model_validate({one: _tidied(found.get(one)) for one in Criterion})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return CallError(WriterFault.INVALID, words.wrong_key(".".join(map(str, first["loc"])), first["msg"]))


def _useless(fault: WriterFault) -> CallError:
    return CallError(fault, words.USELESS.get(fault, words.NOT_JSON))


def _tidied(graded: object) -> object:
    if isinstance(graded, dict) and isinstance(graded.get("reason"), str):
        return {**graded, "reason": masked(graded["reason"], "")}
    return graded


def _object_in(text: str) -> dict[str, Any] | None:
    """The last JSON object that holds a grade: reasoning may show others, or parts, before it."""
    decoder = json.JSONDecoder()
    found: dict[str, Any] | None = None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and (found is None or Criterion.FAITHFUL in value):
                found = value
        at = text.find("{", end)
    return found
