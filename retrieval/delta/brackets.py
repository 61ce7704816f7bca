"""Brackets that a stretch of text closes without opening them, or leaves open."""

from __future__ import annotations

import re
from dataclasses import dataclass

CLOSER = {"(": ")", "[": "]", "{": "}"}
OPENER = {closer: opener for opener, closer in CLOSER.items()}

#: Strings and comments are matched to be stepped over; ``bracket`` is what counts.
PYTHON = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*|(?P<bracket>[()\[\]{}])'
)
CPP = re.compile(
    r'R"(\w*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*[\s\S]*?\*/|(?P<bracket>[()\[\]{}])'
)


@dataclass(frozen=True, slots=True)
class Bracket:
    """``line`` counts from 0; ``column`` is where the text of that line starts."""

    character: str
    line: int
    column: int


def unmatched(lines: list[str], lexemes: re.Pattern[str]) -> tuple[list[Bracket], list[Bracket]]:
    """Closing brackets without an opener, and openers without a closer, each in order."""
    text = "\n".join(lines)
    closing: list[Bracket] = []
    opening: list[Bracket] = []
    row = counted = 0
    for match in lexemes.finditer(text):
        character = match["bracket"]
        if character is None:
            continue
        row += text.count("\n", counted, match.start())
        counted = match.start()
        bracket = Bracket(character, row, indent(lines[row]))
        if character in CLOSER:
            opening.append(bracket)
        elif opening and CLOSER[opening[-1].character] == character:
            opening.pop()
        elif not opening:
            closing.append(bracket)
    return closing, opening


def indent(line: str) -> int:
    """Columns of white space at the start of a line, tabs to the next multiple of eight."""
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip(" "))


def first_indent(lines: list[str]) -> int:
    """The indentation of the first line that is not blank."""
    return indent(next((line for line in lines if line.strip()), ""))
