"""Turns ledger ids in Chinese prose into what a reader can open: ``path:line`` and counted misses.

``[E3]`` becomes ``torch_npu/npu/gear.py:948``, several lines ``:12,40``, runs ``:948-949``; ``[E3.2]`` the lines of
the second coupling of that place; ``[Z1]`` becomes ``linalg_polar 0 命中``. The printed form is for machines, too: full
path, no ellipsis, a blank where a path would touch a letter or a Chinese character. The trap is prose that already says
the count (``[Z1] 0 命中``): it is not said twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from retrieval.models import EvidenceItem, Ledger, Miss
from reviewbot import words
from reviewbot.couplings import numbered

ID = re.compile(r"E\d+(?:\.\d+)?|Z\d+")
#: ``[E1]``, ``[E1.2, Z2]``, also in Chinese brackets; group 1 holds the ids.
ID_GROUP = re.compile(
    rf"[\[\u3010]\s*((?:{ID.pattern})(?:\s*[,\uff0c\u3001;\uff1b\s]\s*(?:{ID.pattern}))*)\s*[\]\u3011]"
)
_RUN = re.compile(rf"(?:{ID_GROUP.pattern}[\s,\uff0c\u3001]*)*{ID_GROUP.pattern}")
_TOUCHES = re.compile(r"[\w`]")


def line_ranges(lines: Iterable[int]) -> str:
    """``(12, 40, 41)`` → ``12,40-41``."""
    ranges: list[list[int]] = []
    for line in sorted(set(lines)):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def cite_item(item: EvidenceItem) -> str:
    """``path:lines`` of a downstream place; the bare path when it has no line (a whole file)."""
    return cite_place(item.path, item.lines)


def cite_place(path: str, lines: Sequence[int]) -> str:
    return f"{path}:{line_ranges(lines)}" if lines else path


def cite_miss(miss: Miss) -> str:
    """The searched word and its counted zero."""
    return f"{miss.pattern} {words.ZERO_HITS}"


def cited_ids(text: str) -> tuple[str, ...]:
    """Distinct ids in brackets, in order of first use."""
    return tuple(dict.fromkeys(one for group in ID_GROUP.finditer(text) for one in ID.findall(group.group(1))))


def render_citations(text: str, ledger: Ledger) -> str:
    """``text`` with every bracketed id resolved; ids that the ledger lacks raise ``KeyError``, never print."""
    places = {item.id: (item.path, item.lines) for item in ledger.items}
    places |= {one: (item.path, coupling.lines) for item in ledger.items for one, coupling in numbered(item)}
    misses = {miss.id: miss for miss in ledger.misses}
    out: list[str] = []
    at = 0
    for run in _RUN.finditer(text):
        out.append(text[at : run.start()])
        ids = dict.fromkeys(ID.findall(run.group()))
        forms = (cite_place(*places[one]) if one in places else cite_miss(misses[one]) for one in ids)
        printed = words.LIST_COMMA.join(dict.fromkeys(forms))
        after = text[run.end() :]
        said = words.ZERO_HITS_SAID.match(after) if printed.endswith(words.ZERO_HITS) else None
        at = run.end() + (said.end() if said else 0)
        out.append(_spaced(printed, "".join(out)[-1:], text[at : at + 1]))
    out.append(text[at:])
    return "".join(out)


def _spaced(printed: str, before: str, after: str) -> str:
    """A blank on each side that a letter, digit or Chinese character would touch."""
    left = " " if before and _TOUCHES.match(before) else ""
    right = " " if after and _TOUCHES.match(after) else ""
    return f"{left}{printed}{right}"
