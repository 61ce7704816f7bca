"""The scopes of one tree, as the fact cache keeps them: the corpus that `retrieval.affinity` searches."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from retrieval import words
from retrieval.affinity import affinities
from retrieval.errors import DamagedCacheError
from retrieval.fact_cache import FactCache
from retrieval.fact_rows import occurrence

PlaceKey = tuple[str, str]
"""Path and qualname."""


class Affinity(NamedTuple):
    """`retrieval.affinity.Affinities` by place; of several scopes of one name in a file the closest counts."""

    shares: Mapping[PlaceKey, float]
    pieces: Mapping[str, float]


class Scopes:
    """``homes`` are the paths of each blob of the tree. Loads what it needs on the first question."""

    def __init__(self, cache: FactCache, homes: Mapping[int, Sequence[str]]) -> None:
        self._cache = cache
        self._homes = homes

    @cached_property
    def _all(self) -> Sequence[tuple[int, int, str, int]]:
        found = self._cache.scopes()
        if not all(type(name) is str and type(size) is int for _, _, name, size in found):  # a row no writer wrote
            raise DamagedCacheError(str(self._cache.path), words.cache_damaged("scope"))
        return found

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        return {number: size for number, blob, _, size in self._all if blob in self._homes}

    @cached_property
    def others(self) -> int:
        return len(self._all) - len(self.sizes)

    @cached_property
    def _end(self) -> int:
        """What any occurrence in a scope that came later reaches: the cache numbers scopes in the order of writing."""
        return occurrence(max((number for number, *_ in self._all), default=0) + 1, 0)

    @cached_property
    def _places(self) -> Mapping[int, Sequence[PlaceKey]]:
        return {
            number: [(path, name) for path in self._homes[blob]]
            for number, blob, name, _ in self._all
            if blob in self._homes
        }

    @cached_property
    def _sizes_by_place(self) -> Mapping[PlaceKey, int]:
        return {scope: self.sizes[number] for number, scopes in self._places.items() for scope in scopes}

    def size_of(self, path: str, qualname: str) -> int:
        """Number of pieces in the code of a scope, those of scopes inside it left out."""
        return self._sizes_by_place.get((path, qualname), 0)

    def occurrences(self, piece: str) -> Sequence[int]:
        """Without what others wrote since the scopes were loaded: it would count as common what is not."""
        found = self._cache.occurrences(piece)
        return found[: bisect_left(found, self._end)]

    def affinity(self, vocabulary: Mapping[str, float]) -> Affinity:
        found = affinities(vocabulary, self)
        shares: dict[PlaceKey, float] = {}
        for number, share in found.shares.items():
            for place in self._places[number]:
                if share > shares.get(place, 0.0):
                    shares[place] = share
        return Affinity(shares, found.pieces)
