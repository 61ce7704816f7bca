"""Text of a change that looks written for whoever reviews it: orders to a model, or marks of a prompt
(``prompts/orders.yaml``), also in disguise: invisible and full-width characters, lines of a comment, an identifier.

This decides nothing by itself: it only keeps a draft from being milder than the prior (`guards`) and tells a reader
where to look. It will miss attacks in other words; citations and verification hold without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

import yaml

from retrieval.models import EvidenceItem
from reviewbot.drafting.model import words
from reviewbot.drafting.writer import Dossier
from reviewbot.legible import legible

#: Characters that make a text another one for a machine than for a reader: tags, and changes of direction.
_DISGUISE = re.compile("[\U000e0020-\U000e007e\u202a-\u202e\u2066-\u2069]")
#: A line end, with the marks of a comment or quotation that begin the next line.
_LINE_END = re.compile(r"[ \t]*\n[ \t]*(?:(?:#|//|\*|>)[ \t]*)*")
_SNAKE = re.compile(r"\w+_\w+")


def suspected_places(dossier: Dossier) -> tuple[str, ...]:
    """Where such text stands, in Chinese, each kind of place once; empty for a plain change."""
    return tuple(dict.fromkeys(place for place, text in _texts(dossier) if is_suspect(text)))


def is_suspect(text: str) -> bool:
    return bool(_DISGUISE.search(text)) or any(_orders().search(one) for one in _readings(text))


def _readings(text: str) -> Iterator[str]:
    """As it stands, its lines as one, and each identifier as words."""
    plain = legible(text)
    yield plain
    joined = legible(_LINE_END.sub(" ", plain))
    if joined != plain:
        yield joined
    yield "\n".join(name.replace("_", " ") for name in set(_SNAKE.findall(joined)))


@cache
def _orders() -> re.Pattern[str]:
    given = yaml.safe_load(resources.files("prompts").joinpath("orders.yaml").read_text(encoding="utf-8"))
    patterns = (pattern.replace("GAP", given["gap"]) for pattern in given["patterns"])
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _texts(dossier: Dossier) -> Iterator[tuple[str, str]]:
    """Everything from outside that may enter a prompt; lines of a hunk and texts of a place together."""
    change, places = dossier.change, words.PLACES
    yield places["title"], change.title
    yield places["body"], change.body
    for label in change.labels:
        yield places["labels"], label
    for path in (*change.other_paths, *change.test_names):
        yield places["paths"], path
    for file in change.files:
        yield places["paths"], file.path
        yield places["paths"], file.old_path or ""
        for hunk in file.hunks:
            yield places["diff"], hunk.section
            yield places["diff"], "\n".join(line[1:] for line in hunk.lines)
    for item in dossier.ledger.items:
        yield places["ledger"], _told(item)
    for record in dossier.precedents:
        told = (record.title, *record.paths, *(f"{one.path} {one.scope}" for one in record.evidence))
        yield places["past"], "\n".join((*told, record.summary, record.analysis))


def _told(item: EvidenceItem) -> str:
    return "\n".join((item.path, item.scope, *item.symbols, item.snippet, *item.also_at))
