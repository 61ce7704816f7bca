"""Numbers in prose: how many places, lines, files and tests a sentence speaks of.

Contract: ``find_quantities`` returns what is counted and the number, Arabic or Chinese up to 99; ordinals (第二处) and
line numbers (第 12 行) are none. ``find_sizes`` returns +a/-b pairs and 新增 a 行 as (added, removed) with None for the
side that is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from reviewbot.verification.lexicon import Lexicon, load_lexicon
from reviewbot.verification.reading import Sentence


class Counted(StrEnum):
    PLACES = "places"
    LINES = "lines"
    FILES = "files"
    TESTS = "tests"


@dataclass(frozen=True)
class Quantity:
    counted: Counted
    number: int
    text: str
    start: int


@dataclass(frozen=True)
class Size:
    added: int | None
    removed: int | None
    text: str
    start: int


_SIGNED = re.compile(r"(?<![\w.])\+\s?(\d+)\s*[/,\uff0c\u3001;\uff1b]?\s*[-\u2212\u2013]\s?(\d+)(?![\w.])")
_ADDED_ONLY = re.compile(r"(?<![\w.+/])\+\s?(\d+)(?![\w./]|\s*[/,\uff0c\u3001]?\s*[-\u2212\u2013]\s?\d)")
_REMOVED_ONLY = re.compile(r"[\uff08(]\s?[-\u2212\u2013]\s?(\d+)\s?[\uff09)]")
_PERCENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?[%\uff05]")


def find_quantities(sentence: Sentence) -> Iterator[Quantity]:
    lexicon = load_lexicon()
    prose = _without_line_numbers(sentence.masked, lexicon)
    digits = "".join(re.escape(one) for one in lexicon.raw.numerals)
    yield from _times(prose, digits, lexicon)
    for counted in Counted:
        pattern = re.compile(rf"(\d+|[{digits}]+) ?(?:{lexicon[f'counted_{counted.value}'].pattern})")
        for match in pattern.finditer(prose):
            number = chinese_number(match.group(1), lexicon.raw.numerals)
            before = prose[: match.start()].rstrip()
            if (
                number is None
                or _is_part_of_number(prose, match.start())
                or _counts_nothing(match.group(1), before, lexicon)
            ):
                continue
            yield Quantity(counted, number, match.group(), match.start())


def _times(prose: str, digits: str, lexicon: Lexicon) -> Iterator[Quantity]:
    """被引用 7 次: a number of places, told by what happens there."""
    for match in re.finditer(rf"(?:{lexicon['counted_uses'].pattern})(\d+|[{digits}]+) ?\u6b21", prose):
        number = chinese_number(match.group(1), lexicon.raw.numerals)
        if number is not None:
            yield Quantity(Counted.PLACES, number, match.group(), match.start())


def _without_line_numbers(prose: str, lexicon: Lexicon) -> str:
    return lexicon["line_number"].sub(lambda match: " " * len(match.group()), prose)


def _is_part_of_number(prose: str, start: int) -> bool:
    return start > 0 and (prose[start - 1].isascii() and (prose[start - 1].isalnum() or prose[start - 1] in "._+-"))


def _counts_nothing(written: str, before: str, lexicon: Lexicon) -> bool:
    """An ordinal, or one of several (这一处); 这 1 处 counts."""
    one = lexicon.raw.numerals.get(written) == 1
    return before.endswith(lexicon.raw.not_counted_before) or (one and before.endswith(lexicon.raw.one_before))


def chinese_number(written: str, numerals: dict[str, int]) -> int | None:
    """``12``, ``十二``, ``二十三``, ``两``; None for what is no number below 100."""
    if written.isdecimal():
        return int(written)
    values = [numerals[char] for char in written]
    if len(values) == 1:
        return values[0]
    if 10 not in values or len(values) > 3:
        return None
    place = values.index(10)
    tens = values[place - 1] if place == 1 else 1
    ones = values[-1] if place < len(values) - 1 else 0
    return None if place > 1 or ones >= 10 else tens * 10 + ones


def find_sizes(sentence: Sentence) -> Iterator[Size]:
    lexicon = load_lexicon()
    prose = _without_line_numbers(sentence.masked, lexicon)
    for match in _SIGNED.finditer(prose):
        yield Size(int(match.group(1)), int(match.group(2)), match.group(), match.start())
    for match in _ADDED_ONLY.finditer(prose):
        yield Size(int(match.group(1)), None, match.group(), match.start())
    for match in _REMOVED_ONLY.finditer(prose):
        yield Size(None, int(match.group(1)), match.group(), match.start())
    lines = lexicon["counted_lines"].pattern
    for match in re.finditer(rf"(?:{lexicon['line_added'].pattern}) ?(\d+) ?(?:{lines})", prose):
        yield Size(int(match.group(1)), None, match.group(), match.start())
    for match in re.finditer(rf"(?:{lexicon['line_removed'].pattern}) ?(\d+) ?(?:{lines})", prose):
        yield Size(None, int(match.group(1)), match.group(), match.start())


def find_percentages(sentence: Sentence) -> Iterator[str]:
    for match in _PERCENT.finditer(sentence.masked):
        yield match.group()
