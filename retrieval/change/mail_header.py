"""The text above a diff: mails of ``git format-patch`` and the head of ``git show``.

A mail starts with ``From <commit id> <date>``, or, saved by a mail program, straight with its header lines. Subjects
are RFC 2047 encoded and folded; ``[PATCH 2/5]`` in front belongs to the mail, ``[inductor]`` to the title. The message
ends at ``---`` or where the diff begins. ``git show`` indents the message by four blanks.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import email.utils
import re
from dataclasses import dataclass

from retrieval import words
from retrieval.change.diff_lines import DiffLines
from retrieval.change.diff_parser import starts_section

_MBOX = re.compile(r"From ([0-9a-f]{40,64}) [A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]?[0-9] [0-9:]{8} [0-9]{4}\s*")
_COMMIT = re.compile(r"commit ([0-9a-f]{40,64})(?: \(.*\)| [0-9a-f]+)?\s*")
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9-]*):[ \t]*(.*)", re.DOTALL)
_PREFIX = re.compile(r"^(?:\s*(?:Re|Fwd?):|\s*\[[^\]]*\bPATCH\b[^\]]*\])+\s*", re.IGNORECASE)
_ENCODED = re.compile(r"=\?([^?\s]+)\?([BbQq])\?([^?]*)\?=")
_BASE = re.compile(r"base-commit: ([0-9a-f]{40,64})\s*")
_DAY = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")
_INDENT = "    "
_LONGEST_SUBJECT = 4000  # beyond any title; the patterns below take quadratic time on a hostile one


@dataclass(frozen=True, slots=True)
class Message:
    """One commit as its text names it; ``date`` is an ISO 8601 day, the author's."""

    title: str = ""
    body: str = ""
    date: str | None = None
    commit: str | None = None
    base_commit: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One mail, one shown commit, or a bare diff (``message`` is None)."""

    message: Message | None
    diff: DiffLines


def split_parts(text: DiffLines) -> tuple[Part, ...]:
    """The parts of a patch file in order. Raises ``ChangeError`` for encoded mails and for several shown commits."""
    first = next((index for index, line in enumerate(text.lines) if line.strip()), 0)
    if _COMMIT.fullmatch(text.at(first)):
        return (_shown_commit(text, first),)
    starts = [index for index, line in enumerate(text.lines) if line.startswith("From ") and _MBOX.fullmatch(line)]
    if not starts:
        return (_mail(text, first, len(text)) if _is_mail(text, first) else Part(None, text),)
    parts = [Part(None, text.part(0, starts[0]))] if starts[0] > first else []
    ends = [*starts[1:], len(text)]
    return (*parts, *(_mail(text, start, end) for start, end in zip(starts, ends, strict=True)))


def _is_mail(text: DiffLines, index: int) -> bool:
    """Header lines up to an empty line, a subject among them."""
    names = set()
    while line := text.at(index).rstrip("\r"):
        field = _FIELD.fullmatch(line)
        if field is not None:
            names.add(field[1].lower())
        elif not (names and line[0] in " \t"):
            return False
        index += 1
    return "subject" in names and len(names) > 1


def _mail(text: DiffLines, start: int, end: int) -> Part:
    mbox = _MBOX.fullmatch(text.lines[start])
    index = start + (mbox is not None)
    fields: dict[str, str] = {}
    name = ""
    while index < end and (line := text.lines[index].rstrip("\r")):
        field = _FIELD.fullmatch(line)
        if line[0] in " \t" and name:
            fields[name] += f" {line.strip()}"
        elif field is not None:
            name = field[1].lower()
            fields[name] = field[2].strip()
        index += 1
    if fields.get("content-transfer-encoding", "").lower() in ("quoted-printable", "base64"):
        raise text.error(start, words.MAIL_ENCODED)
    part = text.part(index, end)
    stop = _message_end(part)
    base = [match[1] for line in part.lines if line.startswith("base-commit: ") and (match := _BASE.fullmatch(line))]
    message = Message(
        title=_PREFIX.sub("", decode_words(fields.get("subject", "")[:_LONGEST_SUBJECT]), count=1).strip(),
        body="\n".join(line.rstrip("\r") for line in part.lines[:stop]).strip(),
        date=_day(fields.get("date", "")),
        commit=mbox[1] if mbox is not None and mbox[1].strip("0") else None,
        base_commit=base[-1] if base else None,
    )
    return Part(message, part.part(stop, len(part)))


def _message_end(text: DiffLines) -> int:
    for index, line in enumerate(text.lines):
        if line.rstrip("\r") in ("---", "-- ") or starts_section(text, index):
            return index
    return len(text)


def _shown_commit(text: DiffLines, start: int) -> Part:
    commit = _COMMIT.fullmatch(text.lines[start])
    assert commit is not None
    date, index = "", start + 1
    while field := _FIELD.fullmatch(text.at(index)):
        if field[1] in ("Date", "CommitDate", "AuthorDate"):
            date = field[2]
        index += 1
    message: list[str] = []
    while index < len(text) and (text.lines[index].startswith(_INDENT) or not text.lines[index].strip()):
        message.append(text.lines[index].removeprefix(_INDENT).rstrip())
        index += 1
    # The first paragraph is the subject, in one line, as in a mail.
    title, _, body = "\n".join(message).strip().partition("\n\n")
    diff = text.part(index, len(text))
    for other, line in enumerate(diff.lines):
        if line.startswith("commit ") and _COMMIT.fullmatch(line):
            raise diff.error(other, words.PATCH_OF_A_LOG)
    return Part(Message(" ".join(title.split()), body.strip(), _day(date), commit[1]), diff)


def decode_words(text: str) -> str:
    """RFC 2047 words decoded; one that cannot be decoded stays as it is."""
    joined = re.sub(r"(\?=)\s+(?==\?)", r"\1", text)
    return " ".join(_ENCODED.sub(_decoded, joined).split())


def _decoded(match: re.Match[str]) -> str:
    charset, encoding, text = match.groups()
    try:
        if encoding in "Qq":
            raw = binascii.a2b_qp(text, header=True)
        else:
            raw = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        return raw.decode(charset)
    except (LookupError, ValueError):  # unknown charset; binascii.Error and UnicodeError are ValueErrors
        return match[0]


def _day(text: str) -> str | None:
    """The ISO 8601 day of a mail date, of git's own format or of an ISO date; None for anything else."""
    try:
        if iso := _DAY.search(text):
            return datetime.date.fromisoformat(iso[0]).isoformat()
        return email.utils.parsedate_to_datetime(text).date().isoformat()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
