"""From the bytes of a file to text with ``\\n`` line ends: UTF-8 and UTF-16 by their marks, else UTF-8, else GB18030.

Excel in China saves CSV as GB18030 (of which GBK is a part); Chinese text in it is hardly ever valid UTF-8, so trying
UTF-8 first decides. "Unicode text" of Excel is UTF-16 with a mark.
"""

from __future__ import annotations

import codecs

from reviewbot.records import words
from reviewbot.records.rows import TableError

_OLD_EXCEL = b"\xd0\xcf\x11\xe0"


def decoded(content: bytes) -> str:
    """Raises `TableError` for bytes that are no text."""
    if content.startswith(_OLD_EXCEL):
        raise TableError(words.OLD_EXCEL)
    text = _text(content)
    if "\0" in text:
        raise TableError(words.BINARY)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _text(content: bytes) -> str:
    utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if utf16 else ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise TableError(words.ENCODING)


def line_end(text: str, position: int) -> int:
    """Where the line that holds ``position`` ends."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end
