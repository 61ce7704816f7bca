"""The table of weights as text: its numbers, and the hand-set values that fitted ones replaced.

    member = 0.64  # by hand: 0.8

A fit starts from, and is drawn towards, the hand-set values. Comments and order of the file survive a rewrite.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from evals.errors import WeightsError
from evals.ranking import Number, numbers
from evals.tune import words

_SECTION = re.compile(r"\s*\[(?P<name>[\w.-]+)\]\s*(?:#.*)?")
_ENTRY = re.compile(
    r"(?P<key>\s*(?P<name>[\w.-]+)\s*=\s*)(?P<number>[+-]?[\d_]+(?:\.[\d_]+)?)(?P<gap>\s*)(?:#(?P<note>.*))?"
)
_BY_HAND = re.compile(r"by hand: (?P<number>\d+(?:\.\d+)?)(?:; )?")


class _Entry(NamedTuple):
    """A line with a number: its dotted name, what precedes the number, its hand-set value, and its comment with the
    blanks before it.
    """

    name: str
    key: str
    by_hand: str
    gap: str
    note: str


def by_hand(text: str, source: str) -> dict[str, Number]:
    """The hand-set value of every number of the table, by dotted name. Raises WeightsError for another layout."""
    try:
        found = numbers(text)
    except tomllib.TOMLDecodeError as error:
        raise WeightsError(source, words.not_toml(str(error))) from error
    values = {entry.name: _number(entry.by_hand) for _, entry in _entries(text) if entry is not None}
    unread = sorted(set(found).difference(values))
    if unread or not values:
        raise WeightsError(source, words.unread_numbers(unread))
    return values


def is_fitted(text: str, source: str) -> bool:
    """Whether any number of the table came from a fit."""
    return numbers(text) != by_hand(text, source)


def rewritten(text: str, values: Mapping[str, Number]) -> str:
    """The table with ``values`` for its numbers; where one differs from the hand-set value, that stands beside it."""
    return "".join(line if entry is None else _line(entry, values) for line, entry in _entries(text))


def _entries(text: str) -> Iterator[tuple[str, _Entry | None]]:
    section = ""
    for line in text.splitlines(keepends=True):
        if heading := _SECTION.fullmatch(line.rstrip("\n")):
            section = f"{heading['name']}."
        found = _ENTRY.fullmatch(line.rstrip("\n"))
        if found is None:
            yield line, None
            continue
        note = (found["note"] or "").strip()
        kept = _BY_HAND.match(note)
        number = kept["number"] if kept else found["number"]
        yield line, _Entry(section + found["name"], found["key"], number, found["gap"], _BY_HAND.sub("", note, count=1))


def _line(entry: _Entry, values: Mapping[str, Number]) -> str:
    value = values[entry.name]
    moved = value != _number(entry.by_hand)
    note = "; ".join(part for part in (f"by hand: {entry.by_hand}" if moved else "", entry.note) if part)
    return (
        f"{entry.key}{_written(value) if moved else entry.by_hand}"
        + (f"{entry.gap or '  '}# {note}" if note else "")
        + "\n"
    )


def _written(value: Number) -> str:
    return format(Decimal(repr(value)), "f")


def _number(written: str) -> Number:
    return float(written) if "." in written else int(written)
