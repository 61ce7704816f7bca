"""C++ text without what is no code: blanked, so that every offset and line stays.

A macro breaks the tree around it but not this: comments and literals are told apart by looking at characters alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NO_CODE = re.compile(
    rb"(?P<comment>//(?:[^\\\n]++|\\.)*+|/\*.*?(?:\*/|\Z))"
    rb'|R"(?P<mark>[^()\\\s"]{0,16})\((?P<raw>.*?)(?:\)(?P=mark)"|\Z)'
    rb'|"(?P<text>(?:[^"\\\n]++|\\.)*+)"?'
    rb"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?P<char>(?:[^'\\\n]|\\.)+)'",
    re.DOTALL,
)
_TO_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


class Masked(NamedTuple):
    """``text`` lacks the comments; ``code`` the contents of literals and characters too, whose quotes stay."""

    text: bytes
    code: bytes


def masked(text: bytes) -> Masked:
    without_comments, code = bytearray(text), bytearray(text)
    for match in _NO_CODE.finditer(text):
        start, end = match.span(match.lastgroup or 0)
        code[start:end] = blanked(text[start:end])
        if match.lastgroup == "comment":
            without_comments[start:end] = code[start:end]
    return Masked(bytes(without_comments), bytes(code))


def blanked(text: bytes) -> bytes:
    """Blanks in the place of everything but line ends."""
    return text.translate(_TO_BLANKS)
