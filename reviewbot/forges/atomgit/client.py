"""HTTP to AtomGit's API v5: one place for the header, the pace, the retries of reads, and what errors look like.

Traps of this API, each from its documentation or from clients that run against it:

* the token goes into ``PRIVATE-TOKEN``; writes with it in the address are refused, and addresses end up in logs;
* errors hide in bodies: ``{"error_code": 404, …}`` comes with status 200, too, and a wrong optional field can be a 403;
* 418 means that a filter took the text for an attack: the same text will be refused again;
* no limit is announced in headers; ``Retry-After`` is honoured where it comes;
* pages are full until the last one; there is no count to rely on;
* a write that was answered with success happened, whatever its body looks like: the same write again would be a second.

Redirects are not followed: they could lead the token to another host.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.pacing import Bucket, Sleep
from reviewbot.settings_secrets import secret_of
from reviewbot.settings_service import AtomgitSettings

_TRIES = 4
_LONGEST_WAIT = 20.0
_LONGEST_DETAIL = 200
#: The longest window of a documented limit: whoever is told more asks again after it.
_LONGEST_LIMIT = 3600.0
_LIMIT = 60.0
_FAULTS = {
    401: ForgeFault.FORBIDDEN,
    403: ForgeFault.FORBIDDEN,
    404: ForgeFault.NOT_FOUND,
    408: ForgeFault.UNAVAILABLE,
    413: ForgeFault.REFUSED,
    418: ForgeFault.REFUSED,
    422: ForgeFault.REFUSED,
    429: ForgeFault.RATE_LIMITED,
}
_CLASSES = {4: ForgeFault.REFUSED, 5: ForgeFault.UNAVAILABLE}


class Client:
    """``pause`` is the first wait before a read is asked again, in seconds; it doubles."""

    def __init__(
        self, settings: AtomgitSettings, bucket: Bucket | None = None, *, pause: float = 1.0, sleep: Sleep = time.sleep
    ) -> None:
        token = secret_of(settings.token, settings.token_file, "atomgit.token_file")
        self._token = token
        self._bucket = bucket or Bucket(settings.requests_per_minute, 60.0)
        self._pause = pause
        self._sleep = sleep
        self._base = settings.api_url.rstrip("/")
        self._http = httpx.Client(
            # As bytes: httpx refuses other text with an error that holds all of it.
            headers={
                b"PRIVATE-TOKEN": token.encode(errors="surrogateescape"),
                b"Accept": b"application/json",
                b"User-Agent": b"reviewbot",
            },
            timeout=settings.timeout_seconds,
            follow_redirects=False,
        )

    def read(self, path: str, parameters: Mapping[str, str] | None = None) -> Any:
        """The JSON of a GET, asked again a few times while the failure may pass. Raises ``ForgeError``."""
        wait = self._pause
        for left in range(_TRIES - 1, -1, -1):
            try:
                return self._sent("GET", path, parameters=parameters)
            except ForgeError as error:
                pause = wait if error.retry_after is None else error.retry_after
                if not error.passing or not left or pause > _LONGEST_WAIT:
                    raise
                self._sleep(pause)
                wait *= 2
        raise AssertionError("unreachable: the last attempt returns or raises")

    def write(self, verb: str, path: str, body: object = None) -> Any:
        """The JSON of a write, sent once; None where a success says nothing readable. Raises ``ForgeError``."""
        return self._sent(verb, path, body=body)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _sent(self, verb: str, path: str, *, parameters: Mapping[str, str] | None = None, body: object = None) -> Any:
        what = f"{verb} {path}"
        self._bucket.take()
        try:
            given = {} if body is None else {"json": body}
            response = self._http.request(verb, f"{self._base}{path}", params=parameters, **given)  # type: ignore[arg-type]
        except (httpx.InvalidURL, UnicodeError) as error:  # what no request can hold
            raise ForgeError(ForgeFault.REFUSED, what, detail=type(error).__name__) from None
        except httpx.LocalProtocolError:  # no header but the token's is anything but ours
            raise ForgeError(ForgeFault.FORBIDDEN, what) from None
        except httpx.HTTPError as error:
            raise ForgeError(ForgeFault.UNAVAILABLE, what, detail=type(error).__name__) from None
        return _answer(response, what, self._token)


def _answer(response: httpx.Response, what: str, token: str) -> Any:
    status = response.status_code
    try:
        data = response.json() if response.content else None
    except (ValueError, RecursionError):
        data = None
        if response.is_success and response.request.method == "GET":
            raise ForgeError(ForgeFault.UNREADABLE, what, status=status) from None
    meant = _hidden(data) if response.is_success else status
    if meant is None:
        return data
    fault = _FAULTS.get(meant) or _CLASSES.get(meant // 100, ForgeFault.UNREADABLE)
    raise ForgeError(fault, what, status=status, detail=_said(data, token), retry_after=_wait(response, fault))


def _hidden(data: object) -> int | None:
    """The code of an error inside a success, as a number or text; -1 for one that is no number."""
    code = data.get("error_code") if isinstance(data, dict) else None
    try:
        number = int(code or 0)
    except (TypeError, ValueError):
        return -1
    return None if number == 0 or 200 <= number < 300 else number


def _said(data: object, token: str) -> str:
    """The forge's own sentence, without the token: some send back what they were sent."""
    if not isinstance(data, dict):
        return ""
    said = data.get("error_message") or data.get("message") or data.get("error_code_name") or ""
    return " ".join(str(said).replace(token or "\n", " ").split())[:_LONGEST_DETAIL]


def _wait(response: httpx.Response, fault: ForgeFault) -> float | None:
    """As ``Retry-After`` says, in seconds. A limit without a word is one of a minute."""
    if fault not in (ForgeFault.RATE_LIMITED, ForgeFault.UNAVAILABLE):
        return None
    try:
        said = float(response.headers["retry-after"])
    except (KeyError, ValueError):
        said = math.nan
    if math.isfinite(said):
        return min(max(said, 0.0), _LONGEST_LIMIT)
    return _LIMIT if fault is ForgeFault.RATE_LIMITED else None
