"""Code as a stream of normalised tokens, lexical and therefore the same for any piece of a file.

What a copy may change without being less of a copy leaves no trace: white space, comments, annotations, decorators,
commas, blocks in triple quotes and the name of the definition itself. Literals are one token each whatever they say.

A token keeps what gives it its meaning: an attribute its dot (``.size``), a call its bracket (``promote(``). What is
left without either, in lower case, is mostly a local, and a local may be renamed: by its ``key`` every such name is the
same, and `retrieval.copies.alignment` asks that the renaming be consistent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate, pairwise
from keyword import iskeyword
from typing import NamedTuple

from retrieval.models import Language

LOCAL = "_"  # the key of every name that may be a local
_NUMBER, _TEXT = "0", '"'

_PYTHON = re.compile(
    r"#[^\n]*"
    r'|(?:[rRbBuUfFtT]{1,2})?(?:"""(?:[^"\\]++|\\.|"(?!""))*+"""'
    r"|'''(?:[^'\\]++|\\.|'(?!''))*+'''"
    r"""|"(?:[^"\\\n]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+')"""
    r"|\d[\w.]*"
    r"|(?:\.\s*+)?[^\W\d]\w*+(?:\s*\()?"
    r"|->|[-+*/%@&|^<>=!:]=|[^\s\w;]",
    re.DOTALL,
)
_CPP = re.compile(
    r"//[^\n]*|/\*(?:[^*]++|\*(?!/))*+\*/"
    r"""|(?:u8|[uUL])?(?:"(?:[^"\\\n]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+')"""
    r"|\d(?:[\w.]|'\d)*"
    r"|(?:(?:::|->|\.)\s*+)?[^\W\d]\w*+(?:\s*\()?"
    r"|[-+*/%&|^<>=!]=|&&|\|\||[^\s\w;]",
    re.DOTALL,
)
_TRIPLE = ('"""', "'''")
_REMEMBERED_LENGTH = 80
_REMEMBERED = 200_000

_CPP_WORD = re.compile(
    "alignas|auto|bool|break|case|catch|char|class|const|constexpr|continue|default|delete|do|double|else|enum|explicit"
    "|extern|false|float|for|if|inline|int|int64_t|long|namespace|new|nullptr|operator|private|public|return|short"
    "|signed|sizeof|size_t|static|static_cast|struct|switch|template|this|throw|true|try|typename|uint8_t|unsigned"
    "|using|virtual|void|volatile|while"
)


class CodeToken(NamedTuple):
    """``text`` is the normalised spelling, ``key`` what it counts as in a search, ``line`` 1-based in the text."""

    text: str
    key: str
    line: int


def keys_of(text: str, language: Language) -> list[str]:
    """Keys of the tokens of one definition, without their places: several times faster than `code_tokens`."""
    written = _pattern(language).findall(text)
    _blank_freedoms(written, language)
    keys = map(_keys(language).__getitem__, written)
    return [key for key in keys if key]


def code_tokens(text: str, language: Language) -> list[CodeToken]:
    """Tokens of one definition with their lines, one per key of `keys_of`."""
    matches = list(_pattern(language).finditer(text))
    written = [match.group() for match in matches]
    _blank_freedoms(written, language)
    starts = [0, *(match.start() for match in matches)]
    lines = accumulate((text.count("\n", a, b) for a, b in pairwise(starts)), initial=1)
    known = _keys(language)
    next(lines)
    return [
        CodeToken(_normal(token) if key == LOCAL else key, key, line)
        for token, line in zip(written, lines, strict=True)
        if (key := known[token])
    ]


def is_telling(key: str) -> bool:
    """Is it an attribute, a call or a capitalised name? Only these say what code does rather than how."""
    word = key.lstrip(".:->").rstrip("(")
    return key != LOCAL and word.isidentifier() and (word != key or word.lstrip("_")[:1].isupper())


def size_of(text: str, language: Language) -> int:
    """Number of tokens of any text, a whole file for one; annotations and decorators count."""
    return sum(map(bool, map(_keys(language).__getitem__, _pattern(language).findall(text))))


class _Keys(dict[str, str]):
    """Spelling → key, worked out once; the empty key stands for what leaves no trace."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._comment = ("//", "/*") if language is Language.CPP else ("#",)
        self._is_word: Callable[[str], object] = _CPP_WORD.fullmatch if language is Language.CPP else iskeyword

    def __missing__(self, written: str) -> str:
        key = self._key(written)
        if len(written) <= _REMEMBERED_LENGTH:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[written] = key
        return key

    def _key(self, written: str) -> str:
        if not written or written == "," or written.startswith(self._comment) or written.endswith(_TRIPLE):
            return ""
        if written[-1] in "\"'":
            return _TEXT
        if written[0].isdigit():
            return _NUMBER
        normal = _normal(written)
        if normal[-1] == "(" or self._is_word(normal) or not (normal[0].isalpha() or normal[0] == "_"):
            return normal
        return normal if normal.lstrip("_")[:1].isupper() else LOCAL


_keys = cache(_Keys)


def _pattern(language: Language) -> re.Pattern[str]:
    return _CPP if language is Language.CPP else _PYTHON


def _normal(written: str) -> str:
    return "".join(written.split())


def _blank_freedoms(written: list[str], language: Language) -> None:
    """Empty the tokens that a copy is free to change: decorators, annotations of headers, the definition's name."""
    if language is Language.CPP:
        name = next((at for at, token in enumerate(written) if token.endswith("(")), None)
        if name is not None:
            written[name] = "("
        return
    if "def" not in written:
        return
    at = written.index("def")
    written[:at] = [""] * at
    if at + 1 < len(written):
        written[at + 1] = "("
    while True:
        at = _blank_annotations(written, at + 1)
        try:
            at = written.index("def", at)
        except ValueError:
            return


def _blank_annotations(written: list[str], at: int) -> int:
    """Empty the annotations of the header whose name stands at ``at``; returns where the header ends."""
    depth, annotated, returns = 0, False, False
    for place in range(at, len(written)):
        token = written[place]
        last = token[-1:]
        if token[:1] == "#":
            continue
        if last and last in "([{":
            depth += 1
        elif last and last in ")]}":
            depth -= 1
            annotated = annotated and depth > 0
        elif token == ":" and depth == 0:
            return place
        elif token == ":" and depth == 1:
            annotated = True
        elif token == "->" and depth == 0:
            returns = True
        elif token in ("=", ",") and depth == 1:
            annotated = False
        if annotated or returns:
            written[place] = ""
    return len(written)
