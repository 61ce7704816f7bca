"""A dossier as messages: a prefix that never changes, so that providers cache it, then what is known of this change.

Contract: a pure function. Parts come in one order (change, files, delta, hunks, ledger, past records, prior, question);
the ledger is served first, then the delta, past records and, with what is left, hunks; whatever was left out is said in
the prompt and counted in ``LeftOut``. Nothing of the dossier enters but by `outside`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from typing import Literal

from reviewbot.drafting.model import words
from reviewbot.drafting.model.change_text import change_text, delta_text, manifest_text
from reviewbot.drafting.model.digest import rubric_digest
from reviewbot.drafting.model.hunks import hunks_text
from reviewbot.drafting.model.ledger_text import ledger_text
from reviewbot.drafting.model.outside import block, told_line
from reviewbot.drafting.model.past_text import past_text
from reviewbot.drafting.model.prompt_files import load_prompt
from reviewbot.drafting.model.tokens import Count
from reviewbot.drafting.writer import Dossier
from reviewbot.models import Prior
from reviewbot.render.labels import label_cells
from reviewbot.rubric.situation import Situation

Role = Literal["system", "user", "assistant"]
#: What a chat template adds to each message, at most.
PER_MESSAGE = 8
#: Shares of the room that prefix, change, files, prior and question leave.
_LEDGER_SHARE, _DELTA_SHARE, _PAST_SHARE = 0.55, 0.2, 0.15
#: A prefix that would take more of the whole than this gives way to the brief one.
_PREFIX_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the budget kept from the model: hunks of product code, places of the ledger."""

    hunks: int = 0
    places: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """``messages`` are the stable prefix and the variable part; tokens are estimates, ``tokens`` of both together.

    ``shown`` are the ids of the ledger's places that the model can read.
    """

    messages: tuple[Message, ...]
    shown: tuple[str, ...]
    left_out: LeftOut
    prefix_tokens: int
    tokens: int

    @property
    def digest(self) -> str:
        """SHA-256 of the messages: the same dossier under the same prompts and budget has the same one."""
        return digest_of(self.messages)


def digest_of(messages: tuple[Message, ...]) -> str:
    told = json.dumps([(one.role, one.content) for one in messages], ensure_ascii=False)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def assemble(dossier: Dossier, count: Count, budget: int) -> Prompt:
    """The first request for a draft: ``budget`` tokens as far as the parts that must be there allow."""
    prefix = _prefix(count, budget)
    situation = Situation(dossier.change, dossier.delta, dossier.ledger)
    change = block(words.CHANGE, change_text(dossier.change, count))
    files = block(words.MANIFEST, manifest_text(dossier.change))
    prior = block(words.PRIOR, _prior_text(dossier.prior))
    asked = f"{words.QUESTION}\n{load_prompt('draft').text}"
    prefix_tokens = count(prefix) + 2 * PER_MESSAGE
    room = budget - prefix_tokens - sum(map(count, (change, files, prior, asked))) - 5 * PER_MESSAGE
    ledger = ledger_text(dossier.ledger, int(room * _LEDGER_SHARE), count)
    delta = delta_text(situation, int(room * _DELTA_SHARE), count)
    past = past_text(dossier.precedents, int(room * _PAST_SHARE), count)
    hunks = hunks_text(situation, room - sum(map(count, (ledger.text, delta, past))), count)
    parts = [
        change,
        files,
        block(words.DELTA, delta),
        block(words.HUNKS, hunks.text),
        block(words.LEDGER, ledger.text),
        *([block(words.PAST, past)] if past else ()),
        prior,
        asked,
    ]
    variable = "\n\n".join(parts)
    return Prompt(
        messages=(Message("system", prefix), Message("user", variable)),
        shown=ledger.shown,
        left_out=LeftOut(hunks.unread, ledger.cut),
        prefix_tokens=prefix_tokens,
        tokens=prefix_tokens + count(variable),
    )


@cache
def full_prefix() -> str:
    return load_prompt("system").filled(rubric=rubric_digest())


def prefix_name(count: Count, budget: int) -> str:
    """The prompt file of the prefix: the whole rubric where there is room for it."""
    return "system" if count(full_prefix()) <= _PREFIX_SHARE * budget else "brief"


def _prefix(count: Count, budget: int) -> str:
    name = prefix_name(count, budget)
    return full_prefix() if name == "system" else load_prompt(name).text


def _prior_text(prior: Prior) -> str:
    lines = [
        words.prior_labels(label_cells(prior.labels), prior.needs_work_score),
        words.prior_decision(prior.decision.value, prior.track.value),
    ]
    for rule in prior.rules:
        lines.append(words.prior_rule(rule.id, rule.reason, [told_line(fact) for fact in rule.because]))
    return "\n".join(lines)
