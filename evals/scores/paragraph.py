"""Which parts of the team's paragraph a text has. Recognised by headings, phrases and structure, not understood.

The same reading serves drafts of the template, of a model, and of people. A part counts when one sentence shows it:

change        one of the first three says what upstream did and names a file or symbol, or names its track
search        a place as ``path:line``, a ledger id, a counted miss, or a search that is spoken of
chain         its heading, or two arrows in a sentence that comes to the downstream side
impact        its heading, or a kind of impact said in other words
verification  something to run or compare, and a test by name
risk          its heading, a harm that may come, or the word for silent

A short record of a change without coupling rightly lacks some: the share tells drafts apart, it is no mark to reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from evals.scores import words
from reviewbot.citations import ID_GROUP
from reviewbot.verification.sentences import split_sentences

# ASCII: a Chinese character is a letter to Unicode, and would hide the edge of a name that it touches. Patterns look
# for the telling piece of a name and not for the whole of it, which keeps them linear in the text.
_CODE = re.compile(r"[A-Za-z][/.][A-Za-z]|\w_\w|[a-z][A-Z]", re.ASCII)
_PLACE = re.compile(r"\w\.(?:pyi?|cpp|cc?|h|hpp|ya?ml):\d", re.ASCII)
_CHANGE = re.compile(rf"(?:^\s*|(?:{words.CHANGE_SUBJECT}).*)(?:{words.CHANGE_VERB})", re.DOTALL)
_TRACK = re.compile(words.TRACK)
_SEARCHED = re.compile(rf"{words.COUNTED_MISS}|{words.SEARCHED}", re.ASCII)
_CHAIN = re.compile(words.CHAIN_LEAD)
_ARROW = re.compile(words.ARROW)
_DOWNSTREAM = re.compile(words.DOWNSTREAM)
_IMPACT = re.compile(rf"{words.IMPACT_LEAD}|{words.IMPACT}")
_VERIFY = re.compile(words.VERIFY)
_NAMED_TEST = re.compile(words.NAMED_TEST, re.ASCII)
_RISK = re.compile(rf"{words.RISK}|{words.HARM}")

#: Sentences that may open a paragraph; later ones that speak of the change speak of what follows from it.
_OPENING = 3
#: Arrows of a chain: upstream symbol → downstream place → effect.
_CHAIN_ARROWS = 2


@lru_cache(maxsize=512)
def parts_of(text: str) -> Mapping[str, bool]:
    """Which of `PARTS` the text has, in their order."""
    sentences = split_sentences(text)
    opening = sentences[:_OPENING]
    return MappingProxyType(
        {name: any(map(shows, opening if shows is _change else sentences)) for name, shows in _SHOWS.items()}
    )


def _change(sentence: str) -> bool:
    return bool(_TRACK.search(sentence) or (_CHANGE.search(sentence) and _CODE.search(sentence)))


def _search(sentence: str) -> bool:
    return any(pattern.search(sentence) for pattern in (_PLACE, ID_GROUP, _SEARCHED))


def _chain(sentence: str) -> bool:
    drawn = len(_ARROW.findall(sentence)) >= _CHAIN_ARROWS and _DOWNSTREAM.search(sentence)
    return bool(drawn or _CHAIN.search(sentence))


def _verification(sentence: str) -> bool:
    return bool(_VERIFY.search(sentence) and _NAMED_TEST.search(sentence))


_SHOWS: Mapping[str, Callable[[str], bool]] = {
    "change": _change,
    "search": _search,
    "chain": _chain,
    "impact": lambda sentence: _IMPACT.search(sentence) is not None,
    "verification": _verification,
    "risk": lambda sentence: _RISK.search(sentence) is not None,
}
PARTS: tuple[str, ...] = tuple(_SHOWS)
