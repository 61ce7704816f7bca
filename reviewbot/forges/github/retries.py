"""Reads that are asked again, and never for long.

Traps, seen with PyGithub 2.10.0 over urllib3 2.8.0: ``max_rate_limit_wait`` does not bound ``Retry-After``, which is
slept on for up to six hours each time; exhausted retries lose status and headers, so that a limit looks like an outage.
"""

from __future__ import annotations

import json
from typing import Any, Self

from github import GithubException, GithubRetry
from urllib3.exceptions import InvalidHeader
from urllib3.response import BaseHTTPResponse

_READS = frozenset({"GET", "HEAD"})


class ReadRetry(GithubRetry):
    """``longest`` bounds one wait, in seconds: for more, and after the last try, the answer is raised as it came.

    Writes are never sent again: PyGithub's own default does, which posts comments twice (measured: two answers of 502,
    three comments).
    """

    def __init__(self, *, longest: float, **options: Any) -> None:
        options.setdefault("allowed_methods", _READS)
        options["max_rate_limit_wait"] = longest
        super().__init__(**options)

    def new(self, **options: Any) -> Self:
        return super().new(longest=self.max_rate_limit_wait, **options)

    def increment(
        self, method: str | None = None, url: str | None = None, response: Any = None, *rest: Any, **more: Any
    ) -> Any:
        if response is not None and (self.total == 0 or self._long(response)):
            raise GithubException(response.status, self._said(response, url or ""), dict(response.headers))
        return super().increment(method, url, response, *rest, **more)

    def _long(self, response: BaseHTTPResponse) -> bool:
        """Also for a header that cannot be read: urllib3 would raise where nobody expects it."""
        try:
            wait = self.get_retry_after(response)
        except InvalidHeader:
            return True
        return wait is not None and self.max_rate_limit_wait is not None and wait > self.max_rate_limit_wait

    def _said(self, response: Any, url: str) -> Any:
        try:
            return json.loads(self.get_content(response, url))
        except ValueError:
            return None
