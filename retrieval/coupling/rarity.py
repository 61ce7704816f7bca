"""When a word says something by itself: when few files of the tree hold it. Common ones (`size`, `name`) do not."""

from __future__ import annotations

from retrieval.coupling.lookup import FactLookup

RARE_FILES = 12


def is_rare(word: str, lookup: FactLookup) -> bool:
    return lookup.files_with(word) <= RARE_FILES
