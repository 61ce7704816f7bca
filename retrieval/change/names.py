"""File names as diffs write them: quoting, prefixes, and which names are refused.

git writes ``diff --git a/NAME b/NAME`` without saying what its prefixes are. They can be ``a/ b/``, mnemonic letters
(``i/ w/``), something configured, or none at all, and an unquoted name may contain spaces, so the line alone is
ambiguous in general. It is read as git itself does: both halves must name the same file. Renames and copies state both
names in full on lines of their own.
"""

from __future__ import annotations

import posixpath
import re

NULL = "/dev/null"

LONGEST = 8200  # two names of PATH_MAX; trying every blank of a longer line would take quadratic time

_ESCAPE = re.compile(r'\\(?:([0-7]{1,3})|([abtnvfr"\\]))')
_LETTERS = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_DRIVE = re.compile(r"[A-Za-z]:")
_EPOCH = re.compile(r"1970-01-01|1969-12-31|Thu Jan +1 .*1970|Wed Dec 31 .*1969")


def unquote(text: str) -> str:
    """The name inside C-style quotes; bytes that are not UTF-8 become U+FFFD."""
    raw, end = bytearray(), 0
    for match in _ESCAPE.finditer(text):
        raw += text[end : match.start()].encode()
        raw.append(int(match[1], 8) & 0xFF if match[1] else _LETTERS[match[2]])
        end = match.end()
    raw += text[end:].encode()
    return raw.decode("utf-8", "replace")


def plain_name(text: str) -> str:
    """The name on a ``rename from`` line, quoted or not."""
    text = text.rstrip("\r")
    quoted = _QUOTED.fullmatch(text)
    return unquote(quoted[1]) if quoted else text


def header_name(text: str) -> tuple[str, bool]:
    """The name after ``--- `` or ``+++ ``, and whether its time stamp says that the file is absent on that side.

    GNU diff dates an absent file to the epoch instead of naming ``/dev/null``.
    """
    text = text.rstrip("\r")
    if quoted := _QUOTED.match(text):
        name, stamp = unquote(quoted[1]), text[quoted.end() :]
    else:
        name, _, stamp = text.partition("\t")
    return name, name == NULL or bool(_EPOCH.match(stamp.strip()))


def git_names(text: str) -> tuple[str, str] | None:
    """Both names of ``diff --git <text>`` with their prefixes, None when the line alone does not tell."""
    text = text.rstrip("\r")
    if quoted := _QUOTED.match(text):
        rest = text[quoted.end() :]
        return (unquote(quoted[1]), plain_name(rest[1:])) if rest.startswith(" ") and len(rest) > 1 else None
    if text.endswith('"') and (start := text.find(' "')) > 0 and (quoted := _QUOTED.fullmatch(text, start + 1)):
        return text[:start], unquote(quoted[1])
    if len(text) > LONGEST:
        return None
    middle = len(text) // 2
    blanks = [index for index, character in enumerate(text) if character == " "]
    for blank in sorted(blanks, key=lambda index: abs(index - middle)):
        old, new = text[:blank], text[blank + 1 :]
        if shared_name(old, new) is not None:
            return old, new
    return None


def shared_name(old: str, new: str) -> str | None:
    """The one name that two prefixed names stand for: equal as they are, or equal behind their first folder."""
    if old == new:
        return old or None
    old_tail, new_tail = old.partition("/")[2], new.partition("/")[2]
    return old_tail if old_tail == new_tail and old_tail else None


def unprefixed(name: str) -> str:
    """One name alone, without the usual ``a/`` or ``b/``."""
    return name[2:] if name.startswith(("a/", "b/")) and len(name) > 2 else name


def inside_tree(name: str) -> str | None:
    """``name`` in normal form, None when it is absolute, leaves the tree or is empty."""
    if not name or "\0" in name or name.startswith("/") or _DRIVE.match(name) or "\n" in name:
        return None
    if ".." in name.split("/") or "..\\" in name:
        return None
    normal = posixpath.normpath(name)
    return None if normal == "." else normal
