"""Text as a reader will see it, so that what is proved is what is printed.

Printing takes invisible characters away (`reviewbot.render.scrub`), and a reader reads over full-width letters and over
blanks between Chinese characters; a check that met them first would be looking for another word. ``legible`` is applied
to a draft before anything else and keeps line ends; doing it twice changes nothing.
"""

from __future__ import annotations

import re
import unicodedata

from reviewbot.render.scrub import clean

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_BLANK_INSIDE = re.compile(rf"(?<=[{_HAN}])[^\S\n]+(?=[{_HAN}])")
#: What may hold another shape of a letter or digit: forms for compatibility, radicals, letters of mathematics.
_SHAPED = re.compile(r"[^\x00-\x7f\u3001-\u303f\u3400-\u4dbf\u4e00-\u9fff]")
_RADICAL = re.compile(r"[\u2e80-\u2fdf]")  # symbols by category, and drawn like the characters they are part of
_LOW_LINE = "\uff3f"


def legible(text: str) -> str:
    return _BLANK_INSIDE.sub("", _SHAPED.sub(_plain, clean(text)))


def _plain(match: re.Match[str]) -> str:
    """A letter or digit in its common shape; punctuation stays, since Chinese sentences are cut by it."""
    char = match.group()
    shaped = char.isalpha() or char.isdecimal() or char == _LOW_LINE or _RADICAL.match(char)
    return unicodedata.normalize("NFKC", char) if shaped else char
