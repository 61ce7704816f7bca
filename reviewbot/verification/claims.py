"""Finds what a sentence claims about couplings: relation word, polarity, and the ledger ids it rests on.

Contract: ``find_claims`` returns every relation word that the prose of a sentence holds (code is masked), each with one
polarity. Where a negator stands in the clause and it cannot be told what it denies, the polarity is ``UNCLEAR``: such a
sentence can't be proved either way and goes. The trap is Chinese negation: 未知 and 无需 deny nothing, 未发现…引用
denies at a distance, 不影响…的引用 denies another verb, 并非没有 denies twice, and 引用数为 0 denies from behind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from reviewbot.verification.lexicon import Lexicon, RelationWord, load_lexicon
from reviewbot.verification.reading import BLANK, Sentence
from reviewbot.verification.sentences import Clause

#: Takes the place of words that look like a relation or a negator; no filler, so that no denial reaches across it.
_NEUTRAL = "\ufffd"
#: Code, brackets and English words may stand between a relation word and its count: 引用 foo 0 处.
_BEFORE_ZERO = re.compile(rf"(?:[{BLANK}\s\uff08\uff09()]|[A-Za-z][A-Za-z0-9_.-]*)*")
_PLAIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


class Polarity(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Claim:
    """One relation word in use. ``ids`` are those it rests on; offsets are into the sentence."""

    relation: RelationWord
    polarity: Polarity
    ids: tuple[str, ...]
    start: int
    end: int
    clause_start: int
    clause_end: int


@lru_cache(maxsize=256)
def find_claims(sentence: Sentence) -> tuple[Claim, ...]:
    """Claims in order of appearance; proposed couplings (需补充注册) are none."""
    claims: list[Claim] = []
    for clause in sentence.clauses:
        for part in _list_parts(sentence, clause):
            claims += _claims_of(sentence, part)
    return tuple(claims)


def _claims_of(sentence: Sentence, clause: Clause) -> list[Claim]:
    lexicon = load_lexicon()
    prose = _prose(sentence, clause, lexicon)
    found = _relations_in(prose, lexicon)
    denied = _denials(prose, [(start, end) for _, start, end in found], lexicon)
    own = sentence.ids_in(clause.start, clause.end) or _ids_pointed_to(sentence, clause)
    ids = own or sentence.cited
    claims = [_unrelated(match, clause, ids) for match in _unrelated_in(sentence, clause, ids)]
    for number, (relation, start, end) in enumerate(found):
        if _is_prospective(prose, start, lexicon):
            continue
        polarity = denied.get(number, Polarity.POSITIVE)
        if polarity is Polarity.POSITIVE and not relation.positive:
            continue
        rests_on = ids if own or polarity is not Polarity.NEGATIVE else _ids_before(sentence, clause)
        claims.append(
            Claim(relation, polarity, rests_on, clause.start + start, clause.start + end, clause.start, clause.end)
        )
    return claims


def _unrelated_in(sentence: Sentence, clause: Clause, ids: tuple[str, ...]) -> list[re.Match[str]]:
    """[E3] 与 foo 无关: a denial by itself, where a place is cited."""
    if not any(one.startswith("E") for one in ids):
        return []
    return list(load_lexicon()["unrelated"].finditer(sentence.masked, clause.start, clause.end))


def _unrelated(match: re.Match[str], clause: Clause, ids: tuple[str, ...]) -> Claim:
    word = RelationWord(match.group(), None, match.re)
    return Claim(word, Polarity.NEGATIVE, ids, match.start(), match.end(), clause.start, clause.end)


def ids_beside(sentence: Sentence, start: int) -> tuple[str, ...]:
    """What stands at ``start`` rests on: the ids of its clause, those it points to, else all of the sentence."""
    clause = next(one for one in sentence.clauses if one.start <= start < one.end)
    return sentence.ids_in(clause.start, clause.end) or _ids_pointed_to(sentence, clause) or sentence.cited


def _ids_pointed_to(sentence: Sentence, clause: Clause) -> tuple[str, ...]:
    """Those of a clause right behind that only says where to look: foo 引用 bar，见 [E3]."""
    behind = next((one for one in sentence.clauses if one.start == clause.end), None)
    if behind is None or not load_lexicon()["pointers"].match(sentence.masked, behind.start):
        return ()
    return sentence.ids_in(behind.start, behind.end)


def _ids_before(sentence: Sentence, clause: Clause) -> tuple[str, ...]:
    """What a denial without ids of its own rests on: the nearest clause before it that has some, else all of them."""
    if not load_lexicon()["all_of_them"].search(sentence.masked, clause.start, clause.end):
        for other in reversed(sentence.clauses):
            if other.end <= clause.start and (ids := sentence.ids_in(other.start, other.end)):
                return ids
    return sentence.cited


def _prose(sentence: Sentence, clause: Clause, lexicon: Lexicon) -> str:
    """The masked clause with look-alikes neutralised and double negations undone; same length."""
    text = sentence.masked[clause.start : clause.end]
    for name in ("calls_original", "double_negations", "relation_look_alikes", "negator_look_alikes"):
        text = lexicon[name].sub(lambda match: _NEUTRAL * len(match.group()), text)
    return text


def _relations_in(prose: str, lexicon: Lexicon) -> list[tuple[RelationWord, int, int]]:
    found = [
        (relation, match.start(), match.end())
        for relation in lexicon.relations
        for match in relation.pattern.finditer(prose)
    ]
    return sorted(found, key=lambda hit: (hit[1], -hit[2]))


def _is_prospective(prose: str, start: int, lexicon: Lexicon) -> bool:
    """A proposal word stands before the relation with nothing but fillers between."""
    for match in lexicon["prospective"].finditer(prose, 0, start):
        if _skip(prose, match.end(), start, lexicon["negation_fillers"]) == start:
            return True
    return False


def _skip(prose: str, start: int, stop: int, fillers: re.Pattern[str]) -> int:
    """The first offset from ``start`` that is neither blank, space, filler nor an English word, at most ``stop``."""
    at = start
    while at < stop:
        if prose[at] in BLANK + " \u3000":
            at += 1
            continue
        match = fillers.match(prose, at, stop) or _PLAIN_WORD.match(prose, at, stop)
        if match is None or match.end() == at:
            return at
        at = match.end()
    return stop


def _denials(prose: str, spans: list[tuple[int, int]], lexicon: Lexicon) -> dict[int, Polarity]:
    """Polarity of each relation that a negator, or a zero beside it, bears on; by its place in ``spans``."""
    denied: dict[int, Polarity] = {}
    for number, (start, end) in enumerate(spans):
        if _zero_beside(prose, start, end, lexicon):
            denied[number] = Polarity.NEGATIVE
    for negator in lexicon["negators"].finditer(prose):
        ahead = [number for number, (start, _) in enumerate(spans) if start >= negator.end()]
        for number, polarity in _reach(prose, negator.end(), ahead, spans, lexicon).items():
            if denied.get(number) is not Polarity.NEGATIVE:
                denied[number] = polarity
    return denied


def _zero_beside(prose: str, start: int, end: int, lexicon: Lexicon) -> bool:
    before = prose[:start].rstrip(BLANK + " ")
    if any(match.end() >= len(before) for match in lexicon["zero_before"].finditer(prose[:start])):
        return True
    after = _BEFORE_ZERO.match(prose, end)
    return lexicon["zero_after"].match(prose, after.end() if after else end) is not None


def _reach(
    prose: str, start: int, ahead: list[int], spans: list[tuple[int, int]], lexicon: Lexicon
) -> dict[int, Polarity]:
    """What a negator that ends at ``start`` does to the relations ahead of it in its clause."""
    if not ahead:
        return {}
    first = spans[ahead[0]][0]
    at = _skip(prose, start, first, lexicon["negation_fillers"])
    if at < first:
        if lexicon["finding_verbs"].match(prose, at):
            return dict.fromkeys(ahead, Polarity.NEGATIVE)
        return dict.fromkeys(ahead, Polarity.UNCLEAR)
    reached = {ahead[0]: Polarity.NEGATIVE}
    for previous, number in pairwise(ahead):
        gap = prose[spans[previous][1] : spans[number][0]]
        joined = lexicon["coordinators"].search(gap) is not None
        reached[number] = Polarity.NEGATIVE if joined else Polarity.UNCLEAR
    return reached


def _list_parts(sentence: Sentence, clause: Clause) -> tuple[Clause, ...]:
    """The clause cut at 、 when each part has a relation word and an id of its own, else the clause whole."""
    lexicon = load_lexicon()
    text = sentence.text[clause.start : clause.end]
    starts = [0, *(match.end() for match in re.finditer(lexicon.raw.list_comma, text))]
    parts = [
        Clause(text[begin:end], clause.start + begin)
        for begin, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]
    whole = all(
        sentence.ids_in(part.start, part.end) and _relations_in(_prose(sentence, part, lexicon), lexicon)
        for part in parts
    )
    return tuple(parts) if whole and len(parts) > 1 else (clause,)
