"""Acts: what upstream is said to have done to a definition is what the delta found.

Judged are plain statements, the verb right before the name: 新增 x, 删除 x、y, 改写 x 的实现. A name that is no changed
definition (a parameter, a flag) and what is only a part of one (新增 x 的参数) are left to other checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.models import ChangeKind, DefinitionChange
from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.context import Context
from reviewbot.verification.reading import BLANK, Sentence

_ACTS = ("act_added", "act_removed", "act_rewritten")
_MOVED = (ChangeKind.RENAMED, ChangeKind.MOVED)
_DENIED = r"[^\uff0c\u3002\uff1b]{0,3}"
_JOIN = re.compile(r"[\s`]*[\u3001\u548c\u4e0e\u53ca][\s`]*")


def acts(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_RELATION for each definition that did not fare as the sentence says."""
    for act in _ACTS:
        for verb in context.lexicon[act].finditer(sentence.masked):
            if _is_denied(sentence.masked[: verb.start()], context):
                continue
            for name in _objects(verb.end(), act, sentence, context):
                meant = [one for one in context.delta.definitions if _ends(name, one.symbol, one.old_symbol)]
                if meant and not any(_fares(one, act, name) for one in meant):
                    message = words.other_act(verb.group(), name)
                    yield Finding(kind=FindingKind.WRONG_RELATION, sentence=sentence.text, message=message)


def _is_denied(before: str, context: Context) -> bool:
    negators = context.lexicon["negators"].finditer(before)
    return any(re.fullmatch(_DENIED, before[negator.end() :]) for negator in negators)


def _objects(at: int, act: str, sentence: Sentence, context: Context) -> Iterator[str]:
    """Names right behind the verb, one after the other; what has an owner's mark behind it ends the list."""
    prose, starts = sentence.masked, {name.start: name for name in sentence.names}
    at = _skipped(at, sentence, context)
    while (name := starts.get(at)) is not None:
        behind = prose[name.end :].lstrip(f"{BLANK} ")
        owns = context.lexicon["owner_marks"].match(behind) is not None
        if owns and not (act == "act_rewritten" and context.lexicon["act_objects"].match(behind)):
            return
        yield name.name
        joined = _JOIN.match(sentence.text, _behind_quote(name.end, sentence))
        if joined is None:
            return
        at = joined.end()


def _behind_quote(at: int, sentence: Sentence) -> int:
    return at + 1 if sentence.text[at : at + 1] == "`" else at


def _skipped(at: int, sentence: Sentence, context: Context) -> int:
    """Past blanks, an opening backtick and words such as 函数."""
    while at < len(sentence.text):
        filler = context.lexicon["act_fillers"].match(sentence.masked, at)
        if filler:
            at = filler.end()
        elif sentence.text[at] in " `":
            at += 1
        else:
            break
    return at


def _ends(name: str, *symbols: str) -> bool:
    return any(f".{symbol}".endswith(f".{name}") for symbol in symbols)


def _fares(one: DefinitionChange, act: str, name: str) -> bool:
    """A new name of what was renamed or moved was added, the old one removed."""
    if act == "act_added":
        return one.kind is ChangeKind.ADDED or (one.kind in _MOVED and _ends(name, one.symbol))
    if act == "act_removed":
        return one.kind is ChangeKind.REMOVED or (one.kind in _MOVED and _ends(name, one.old_symbol))
    return one.kind not in (ChangeKind.ADDED, ChangeKind.REMOVED)
