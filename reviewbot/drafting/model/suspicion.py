"""Text of a change that looks written for whoever reviews it: orders to a model, or marks of a prompt
(``prompts/orders.yaml``).

This decides nothing by itself: it only keeps a draft from being milder than the prior (`guards`) and tells a reader
where to look. It will miss attacks in other words; citations and verification hold without it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib import resources

import yaml

from reviewbot.drafting.model import words
from reviewbot.drafting.writer import Dossier


def suspected_places(dossier: Dossier) -> tuple[str, ...]:
    """Where such text stands, in Chinese, each kind of place once; empty for a plain change."""
    return tuple(dict.fromkeys(place for place, text in _texts(dossier) if is_suspect(text)))


def is_suspect(text: str) -> bool:
    """Full-width and invisible characters do not hide an order."""
    plain = unicodedata.normalize("NFKC", text)
    seen = "".join(char for char in plain if char == "\n" or unicodedata.category(char) not in ("Cf", "Cc"))
    return _orders().search(seen) is not None


@cache
def _orders() -> re.Pattern[str]:
    given = yaml.safe_load(resources.files("prompts").joinpath("orders.yaml").read_text(encoding="utf-8"))
    patterns = (pattern.replace("GAP", given["gap"]) for pattern in given["patterns"])
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _texts(dossier: Dossier) -> Iterator[tuple[str, str]]:
    change, places = dossier.change, words.PLACES
    yield places["title"], change.title
    yield places["body"], change.body
    for label in change.labels:
        yield places["labels"], label
    for file in change.files:
        yield places["paths"], file.path
        for hunk in file.hunks:
            # Each line alone and all together: an order may run over several lines of comment.
            yield places["diff"], "\n".join(line[1:] for line in hunk.lines)
    for path in change.other_paths:
        yield places["paths"], path
    for item in dossier.ledger.items:
        yield places["ledger"], f"{item.path}\n{item.scope}\n{item.snippet}"
    for record in dossier.precedents:
        yield places["past"], f"{record.title}\n{record.summary}\n{record.analysis}"
