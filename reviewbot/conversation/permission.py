"""Who may say what: people with write access, whatever the command; never a bot, never ourselves.

The author of a pull request is nobody special: without write access they may neither accept nor correct, nor order.
"""

from __future__ import annotations

from enum import StrEnum

from reviewbot.events.models import Actor
from reviewbot.forges.models import Permission


class Standing(StrEnum):
    HEARD = "heard"
    REFUSED = "refused"  # told so, in the comment
    UNHEARD = "unheard"  # no answer at all: an answer to a bot is how loops begin


def standing(actor: Actor, own_login: str, permission: Permission) -> Standing:
    if unheard(actor, own_login):
        return Standing.UNHEARD
    return Standing.HEARD if permission.may_write else Standing.REFUSED


def unheard(actor: Actor, own_login: str) -> bool:
    """Known without asking the forge."""
    return actor.bot or actor.login.casefold() in {own_login.casefold(), ""} or actor.login.endswith("[bot]")
