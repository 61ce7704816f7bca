"""A sentence of the paragraph and how long it is kept, and the cut to the length a record may have."""

from __future__ import annotations

import re
from typing import NamedTuple

from retrieval.models import Ledger
from reviewbot.citations import render_citations

#: Characters of a rendered paragraph; the record allows 900, the rest is air for a person who edits it.
LONGEST = 880
#: From this weight on a sentence is what a record cannot do without.
ESSENTIAL = 90

_INNER_BLANK = re.compile(r"(?<=[\u3400-\u9fff\uff0c\u3002\uff1a\uff09]) +(?=[\u3400-\u9fff])")


class Piece(NamedTuple):
    """``text`` without its end mark; of two pieces the one of less ``weight`` is cut first, the later one of equals."""

    text: str
    weight: int


def fitted(pieces: list[Piece], ledger: Ledger, end: str, longest: int = LONGEST) -> list[Piece]:
    """The pieces without the least important ones, so that the rendered text is short enough.

    Essential ones stay as long as any other is there; of them the lightest go last, never the heaviest.
    """
    kept = list(pieces)
    while len(kept) > 1 and rendered_length(kept, ledger, end) > longest:
        del kept[-min((piece.weight, -at) for at, piece in enumerate(kept))[1]]
    return kept


def rendered_length(pieces: list[Piece], ledger: Ledger, end: str) -> int:
    """Characters of the text once every ledger id is a path with its lines."""
    return len(render_citations(as_text(pieces, end), ledger))


def as_text(pieces: list[Piece], end: str) -> str:
    return "".join(f"{tidy(piece.text)}{end}" for piece in pieces)


def tidy(text: str) -> str:
    """Blanks between Chinese characters, left where a phrase was filled with a Chinese word, are dropped."""
    return _INNER_BLANK.sub("", text)
