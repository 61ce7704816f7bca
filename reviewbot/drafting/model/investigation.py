"""Look-ups that a model asks for before it drafts: names in, counted searches out.

Contract: a model names, code measures. A name counts when it is an identifier or a dotted name that stands in the
material the model was shown; it is searched as a whole word in the whole downstream tree, and what was counted joins
the ledger: a zero as a miss with the next ``Z`` id, hits as a count. Places and prior stay as they were: what a model
asks for moves no rule. No answer, or one that names nothing, leaves the ledger alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from retrieval.models import Ledger, Miss, SymbolCount
from reviewbot.drafting.model.prompt import Message, Prompt
from reviewbot.drafting.model.prompt_files import load_prompt
from reviewbot.drafting.writer import CountWord, Dossier

MOST_NAMES = 4
_NAME = re.compile(r"[A-Za-z_]\w{2,79}(?:\.[A-Za-z_]\w{0,79}){0,9}", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def question(prompt: Prompt) -> tuple[Message, ...]:
    """The request of the draft with another question at its end; its prefix is the same, so that providers cache it."""
    asked = load_prompt("investigate").filled(most=str(MOST_NAMES))
    *before, last = prompt.messages
    return (*before, Message(last.role, last.content.replace(load_prompt("draft").text, asked)))


def names_in(answer: str, material: str) -> tuple[str, ...]:
    """The names of an answer that may be searched for, at most ``MOST_NAMES``."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        given = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError):
        return ()
    named = given.get("names") if isinstance(given, dict) else None
    if not isinstance(named, list):
        return ()
    known = set(_WORD.findall(material))
    fit = (one for one in named if isinstance(one, str) and _NAME.fullmatch(one) and set(_WORD.findall(one)) <= known)
    return tuple(dict.fromkeys(fit))[:MOST_NAMES]


def with_counts(ledger: Ledger, names: Sequence[str], count: CountWord) -> Ledger:
    """The ledger with what a whole-word search for each name found; names it has an answer for are not searched."""
    answered = {miss.pattern for miss in ledger.misses} | {one.pattern for one in ledger.counts}
    misses, counts = list(ledger.misses), list(ledger.counts)
    for name in names:
        pattern = name.rpartition(".")[2]
        if pattern in answered:
            continue
        answered.add(pattern)
        lines, files = count(pattern)
        if lines:
            counts.append(SymbolCount(symbol=name, pattern=pattern, lines=lines, files=files))
        else:
            searched = ledger.totals.files_searched
            misses.append(Miss(id=f"Z{len(misses) + 1}", symbol=name, pattern=pattern, files=searched))
    return ledger.model_copy(update={"misses": tuple(misses), "counts": tuple(counts)})


def material_of(dossier: Dossier) -> str:
    """Everything from outside that names may come from: the change, and the source lines of the ledger."""
    return "\n".join(_material(dossier))


def _material(dossier: Dossier) -> Iterator[str]:
    change = dossier.change
    yield change.title
    yield change.body
    for file in change.files:
        yield file.path
        for hunk in file.hunks:
            yield from hunk.lines
    for item in dossier.ledger.items:
        yield from (item.scope, item.snippet, *item.symbols)
