"""Reads one sentence: the ledger ids, paths, line numbers and symbols in it, and the prose that is left.

Contract: ``read_sentence`` returns spans into the sentence as drafted. ``masked`` has the length of ``text``; ids,
paths, symbols and quoted code are blanked in it, so that word patterns meet prose only. The trap is what counts as a
symbol: by shape only (an underscore, a dot, CamelCase, backticks, a call), since PyTorch prose is full of plain English
words (lowering, kernel, autotune) that resolve nowhere and claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from reviewbot.citations import ID, ID_GROUP
from reviewbot.verification.lexicon import load_lexicon
from reviewbot.verification.sentences import Clause, split_clauses

#: What replaces a masked character: no letter, digit, space or punctuation of any pattern.
BLANK = "\ufffc"

_EXTENSIONS = (
    "py|pyi|cpp|cc|cxx|c|h|hpp|hxx|cu|cuh|mm|m|txt|md|rst|yaml|yml|json|jsonl|toml|cfg|ini|sh|bzl|in|cmake|jinja|patch|"
    "diff|so|inc|def|td|html|proto|ipynb"
)
_BARE_ID = re.compile(r"(?<![A-Za-z0-9_])[EZ]\d{1,3}(?![A-Za-z0-9_])")
_LINES = r"(?P<lines>:\d+(?:[-\u2013~]\d+)?(?:\s?[,\u3001]\s?:?\d+(?:[-\u2013~]\d+)?)*)?"
_TEST = r"(?P<test>(?:::[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)+)?"
_PATH = re.compile(
    r"(?<![\w./@\\-])(?P<path>(?:[A-Za-z0-9_.+-]+/)+(?:[A-Za-z0-9_+-][A-Za-z0-9_.+-]*[A-Za-z0-9_+]|[A-Za-z0-9_]|(?=[^\w.])|$)"
    rf"|[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*\.(?:{_EXTENSIONS})(?![A-Za-z0-9_/(]))" + _TEST + _LINES,
    re.ASCII,
)
_HAS_EXTENSION = re.compile(rf"\.(?:{_EXTENSIONS})$")
_LINE_RANGE = re.compile(r"(\d+)(?:[-\u2013~](\d+))?")
_BARE_LINE = re.compile(r"(?<![\w:])(?:L|lines? |:)(\d+)(?:[-\u2013~]L?(\d+))?(?![\w:])", re.ASCII)
_QUOTED = re.compile(r"`([^`\n]+)`")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_TITLE = re.compile(r"\u300a([^\u300a\u300b\n]+)\u300b")
_NAME = re.compile(r"\.?[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*(?P<call>\()?", re.ASCII)
_OF_OBJECT = re.compile(r"^(?:self|cls)\.")
_CAMEL = re.compile(r"[a-z][A-Z]|\d[A-Z][a-z]|[A-Z][a-z]+[A-Z]|[A-Z]{2,}[a-z]")
_PLURAL_ACRONYM = re.compile(r"[A-Z]+s")

#: First folders that make a path out of words joined by slashes (``size/stride`` is none).
TREE_ROOTS = frozenset(
    {"torch", "torch_npu", "torchgen", "test", "aten", "c10", "caffe2", "functorch", "tools", "third_party", "docs"}
    | {"benchmarks", "codegen", ".github", ".ci"}
)


@dataclass(frozen=True)
class PathMention:
    """A path or file name; ``lines`` are the line numbers typed behind it, ``test`` what follows ``::``."""

    path: str
    lines: tuple[int, ...]
    test: str | None
    start: int
    end: int


@dataclass(frozen=True)
class NameMention:
    """A dotted or plain symbol, ``::`` written as a dot; ``quoted`` when it stood in backticks."""

    name: str
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True)
class IdMention:
    id: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """One sentence, read. Offsets of all mentions are into ``text``."""

    text: str
    masked: str
    ids: tuple[IdMention, ...]
    bare_ids: tuple[str, ...]
    paths: tuple[PathMention, ...]
    names: tuple[NameMention, ...]
    bare_lines: tuple[int, ...]

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return split_clauses(self.text)

    @property
    def cited(self) -> tuple[str, ...]:
        """Distinct ids in order of first use."""
        return tuple(dict.fromkeys(mention.id for mention in self.ids))

    def ids_in(self, start: int, end: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(mention.id for mention in self.ids if start <= mention.start < end))

    def names_in(self, start: int, end: int) -> tuple[NameMention, ...]:
        return tuple(name for name in self.names if start <= name.start < end)

    def mentions(self, word: str) -> bool:
        """``word`` stands in the text with ASCII word boundaries."""
        return has_word(self.text, word)


def has_word(text: str, word: str) -> bool:
    """Whole word, also next to Chinese characters; a dotted ``word`` must stand as written."""
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", text) is not None


def _quotable(title: str) -> str:
    """A title as it can stand in title marks: its own turned into quotation marks."""
    return title.replace("\u300a", "\u201c").replace("\u300b", "\u201d")


class _Mask:
    """The text with what was already read blanked out."""

    def __init__(self, text: str) -> None:
        self.text = text

    def blank(self, start: int, end: int) -> None:
        self.text = self.text[:start] + BLANK * (end - start) + self.text[end:]


def read_sentence(text: str, vocabulary: Set[str] = frozenset(), verbatim: str = "") -> Sentence:
    """Read ids, then quoted code, then paths, then names; each blanks what it took.

    ``vocabulary`` holds plain words that are symbols here (``expand``, when the change is about it); ``verbatim`` is
    upstream's title: a piece of it in title marks is quoted, claims nothing and is blanked first.
    """
    mask = _Mask(text)
    for title in list(_TITLE.finditer(text)):
        if title.group(1).rstrip("\u2026.") in _quotable(verbatim):
            mask.blank(title.start(), title.end())
    ids = tuple(_read_ids(mask))
    paths: list[PathMention] = []
    names: list[NameMention] = []
    for quoted in list(_QUOTED.finditer(mask.text)):
        if _HAN.search(quoted.group()):
            continue  # prose in the clothes of code: it is read, and proved, like any other
        paths += _read_paths(mask, quoted.start(1), quoted.end(1))
        names += _read_names(mask, quoted.start(1), quoted.end(1), vocabulary, quoted=True)
        mask.blank(quoted.start(), quoted.end())
    paths += _read_paths(mask, 0, len(text))
    names += _read_names(mask, 0, len(text), vocabulary, quoted=False)
    bare_lines = tuple(line for match in _BARE_LINE.finditer(mask.text) for line in _span_lines(*match.groups()))
    return Sentence(
        text=text,
        masked=mask.text,
        ids=ids,
        bare_ids=tuple(match.group() for match in _BARE_ID.finditer(mask.text)),
        paths=tuple(sorted(paths, key=lambda mention: mention.start)),
        names=tuple(sorted(names, key=lambda mention: mention.start)),
        bare_lines=bare_lines,
    )


def _read_ids(mask: _Mask) -> Iterator[IdMention]:
    for group in list(ID_GROUP.finditer(mask.text)):
        for one in ID.finditer(group.group(1)):
            start = group.start(1) + one.start()
            yield IdMention(one.group(), start, start + len(one.group()))
        mask.blank(group.start(), group.end())


def _read_paths(mask: _Mask, start: int, end: int) -> Iterator[PathMention]:
    for match in list(_PATH.finditer(mask.text, start, end)):
        path = match.group("path")
        if not _is_path(path, quoted=False) and not (match.group("test") or match.group("lines")):
            continue
        lines = tuple(
            line
            for piece in _LINE_RANGE.finditer(match.group("lines") or "")
            for line in _span_lines(piece.group(1), piece.group(2))
        )
        test = match.group("test")
        yield PathMention(path, lines, test[2:].replace("::", ".") if test else None, match.start(), match.end())
        mask.blank(match.start(), match.end())


def _is_path(path: str, *, quoted: bool) -> bool:
    return bool(_HAS_EXTENSION.search(path)) or ("/" in path and path.split("/", 1)[0] in TREE_ROOTS) or quoted


def _span_lines(first: str, last: str | None) -> tuple[int, ...]:
    """Both ends of a range, and what lies between when it is not absurdly long."""
    begin, stop = int(first), int(last or first)
    if not begin <= stop <= begin + 10_000:
        return (begin, stop)
    return tuple(range(begin, stop + 1))


def _read_names(mask: _Mask, start: int, end: int, vocabulary: Set[str], *, quoted: bool) -> Iterator[NameMention]:
    shell = set(load_lexicon().raw.shell_words)
    for match in list(_NAME.finditer(mask.text, start, end)):
        call = match.group("call") is not None
        written = match.group()[:-1] if call else match.group()
        name = _OF_OBJECT.sub("", written.lstrip(".").replace("::", "."))
        if quoted:
            if name not in shell:
                yield NameMention(name, True, match.start(), match.start() + len(written))
            continue
        if call or looks_like_symbol(written) or written in vocabulary:
            yield NameMention(name, False, match.start(), match.start() + len(written))
            mask.blank(match.start(), match.start() + len(written))


def looks_like_symbol(word: str) -> bool:
    """By shape: an underscore, a dot between longer parts, or CamelCase; ``NPUs`` and ``e.g`` are prose."""
    if "_" in word.strip("."):
        return True
    parts = [part for part in re.split(r"\.|::", word) if part]
    if len(parts) > 1 or word.startswith("."):
        return any(len(part) > 1 for part in parts)
    return bool(_CAMEL.search(word)) and not _PLURAL_ACRONYM.fullmatch(word)
