"""What a difference amounts to: behaviour, or only comments, types, messages, names, layout.

Two token streams are compared layer by layer (``definitions.Layer``): what remains equal when a layer is left out is
no more than that layer. A mechanical rewrite of ``assert`` into ``if not …: raise AssertionError`` counts as
``FORMAT``: behaviour is the same but for the message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from retrieval.definitions import Layer, Token
from retrieval.models import Nature

#: From the most to the least that a change can be.
STRENGTH = (
    Nature.CODE,
    Nature.DEVICE,
    Nature.LOGGING,
    Nature.RENAME,
    Nature.TYPING,
    Nature.COMMENT,
    Nature.FORMAT,
    Nature.TEST,
    Nature.BUILD,
    Nature.DOCS,
)
#: A definition that differs by no more than this is reformatted.
COSMETIC = frozenset({Nature.COMMENT, Nature.FORMAT, Nature.TYPING})

_REMARKS = frozenset({Layer.COMMENT, Layer.TYPE_COMMENT, Layer.DOC, Layer.ASSERT})
_ANNOTATED = _REMARKS | {Layer.TYPING}
_SAID = _ANNOTATED | {Layer.LOGGING}


def strongest(natures: Iterable[Nature], default: Nature = Nature.FORMAT) -> Nature:
    """The one that covers the others."""
    return min(natures, key=STRENGTH.index, default=default)


class NameMap:
    """Old names to new ones, applied to tokens: renamed definitions, and modules of renamed files."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = dict(names)
        pattern = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        self._word = re.compile(rf"\b(?:{pattern})\b", re.ASCII) if names else None

    def __bool__(self) -> bool:
        return bool(self._names)

    def matters(self, texts: Sequence[str]) -> bool:
        """Is an old name among the tokens?"""
        return not self._names.keys().isdisjoint(texts)

    def apply(self, texts: Sequence[str]) -> list[str]:
        word = self._word
        if word is None:
            return list(texts)
        return [word.sub(lambda match: self._names[match.group()], text) for text in texts]


def difference(old: Sequence[Token], new: Sequence[Token], renamed: NameMap) -> Nature:
    """The nature of the change from one token stream to the other; ``FORMAT`` when they are equal."""
    if _texts(old, ()) == _texts(new, ()):
        return Nature.FORMAT
    if _texts(old, _REMARKS) == _texts(new, _REMARKS):
        return _remark(old, new)
    if _texts(old, _ANNOTATED) == _texts(new, _ANNOTATED):
        return Nature.TYPING
    before, after = _texts(old, _SAID), _texts(new, _SAID)
    if before == after:
        return Nature.LOGGING
    if renamed.matters(before) and renamed.apply(before) == renamed.apply(after):
        return Nature.RENAME
    return Nature.CODE


def _texts(tokens: Sequence[Token], without: Collection[Layer]) -> list[str]:
    return [text for text, layer in tokens if layer not in without]


def _remark(old: Sequence[Token], new: Sequence[Token]) -> Nature:
    """Comments, docstrings or assertions differ; which of them?"""
    changed = {layer for _, layer in (Counter(old) - Counter(new)) + (Counter(new) - Counter(old))}
    if changed <= {Layer.ASSERT}:
        return Nature.FORMAT if _spellings(old) != _spellings(new) else Nature.LOGGING
    if changed - {Layer.ASSERT} <= {Layer.TYPE_COMMENT}:
        return Nature.TYPING
    return Nature.COMMENT


def _spellings(tokens: Sequence[Token]) -> list[str]:
    return [text for text, layer in tokens if layer is Layer.ASSERT and text in ("assert", "raise")]
