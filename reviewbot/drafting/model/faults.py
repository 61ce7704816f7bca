"""What can go wrong with one request: which fault, whether to try again, whether another model may do better.

| what came back                          | fault        | again | another model |
|-----------------------------------------|--------------|-------|---------------|
| 408, no answer in time                  | timeout      | yes   | yes           |
| connection refused or lost              | unavailable  | yes   | no            |
| 409, 5xx                                | unavailable  | yes   | yes           |
| 429                                     | rate_limited | yes   | yes           |
| 429 for want of money, 401, 402         | rejected     | no    | no            |
| 400 from a filter of what may be asked  | refused      | no    | yes           |
| 403, 404, other 4xx (context length …)  | rejected     | no    | yes           |
| 200 that is no chat completion          | invalid      | yes   | no            |

Trap: an endpoint may quote the key it was sent. What it said is masked and cut before anybody sees it, and the error
that carried it is not chained.
"""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from reviewbot.drafting.model import words
from reviewbot.errors import WriterFault
from reviewbot.models import Usage
from reviewbot.render.scrub import scrub_line
from reviewbot.settings import MASK

if TYPE_CHECKING:
    import openai

    from reviewbot.drafting.model.answer import ModelAnswer

_LONGEST_DETAIL = 240
_OUT_OF_MONEY = ("insufficient_quota", "exceeded your current quota", "insufficient balance", "arrearage")
#: Codes of OpenAI and Azure, of Qwen, of GLM.
_FILTERED = frozenset({"content_filter", "content_policy_violation", "data_inspection_failed", "1301"})
_SAME_EVERYWHERE = frozenset({401, 402})


class CallError(Exception):
    """``said`` is what the endpoint told, masked; ``wait`` its Retry-After in seconds; ``usage`` was spent before.

    ``answer`` is there when language is the only fault: verification may judge it if no model does better.
    """

    def __init__(
        self,
        fault: WriterFault,
        detail: str = "",
        *,
        again: bool = False,
        elsewhere: bool = True,
        status: int | None = None,
        said: str = "",
        wait: float | None = None,
        usage: Usage | None = None,
        answer: ModelAnswer | None = None,
    ) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail
        self.again = again
        self.elsewhere = elsewhere
        self.status = status
        self.said = said
        self.wait = wait
        self.usage = usage or Usage()
        self.answer = answer


def error_of(error: openai.APIError, key: str) -> CallError:
    """An error of the client as ours; ``key`` is masked in what it says."""
    import openai

    said = masked(_message(error), key)
    if isinstance(error, openai.APITimeoutError):
        return CallError(WriterFault.TIMEOUT, again=True)
    if isinstance(error, openai.APIStatusError):
        if error.code in _FILTERED:
            return CallError(WriterFault.REFUSED, said)
        return _of_status(error.status_code, said, error.response.headers)
    if isinstance(error, openai.APIConnectionError):
        return CallError(WriterFault.UNAVAILABLE, masked(_causes(error), key), again=True, elsewhere=False)
    return CallError(WriterFault.INVALID, said, again=True, elsewhere=False)


def _of_status(status: int, said: str, headers: Mapping[str, str]) -> CallError:
    detail = words.status(status, said)
    if status == 429 and not any(word in said.lower() for word in _OUT_OF_MONEY):
        wait = retry_after(headers)
        return CallError(WriterFault.RATE_LIMITED, detail, again=True, status=status, said=said, wait=wait)
    if status == 408:
        return CallError(WriterFault.TIMEOUT, detail, again=True, status=status, said=said)
    if status >= 500 or status == 409:
        wait = retry_after(headers)
        return CallError(WriterFault.UNAVAILABLE, detail, again=True, status=status, said=said, wait=wait)
    elsewhere = status not in _SAME_EVERYWHERE and status != 429
    return CallError(WriterFault.REJECTED, detail, elsewhere=elsewhere, status=status, said=said)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks to wait, from ``Retry-After`` as a number or a date; None when it does not say."""
    given = headers.get("retry-after")
    if given is None:
        return None
    try:
        return max(0.0, float(given))
    except ValueError:
        moment = email.utils.parsedate_tz(given)
        return None if moment is None else max(0.0, email.utils.mktime_tz(moment) - time.time())


def masked(text: str, key: str) -> str:
    """One short line for a person: no key, no other secret, nothing that a page or terminal would obey."""
    if key:
        text = text.replace(key, MASK)
    line = scrub_line(text)
    return line if len(line) <= _LONGEST_DETAIL else f"{line[:_LONGEST_DETAIL]}…"


def _message(error: openai.APIError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        told = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(told, str):
            return told
    return body if isinstance(body, str) and body else error.message


def _causes(error: BaseException) -> str:
    """The innermost cause: what the network said rather than ``Connection error.``."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)
