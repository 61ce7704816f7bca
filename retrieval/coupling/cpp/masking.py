"""C++ text without what is no code: blanked, so that every offset and line stays.

A macro breaks the tree around it but not this: comments and literals are told apart by looking at characters alone.
"""

from __future__ import annotations

import re

_NO_CODE = re.compile(
    rb"(?P<comment>//(?:[^\\\n]|\\.)*|/\*.*?(?:\*/|\Z))"
    rb'|R"(?P<mark>[^()\\\s"]{0,16})\((?P<raw>.*?)(?:\)(?P=mark)"|\Z)'
    rb'|"(?P<text>(?:[^"\\\n]|\\.)*)"?'
    rb"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?P<char>(?:[^'\\\n]|\\.)+)'",
    re.DOTALL,
)
_TO_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def without_comments(text: bytes) -> bytes:
    """Comments blanked, literals as they are."""
    return _NO_CODE.sub(lambda match: blanked(match[0]) if match["comment"] is not None else match[0], text)


def without_literals(text: bytes) -> bytes:
    """Comments blanked and the contents of strings and characters too; their quotes stay."""

    def blank(match: re.Match[bytes]) -> bytes:
        if match["comment"] is not None:
            return blanked(match[0])
        start, end = match.span(match.lastgroup or 0)
        at = match.start()
        return match[0][: start - at] + blanked(match[0][start - at : end - at]) + match[0][end - at :]

    return _NO_CODE.sub(blank, text)


def blanked(text: bytes) -> bytes:
    """Blanks in the place of everything but line ends."""
    return text.translate(_TO_BLANKS)
