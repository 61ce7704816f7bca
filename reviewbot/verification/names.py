"""Which paths and words exist: in the change, its delta and the ledger, and in the two pinned trees.

Contract: a ``NameLookup`` only says that a name exists, never that a claim about it is right. ``word_exists`` means a
whole word with ASCII boundaries, so 创建ProcessGroup选项 holds ``ProcessGroup``. The trap is the pull request's own
words: title and body come from outside and prove nothing, so only the title counts (it is printed beside the record
anyway), and only for words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Protocol

from retrieval.models import CouplingDetail, Delta, EvidenceItem, Ledger, UpstreamChange
from reviewbot.couplings import further_couplings

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", re.ASCII)


class NameLookup(Protocol):
    """What the verifier asks about names that no cited place explains."""

    def path_exists(self, path: str) -> bool:
        """``path`` is a file or folder of the change or of one of the two pinned trees."""

    def word_exists(self, word: str) -> bool:
        """``word`` (an identifier, or dotted as written) occurs as a whole word in the change or in a tree."""


def words_of(*texts: str | None) -> frozenset[str]:
    """Every identifier in the texts."""
    return frozenset(word for text in texts if text for word in _WORD.findall(text))


def dotted_of(*texts: str | None) -> frozenset[str]:
    """Every dotted name in the texts."""
    return frozenset(name for text in texts if text for name in _DOTTED.findall(text))


def part_of(name: str, whole: str) -> bool:
    """``name`` is a run of whole dotted segments of ``whole``, as ``ir.Buffer`` is of ``torch._inductor.ir.Buffer``."""
    return f".{name}." in f".{whole}."


class ChangeNames:
    """Names of the change, its delta and the ledger. Implements ``NameLookup`` without any tree."""

    def __init__(self, change: UpstreamChange, delta: Delta, ledger: Ledger) -> None:
        self._change = change
        self._delta = delta
        self._ledger = ledger
        self._diff_words: dict[str, bool] = {}

    # --- paths

    @cached_property
    def change_paths(self) -> frozenset[str]:
        """Paths of the change on both sides, those no diff shows included."""
        paths = {file.path for file in self._change.files} | {file.base_path for file in self._change.files}
        paths |= set(self._change.other_paths) | {file.path for file in self._delta.files}
        paths |= {test.path for test in self._delta.tests} | {test.partition("::")[0] for test in self._tests_with_path}
        return frozenset(paths)

    @cached_property
    def ledger_paths(self) -> frozenset[str]:
        return frozenset(item.path for item in self._ledger.items)

    def path_exists(self, path: str) -> bool:
        return any(fits(path, known) for known in self.change_paths | self.ledger_paths)

    # --- tests

    @property
    def _tests_with_path(self) -> tuple[str, ...]:
        return tuple(test for test in self._change.test_names if "/" in test)

    @cached_property
    def tests(self) -> frozenset[str]:
        """Test cases of the change, dotted and without their path."""
        named = {test.rpartition("/")[2].partition("::")[2] or test for test in self._change.test_names}
        return frozenset({test.scope for test in self._delta.tests} | {test.replace("::", ".") for test in named})

    # --- words

    @cached_property
    def definitions(self) -> frozenset[str]:
        """Dotted names of everything the delta lists: definitions old and new, operators, flags."""
        names = {name for one in self._delta.definitions for name in (one.symbol, one.old_symbol)}
        names |= {one.operator for one in self._delta.operators} | {one.flag for one in self._delta.configs}
        return frozenset(names | set(self._delta.modules))

    @cached_property
    def _delta_words(self) -> frozenset[str]:
        texts: list[str | None] = [*self.definitions, *self.change_paths, *self.tests, self._change.title]
        for one in self._delta.definitions:
            texts += [one.signature, one.old_signature, *one.operators, *one.bases, *one.touched]
            texts += [text for change in one.signature_changes for text in (change.name, change.old, change.new)]
            texts += [parameter.name for parameter in one.parameters]
        texts += [text for flag in self._delta.configs for text in (flag.old, flag.new)]
        return words_of(*texts)

    def in_change(self, name: str) -> bool:
        """A plain word, or a dotted name as far as the change shows it, belongs to the change."""
        if any(part_of(name, known) for known in self.definitions | self.tests):
            return True
        if "." not in name and name in self._delta_words:
            return True
        if name not in self._diff_words:
            self._diff_words[name] = self._in_diff(name)
        return self._diff_words[name]

    def _in_diff(self, name: str) -> bool:
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.ASCII)
        return any(name in line and pattern.search(line) for line in self._diff_lines())

    def _diff_lines(self) -> Iterator[str]:
        for file in self._change.files:
            for hunk in file.hunks:
                yield hunk.section
                yield from hunk.lines

    def word_exists(self, word: str) -> bool:
        return self.in_change(word) or any(
            word in item_words(item) or any(part_of(word, known) for known in item_dotted(item))
            for item in self._ledger.items
        )


def item_words(item: EvidenceItem) -> frozenset[str]:
    """Every word that an evidence item itself contains, those of its further couplings included."""
    named = words_of(item.path.removesuffix(".py"), item.scope, *item.symbols, item.snippet)
    for one in (item, *further_couplings(item)):
        named |= words_of(one.token, one.symbol, *one.detail.lacks, *_detail_names(one.detail))
        named |= words_of(one.detail.downstream_signature)
    return named


def item_dotted(item: EvidenceItem) -> frozenset[str]:
    """Dotted names of an evidence item and its couplings; module and scope of the place joined, too."""
    return item_names(item) | dotted_of(item.snippet)


def item_names(item: EvidenceItem) -> frozenset[str]:
    """What an evidence item is called and coupled to: names that are its own, not just words of its snippet."""
    module = item.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    named = {item.scope, *item.symbols, f"{module}.{item.scope}", module}
    for one in (item, *further_couplings(item)):
        named |= {one.symbol, one.token, *_detail_names(one.detail)} | dotted_of(one.detail.replacement)
    return frozenset(named)


def _detail_names(detail: CouplingDetail) -> tuple[str, ...]:
    """What a coupling names beside its symbol."""
    named = (detail.replacement, detail.registrar, detail.base, detail.original)
    return (*detail.operators, *(name for name in named if name))


def fits(mentioned: str, known: str) -> bool:
    """``mentioned`` names ``known``: the same path, its last whole parts, or a folder above it."""
    bare = mentioned.rstrip("/")
    if known == bare or known.endswith(f"/{bare}"):
        return True
    return mentioned.count("/") > 0 and known.startswith(f"{bare}/")


class TreeNames:
    """``ChangeNames`` widened by pinned trees, each asked only when nothing nearer knows the name.

    ``exists`` are tree look-ups by exact path; ``counts`` return (lines, files) of a whole word, or a plain number.
    """

    def __init__(
        self,
        known: NameLookup,
        exists: Iterable[Callable[[str], bool]] = (),
        counts: Iterable[Callable[[str], int | tuple[int, int]]] = (),
    ) -> None:
        self._known = known
        self._exists: Sequence[Callable[[str], bool]] = tuple(exists)
        self._counts: Sequence[Callable[[str], int | tuple[int, int]]] = tuple(counts)
        self._seen: dict[str, bool] = {}

    def path_exists(self, path: str) -> bool:
        return self._known.path_exists(path) or any(exists(path) for exists in self._exists)

    def word_exists(self, word: str) -> bool:
        if word not in self._seen:
            self._seen[word] = self._known.word_exists(word) or any(_lines(count(word)) > 0 for count in self._counts)
        return self._seen[word]


def _lines(count: int | tuple[int, int]) -> int:
    return count if isinstance(count, int) else count[0]
