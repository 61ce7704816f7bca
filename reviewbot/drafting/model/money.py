"""What requests cost: from tokens and the prices of the settings, in their currency."""

from __future__ import annotations

from reviewbot.drafting.model.tokens import counter_for
from reviewbot.models import Usage
from reviewbot.settings import ModelSettings

_MILLION = 1_000_000
#: Requests that one draft may take of one model: the draft and its repair, each with one further attempt.
_ATTEMPTS = 2
#: Tokens of the longest list of objections that a repair sends.
OBJECTIONS = 1_500
#: Tokens of the longest answer to the question what to look up.
ASIDE = 300


def cost_of(settings: ModelSettings, prompt: int, cached: int, completion: int) -> float | None:
    """``cached`` of the ``prompt`` tokens were cached; None when a price is missing."""
    if settings.price_in is None or settings.price_out is None:
        return None
    of_cached = settings.price_in if settings.price_cached is None else settings.price_cached
    fresh = max(prompt - cached, 0)
    return (fresh * settings.price_in + cached * of_cached + completion * settings.price_out) / _MILLION


def usage_of(settings: ModelSettings, prompt: int, cached: int, completion: int, *, calls: int = 1) -> Usage:
    """What so many requests took. A cost says its currency, so that it can be read when prices have changed."""
    cost = cost_of(settings, prompt, cached, completion)
    return Usage(
        calls=calls,
        prompt_tokens=prompt,
        cached_tokens=cached,
        completion_tokens=completion,
        cost=cost,
        currency="" if cost is None else settings.currency,
    )


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
        currency=first.currency or second.currency,
    )


def most_cost(settings: ModelSettings, prompt: int) -> float | None:
    """The most that one draft can cost over all attempts, repair and fallbacks, its cap if that is lower.

    ``prompt`` is the estimated length of the first request in tokens. None without prices.
    """
    length = prompt * counter_for(settings.name).factor
    limit, context = settings.max_output_tokens, settings.context_tokens
    total = 0.0
    if settings.investigate:
        aside = cost_of(settings, int(min(length, context)), 0, ASIDE)
        total += aside or 0.0
    for before in (0, 2 * limit + OBJECTIONS):  # the draft; the repair, which shows the draft and what is wrong
        for attempt in range(_ATTEMPTS):  # the second one shows the first and may be twice as long
            answer = limit * (attempt + 1)
            asked = min(length + before + attempt * limit, context - answer)
            cost = cost_of(settings, int(max(asked, 0)), 0, answer)
            if cost is None:
                return None
            total += cost * (1 + len(settings.fallbacks))
    cap = settings.cost_per_analysis
    return total if cap is None else min(total, cap)
