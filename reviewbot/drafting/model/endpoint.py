"""One endpoint that speaks OpenAI's protocol, through LangChain: messages in, one reply out, retries in between.

Contract: ``ask`` returns what the model said or raises ``CallError``; it never looks at whether the text is any good.
The body beyond model and messages is the caller's (`capabilities.body_of`), sent as it is: LangChain's own structured
output would lose tokens and text of a truncated answer. Retries are ours alone, so that waits can be bounded and seen.

Traps: ChatOpenAI takes key and address from ``OPENAI_*`` variables when it is given none; it is always given both here,
lest a key meant for one host travel to another. LangChain sends every prompt to LangSmith where ``LANGSMITH_TRACING``
is set; here it does not: nothing leaves for a host that the settings do not name.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from reviewbot.drafting.model import words
from reviewbot.drafting.model.faults import CallError, error_of, masked
from reviewbot.drafting.model.prompt import Message
from reviewbot.errors import WriterFault
from reviewbot.settings import ModelSettings

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage
    from langchain_core.messages.ai import UsageMetadata
    from langchain_openai import ChatOpenAI

#: Sent where no key is set: local servers want none, and the client insists on one.
NO_KEY = "none"
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
Sleep = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Reply:
    """``finish`` is the endpoint's word (stop, length, content_filter …); tokens are None where it tells none."""

    text: str
    finish: str
    refusal: str
    prompt_tokens: int | None
    cached_tokens: int
    completion_tokens: int | None


class Endpoint:
    """Holds the connections; close it, or use it as a context."""

    def __init__(self, settings: ModelSettings, key: str, *, sleep: Sleep = time.sleep) -> None:
        from openai import DefaultHttpxClient

        # LangChain warns about refused schemas before it raises what we handle.
        warnings.filterwarnings("ignore", message="This model does not support OpenAI's|Invalid schema for OpenAI's")
        self._settings = settings
        self._key = key
        self._sleep = sleep
        self._client = DefaultHttpxClient(timeout=settings.timeout_seconds)
        self._models: dict[str, ChatOpenAI] = {}

    def ask(self, model: str, messages: Sequence[Message], body: dict[str, Any]) -> Reply:
        """The reply of ``model``, after as many retries as the settings allow. Raises ``CallError``."""
        wait = FIRST_WAIT
        for left in range(self._settings.retries, -1, -1):
            try:
                return _reply(self._called(model, messages, body))
            except CallError as error:
                if not error.again or not left:
                    raise
                pause = wait if error.wait is None else error.wait
                if pause > LONGEST_WAIT:
                    raise CallError(error.fault, words.wait_too_long(pause), status=error.status) from None
                self._sleep(pause)
                wait = min(2 * wait, LONGEST_WAIT)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _called(self, model: str, messages: Sequence[Message], body: dict[str, Any]) -> AIMessage:
        import openai
        from langsmith import tracing_context

        pairs = [(message.role, message.content) for message in messages]
        try:
            with tracing_context(enabled=False):
                return self._model(model).invoke(pairs, extra_body=body)
        except openai.APIError as error:
            raise error_of(error, self._key) from None
        except (ValueError, KeyError, TypeError, IndexError) as error:  # a 200 that is no chat completion
            said = masked(str(error), self._key)
            raise CallError(WriterFault.INVALID, said, again=True, elsewhere=False) from None

    def _model(self, name: str) -> ChatOpenAI:
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        if name not in self._models:
            self._models[name] = ChatOpenAI(
                model=name,
                base_url=self._settings.base_url,
                api_key=SecretStr(self._key or NO_KEY),
                timeout=self._settings.timeout_seconds,
                max_retries=0,
                use_responses_api=False,
                http_client=self._client,
            )
        return self._models[name]


def _reply(message: AIMessage) -> Reply:
    metadata, usage = message.response_metadata, message.usage_metadata
    return Reply(
        text=_text(message),
        finish=str(metadata.get("finish_reason") or ""),
        refusal=str(message.additional_kwargs.get("refusal") or ""),
        prompt_tokens=usage["input_tokens"] if usage else None,
        cached_tokens=_cached(usage, metadata.get("token_usage") or {}),
        completion_tokens=usage["output_tokens"] if usage else None,
    )


def _cached(usage: UsageMetadata | None, told: dict[str, Any]) -> int:
    """As OpenAI tells it, or as DeepSeek does."""
    read = usage["input_token_details"].get("cache_read") if usage and "input_token_details" in usage else None
    return int(read or told.get("prompt_cache_hit_tokens") or 0)


def _text(message: AIMessage) -> str:
    """The arguments of the function that was called, or else what was said."""
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    if message.invalid_tool_calls:
        return message.invalid_tool_calls[0]["args"] or ""
    return message.text
