"""Cuts Chinese technical prose into sentences and clauses without losing a character.

Contract: ``"".join(split_sentences(text)) == text`` and the same for the texts of ``split_clauses``. An end mark inside
brackets, quotes or backticks does not end a sentence; a newline always does. The trap is an unclosed bracket: it must
protect nothing, or one stray （ would turn a whole paragraph into a single sentence, whose claims could then borrow
each other's ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewbot.verification.lexicon import load_lexicon

#: A Latin end mark counts only before white space or the end of the line, and not after one letter (e.g., i.e.).
_LATIN_END = re.compile(r"(?<![\s.;!?]\b\w)(?<!\.\w)(?<=[\w)\]`\u4e00-\u9fff])[.;!?](?=\s|$)", re.MULTILINE)
_LATIN_COMMA = re.compile(r",(?=[\s\u4e00-\u9fff])")


@dataclass(frozen=True)
class Clause:
    """A piece of a sentence; ``start`` is its offset in the sentence."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def split_sentences(text: str) -> tuple[str, ...]:
    """Sentences with their end marks and the white space behind them; blank lines stay with the sentence above."""
    ends = sorted(_sentence_ends(text))
    sentences: list[str] = []
    start = 0
    for end in ends:
        after = re.compile(r"\s*").match(text, end)
        stop = after.end() if after else end
        if stop > start and (text[start:end].strip() or sentences):
            _append(sentences, text[start:stop])
            start = stop
    if start < len(text):
        _append(sentences, text[start:])
    return tuple(sentences)


def _append(sentences: list[str], piece: str) -> None:
    """A piece without any letter or digit (a stray end mark, blank lines) belongs to the sentence before it."""
    if sentences and not re.search(r"\w", piece):
        sentences[-1] += piece
    else:
        sentences.append(piece)


def _sentence_ends(text: str) -> set[int]:
    marks = set(load_lexicon().raw.sentence_end)
    protected = protected_positions(text)
    ends = {index + 1 for index, char in enumerate(text) if char in marks and index not in protected}
    ends |= {index + 1 for index, char in enumerate(text) if char == "\n"}
    ends |= {match.end() for match in _LATIN_END.finditer(text) if match.start() not in protected}
    return ends


def protected_positions(text: str) -> set[int]:
    """Offsets inside closed brackets, quotes or backticks of one line, the marks themselves included."""
    pairs = {pair[0]: pair[1] for pair in load_lexicon().raw.brackets}
    closers = {closer: opener for opener, closer in pairs.items()}
    protected: set[int] = set()
    line_start = 0
    for line in text.split("\n"):
        _protect_line(line, line_start, pairs, closers, protected)
        line_start += len(line) + 1
    return protected


def _protect_line(line: str, offset: int, pairs: dict[str, str], closers: dict[str, str], protected: set[int]) -> None:
    stack: list[tuple[str, int]] = []
    open_mark: dict[str, int] = {}
    for index, char in enumerate(line):
        if char in '`"':
            if char in open_mark:
                protected.update(range(offset + open_mark.pop(char), offset + index + 1))
            else:
                open_mark[char] = index
        elif "`" in open_mark:
            continue
        elif char in pairs:
            stack.append((char, index))
        elif char in closers:
            depth = next((n for n in range(len(stack) - 1, -1, -1) if stack[n][0] == closers[char]), None)
            if depth is not None:
                protected.update(range(offset + stack[depth][1], offset + index + 1))
                del stack[depth:]


def split_clauses(sentence: str) -> tuple[Clause, ...]:
    """Clauses of one sentence: cut after commas, colons and arrows outside brackets, and after end marks anywhere."""
    raw = load_lexicon().raw
    commas, marks = set(raw.clause_end), set(raw.sentence_end)
    protected = protected_positions(sentence)
    cuts = {
        index + 1 for index, char in enumerate(sentence) if char in marks or (char in commas and index not in protected)
    }
    cuts |= {match.end() for match in _LATIN_COMMA.finditer(sentence) if match.start() not in protected}
    clauses: list[Clause] = []
    start = 0
    for cut in sorted(cuts | {len(sentence)}):
        if cut > start:
            clauses.append(Clause(sentence[start:cut], start))
            start = cut
    return tuple(clauses)
