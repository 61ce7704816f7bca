"""Ways to hold an endpoint to the shape of an answer, the strictest first, and which parameters it takes.

A ``Manner`` is what is known of one endpoint and model. It is found by asking: a request that the endpoint refuses for
its form is asked again in the next manner, and the one that gave an answer is remembered.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from retrieval.models import Frozen
from reviewbot.drafting.model.answer import ANSWER_NAME, answer_schema
from reviewbot.settings import Capability, ModelSettings

LADDER = (Capability.JSON_SCHEMA, Capability.FUNCTION_CALLING, Capability.JSON_MODE, Capability.PROMPTED)
#: Refusals that concern the form of a request; 5xx because some servers fail over what they do not know.
_FORM = frozenset({400, 404, 405, 415, 422, 500, 501})
_NAMES_FORM = re.compile(
    r"response_format|json_schema|json_object|structured|grammar|guided|tool|function|schema", re.IGNORECASE
)
_WANTS_NEW_LIMIT = re.compile(r"max_completion_tokens")
_REFUSES_TEMPERATURE = re.compile(r"temperature")


class Manner(Frozen):
    """``completion_limit``: the output limit is called ``max_completion_tokens``, as OpenAI's newer models want it."""

    capability: Capability
    temperature: bool = True
    completion_limit: bool = False


def first_manner(settings: ModelSettings) -> Manner:
    """Where to begin with an endpoint that nothing is known of."""
    host = urlsplit(settings.base_url).hostname or ""
    forced = settings.capability is not Capability.AUTO
    return Manner(
        capability=settings.capability if forced else LADDER[0],
        completion_limit=host.endswith((".openai.com", ".openai.azure.com")),
    )


def next_manner(manner: Manner, status: int | None, said: str, *, forced: bool, proven: bool) -> Manner | None:
    """What to try after a refusal with ``status``; None when the refusal is about something else."""
    if status not in _FORM:
        return None
    if manner.temperature and status < 500 and _REFUSES_TEMPERATURE.search(said):
        return manner.model_copy(update={"temperature": False})
    if not manner.completion_limit and status < 500 and _WANTS_NEW_LIMIT.search(said):
        return manner.model_copy(update={"completion_limit": True})
    about_form = _NAMES_FORM.search(said) is not None
    if forced or not (about_form or (status in (400, 422) and not proven)):
        return None
    return looser(manner)


def looser(manner: Manner) -> Manner | None:
    """The next rung of the ladder; None below the last."""
    at = LADDER.index(manner.capability) + 1
    return manner.model_copy(update={"capability": LADDER[at]}) if at < len(LADDER) else None


def body_of(manner: Manner, settings: ModelSettings, output_tokens: int) -> dict[str, Any]:
    """The part of a request's body that depends on endpoint and settings, messages and model apart."""
    limit = "max_completion_tokens" if manner.completion_limit else "max_tokens"
    body: dict[str, Any] = {limit: output_tokens}
    if manner.temperature:
        body["temperature"] = settings.temperature
    match manner.capability:
        case Capability.JSON_SCHEMA:
            schema = {"name": ANSWER_NAME, "strict": True, "schema": answer_schema()}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        case Capability.FUNCTION_CALLING:
            function = {"name": ANSWER_NAME, "parameters": answer_schema()}
            body["tools"] = [{"type": "function", "function": function}]
            body["tool_choice"] = {"type": "function", "function": {"name": ANSWER_NAME}}
        case Capability.JSON_MODE:
            body["response_format"] = {"type": "json_object"}
    return body
