"""The closed grammar of commands: ``/upstream-review [verb] [subject] [field=value …]``.

Contract: ``parse`` never raises and takes any text of a comment. A command starts a line, outside quotes, code fences,
indented code and HTML comments. Several commands in one comment: none is carried out, since which state the later ones
would meet is anybody's guess. The full-width slash of scrubbed text counts as a slash: people copy it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from reviewbot.conversation import words
from reviewbot.records.rows import LABELS, OPTIONAL_LABELS, RowError, label_value

NAME = "upstream-review"
MOST_NOTE = 1_000
_COMMAND = re.compile(rf" {{0,3}}[/\uff0f]{NAME}(?=\s|$)(?P<rest>.*)")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_WORD = re.compile(r'(?:[^\s"\u201c\u201d]|["\u201c\u201d][^"\u201c\u201d]*["\u201c\u201d])+')
_QUOTES = '"\u201c\u201d'
_NOTE = "note"
_SHOWN = 40


class Verb(StrEnum):
    REVIEW = "review"  # the bare command
    AGAIN = "again"
    EXPLAIN = "explain"
    ACCEPT = "accept"
    CORRECT = "correct"
    PAUSE = "pause"
    RESUME = "resume"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Command:
    """``labels`` are the fields to correct, as ``Labels`` takes them; None clears an optional one."""

    verb: Verb
    subject: str = ""
    labels: dict[str, str | None] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class NotACommand:
    pass


@dataclass(frozen=True, slots=True)
class WrongCommand:
    """``why`` is Chinese, without a full stop, and may quote what was written: scrub it."""

    why: str


Parsed = Command | NotACommand | WrongCommand


class _WrongError(Exception):
    pass


def parse(body: str) -> Parsed:
    found = list(_commands(body))
    if not found:
        return NotACommand()
    if len(set(found)) > 1:
        return WrongCommand(words.several(len(found)).rstrip("\u3002"))
    try:
        return _command(found[0])
    except _WrongError as error:
        return WrongCommand(str(error))


def _commands(body: str) -> Iterator[str]:
    """What follows the name, for each command of a comment. A fence ends with as many of the same marks, or never."""
    fence = ""
    text = _HTML_COMMENT.sub("", body.replace("\r\n", "\n").replace("\r", "\n"))
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = ""
        elif mark and not (mark["mark"][0] == "`" and "`" in mark["info"]):
            fence = mark["mark"]
        elif command := _COMMAND.fullmatch(line):
            yield " ".join(command["rest"].split())


def _command(rest: str) -> Command:
    if sum(rest.count(quote) for quote in _QUOTES) % 2:
        raise _WrongError(words.OPEN_QUOTE)
    parts = _WORD.findall(rest)
    if not parts:
        return Command(Verb.REVIEW)
    try:
        verb = Verb(parts[0].casefold())
    except ValueError:
        raise _WrongError(words.unknown_verb(_clipped(parts[0]))) from None
    subject, rest_parts = _subject(parts[1:]) if verb in {Verb.ACCEPT, Verb.CORRECT} else ("", parts[1:])
    if verb is not Verb.CORRECT:
        if rest_parts:
            raise _WrongError(words.takes_nothing(verb, _clipped(" ".join(rest_parts))))
        return Command(verb, subject)
    labels, note = _fields(rest_parts)
    return Command(verb, subject, labels, note)


def _subject(parts: list[str]) -> tuple[str, list[str]]:
    """The first word after the verb, unless it is a field."""
    if parts and "=" not in parts[0]:
        return parts[0], parts[1:]
    return "", parts


def _fields(parts: list[str]) -> tuple[dict[str, str | None], str]:
    labels: dict[str, str | None] = {}
    note: str | None = None
    for part in parts:
        name, equals, value = part.partition("=")
        name, value = name.casefold(), value.strip(_QUOTES)
        if not equals:
            raise _WrongError(words.not_a_field(_clipped(part)))
        if name in labels or (name == _NOTE and note is not None):
            raise _WrongError(words.twice(name))
        if name == _NOTE:
            note = value[:MOST_NOTE]
        elif name not in LABELS:
            raise _WrongError(words.unknown_field(_clipped(name), list(LABELS)))
        elif not value:
            raise _WrongError(words.no_value(name))
        else:
            labels[name] = _value(name, value)
    if not labels:
        raise _WrongError(words.NOTHING_TO_CORRECT)
    return labels, note or ""


def _value(name: str, value: str) -> str | None:
    try:
        return label_value(name, value)
    except RowError as error:
        raise _WrongError(str(error)) from None


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}\u2026"


def optional_fields() -> list[str]:
    return sorted(OPTIONAL_LABELS)
