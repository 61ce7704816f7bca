"""What requests cost: from tokens and the prices of the settings, in their currency."""

from __future__ import annotations

from reviewbot.models import Usage
from reviewbot.settings import ModelSettings

_MILLION = 1_000_000


def cost_of(settings: ModelSettings, prompt: int, cached: int, completion: int) -> float | None:
    """``cached`` of the ``prompt`` tokens were cached; None when a price is missing."""
    if settings.price_in is None or settings.price_out is None:
        return None
    of_cached = settings.price_in if settings.price_cached is None else settings.price_cached
    fresh = max(prompt - cached, 0)
    return (fresh * settings.price_in + cached * of_cached + completion * settings.price_out) / _MILLION


def together(first: Usage, second: Usage) -> Usage:
    """Both; the cost of what has none counts as nothing where the other has one."""
    known = [one.cost for one in (first, second) if one.cost is not None]
    return Usage(
        calls=first.calls + second.calls,
        prompt_tokens=first.prompt_tokens + second.prompt_tokens,
        cached_tokens=first.cached_tokens + second.cached_tokens,
        completion_tokens=first.completion_tokens + second.completion_tokens,
        cost=sum(known) if known else None,
        seconds=round(first.seconds + second.seconds, 3),
    )
