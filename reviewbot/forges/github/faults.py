"""What PyGithub and requests raise, as one ``ForgeError``.

Traps, seen with PyGithub 2.10.0: no connection after retries is ``requests.exceptions.ConnectionError``; a 429 without
``Retry-After`` is a plain ``GithubException``; a rate limit can be a 403; a redirect to another host is a
``RuntimeError``. Messages are the forge's own words, shortened; no header is quoted: the one sent bears the token.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reviewbot.forges.errors import ForgeError, ForgeFault

_LONGEST_DETAIL = 200
_BY_STATUS = {
    401: ForgeFault.FORBIDDEN,
    404: ForgeFault.NOT_FOUND,
    406: ForgeFault.TOO_LARGE,
    410: ForgeFault.NOT_FOUND,
    413: ForgeFault.REFUSED,
    422: ForgeFault.REFUSED,
    429: ForgeFault.RATE_LIMITED,
}


@contextmanager
def told(what: str) -> Iterator[None]:
    """Translates what is raised inside; ``what`` names the call."""
    import requests
    from github import GithubException

    try:
        yield
    except GithubException as error:
        raise _of_answer(error.status, error.data, error.headers or {}, what) from None
    except requests.RequestException as error:
        raise ForgeError(ForgeFault.UNAVAILABLE, what, detail=type(error).__name__) from None
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError, RuntimeError) as error:
        raise ForgeError(ForgeFault.UNREADABLE, what, detail=type(error).__name__) from None


def _of_answer(status: int, data: Any, headers: Mapping[str, str], what: str) -> ForgeError:
    said = str(data.get("message") or "") if isinstance(data, dict) else ""
    lower = {name.lower(): value for name, value in headers.items()}
    out_of_calls = lower.get("x-ratelimit-remaining") == "0"
    limited = status == 403 and ("rate limit" in said.lower() or out_of_calls or "retry-after" in lower)
    if limited:
        fault = ForgeFault.RATE_LIMITED
    elif status >= 500:
        fault = ForgeFault.UNAVAILABLE
    elif status < 300:
        fault = ForgeFault.UNREADABLE
    else:
        fault = _BY_STATUS.get(status, ForgeFault.FORBIDDEN if status == 403 else ForgeFault.REFUSED)
    wait = _wait(lower) if fault is ForgeFault.RATE_LIMITED else _seconds(lower, "retry-after")
    return ForgeError(fault, what, status=status, detail=" ".join(said.split())[:_LONGEST_DETAIL], retry_after=wait)


def _wait(headers: Mapping[str, str]) -> float:
    """Seconds by ``Retry-After``, by the reset of a limit that is used up, else the minute that GitHub asks for.

    The reset comes with every answer: for a secondary limit it says nothing.
    """
    if (wait := _seconds(headers, "retry-after")) is not None:
        return wait
    if headers.get("x-ratelimit-remaining") == "0" and (reset := _seconds(headers, "x-ratelimit-reset")) is not None:
        return max(reset - time.time(), 0.0)
    return 60.0


def _seconds(headers: Mapping[str, str], name: str) -> float | None:
    value = headers.get(name, "")
    return float(value) if value.isdecimal() else None
