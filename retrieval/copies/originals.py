"""Everything upstream that can have been copied, and which of it one downstream definition may be a copy of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from retrieval.copies.candidates import COMMON_GRAM, MOST_CANDIDATES, rarest_first
from retrieval.copies.definitions import Copyable
from retrieval.copies.names import gave_its_name, kin_key
from retrieval.models import Language
from retrieval.symbols import language_of


class Original(NamedTuple):
    path: str
    definition: Copyable


class Originals:
    def __init__(self, files: Mapping[str, Sequence[Copyable]]) -> None:
        self._all: list[Original] = []
        self._languages: list[Language] = []
        self._by_gram: dict[int, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}
        self._by_kin: dict[tuple[str, str], list[int]] = {}
        self.classes: dict[tuple[str, str], Copyable] = {}
        self.files = files
        for path, definitions in files.items():
            language = language_of(path)
            for definition in definitions:
                if definition.is_class:
                    self.classes[path, definition.scope] = definition
                    continue
                number = len(self._all)
                self._all.append(Original(path, definition))
                self._languages.append(language)
                self._by_name.setdefault(definition.name, []).append(number)
                self._by_kin.setdefault(kin_key(definition.scope), []).append(number)
                for gram in definition.grams:
                    self._by_gram.setdefault(gram, []).append(number)

    def candidates(self, scope: str, grams: Sequence[int], language: Language) -> Sequence[Original]:
        """Definitions that share rare grams of ``grams`` (as many as a search asks with) or go by an akin name."""
        shared = rarest_first((self._by_gram.get(gram, ()) for gram in grams), place=int)
        named = self._by_name.get(scope.rpartition(".")[2], ())
        kin = [*self._by_kin.get(kin_key(scope), ())]
        if len(named) <= COMMON_GRAM:
            kin += [*sorted(named, key=lambda one: not gave_its_name(self._all[one].definition.scope, scope))]
        numbers = dict.fromkeys((*shared, *kin[:MOST_CANDIDATES]))
        return [self._all[one] for one in numbers if self._languages[one] is language]
