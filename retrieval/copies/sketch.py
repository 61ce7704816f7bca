"""Sketches: a few hashes of a definition by which copies of it are found among tens of thousands.

A sketch is made of the words that say what code does: attributes, calls and capitalised names. Layout, comments,
strings, literals, operators and the names of locals leave no trace in it. A *gram* is a run of three such words, hashed
to 32 bits that are the same in every process and on every machine; the sketch holds the `KEPT` smallest hashes
(bottom-k MinHash), whatever the length. A search asks with the `ASKED` smallest: the grams in the sketch of a copy a
few times shorter are among them, so the hits estimate how much of the copy is in what is asked for.

Text is bytes in UTF-8. One pass of one pattern: a tree has millions of tokens.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from retrieval.models import Language

KEPT = 8
ASKED = 8 * KEPT

_STRING = rb"\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'"
_PATTERNS = {
    Language.PYTHON: rb"#[^\n]*+|\"\"\"(?:[^\"\\]++|\\.|\"(?!\"\"))*+\"\"\"|'''(?:[^'\\]++|\\.|'(?!''))*+'''|"
    + _STRING
    + rb"|(\.?[A-Za-z_]\w*+\(?)",
    Language.CPP: rb"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|" + _STRING + rb"|((?:\.|::|->)?[A-Za-z_]\w*+\(?)",
}
_MATCHERS = {language: re.compile(pattern, re.DOTALL) for language, pattern in _PATTERNS.items()}
_MASK = (1 << 64) - 1
_FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F  # odd, of no further meaning
_REMEMBERED = 200_000


def sketch(text: bytes, language: Language, size: int = KEPT) -> tuple[int, ...]:
    """The ``size`` smallest hashes of one definition, ascending; empty when it says too little to be told by it."""
    start = max(text.find(b"def "), 0) if language is Language.PYTHON else 0  # decorators are free
    ids = [one for one in map(_ID.__getitem__, _MATCHERS[language].findall(text, start)) if one]
    grams = {
        ((a * _FIRST + b * _SECOND + c) & _MASK) >> 32
        for a, b, c in zip(ids[1:], ids[2:], ids[3:], strict=False)  # the first word is the name of the definition
    }
    return tuple(sorted(grams)[:size])


class _Ids(dict[bytes, int]):
    """Word → 64-bit hash, worked out once; 0 for what may be a local, and for comments and strings."""

    def __missing__(self, word: bytes) -> int:
        says = not (word[:1].isalpha() or word[:1] == b"_") or word.endswith(b"(") or word.lstrip(b"_")[:1].isupper()
        found = int.from_bytes(blake2b(word, digest_size=8).digest(), "little") if word and says else 0
        if len(self) >= _REMEMBERED:
            self.clear()
        self[word] = found
        return found


_ID = _Ids()
