"""What a forge can answer instead of what was asked; each says whether to wait, to give up, or to ask for less."""

from __future__ import annotations

from enum import StrEnum

from reviewbot.errors import ReviewbotError
from reviewbot.forges import words


class ForgeFault(StrEnum):
    NOT_FOUND = "not_found"
    FORBIDDEN = "forbidden"  # the token lacks a right, or is wrong
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"  # 5xx, no connection, no answer in time: the call may have taken effect
    TOO_LARGE = "too_large"  # the forge does not show a diff of this size: take it from git
    REFUSED = "refused"  # the content was refused (422, 418): the same again will be refused again
    UNREADABLE = "unreadable"  # an answer that is not what the forge documents


class ForgeError(ReviewbotError):
    """``what`` names the call (``GET /repos/o/r/pulls/7``), ``status`` the HTTP status, None without an answer.

    ``retry_after`` are seconds to wait, where the forge said so. ``detail`` is the forge's own sentence, no secret.
    """

    def __init__(
        self,
        fault: ForgeFault,
        what: str,
        *,
        status: int | None = None,
        detail: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(words.forge_failed(fault, what, status, detail))
        self.fault = fault
        self.what = what
        self.status = status
        self.detail = detail
        self.retry_after = retry_after

    @property
    def passing(self) -> bool:
        """True when the same call may succeed later."""
        return self.fault in {ForgeFault.RATE_LIMITED, ForgeFault.UNAVAILABLE}
