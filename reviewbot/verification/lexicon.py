"""The Chinese words that the checks look for: data in ``prompts/lexicon.yaml``, compiled once.

Contract: every field is a pattern to be matched against *masked* text, in which paths, symbols and ledger ids are
blanked (``reading.py``). The trap is ASCII next to Chinese: ``\\b`` of a ``str`` pattern is Unicode-aware, so a word
such as ``patch`` gets ASCII boundaries of its own and still matches in 赋值式patch了.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import yaml

from retrieval.models import EvidenceKind, Frozen
from reviewbot.models import RELATION_WORDS

Pattern = re.Pattern[str]


class LexiconFile(Frozen):
    """``prompts/lexicon.yaml`` as written; a missing or misspelt key is an error."""

    id: str
    version: str
    sentence_end: str
    clause_end: str
    list_comma: str
    brackets: tuple[str, ...]
    downstream: tuple[str, ...]
    upstream: tuple[str, ...]
    verification_leads: tuple[str, ...]
    verification_verbs: tuple[str, ...]
    risk_leads: tuple[str, ...]
    risk_verbs: tuple[str, ...]
    impact_leads: tuple[str, ...]
    impact_verbs: tuple[str, ...]
    conditionals: tuple[str, ...]
    prospective: tuple[str, ...]
    relations: dict[str, tuple[str, ...]]
    hits: tuple[str, ...]
    uses: tuple[str, ...]
    links: tuple[str, ...]
    chain_leads: tuple[str, ...]
    relation_look_alikes: tuple[str, ...]
    negators: tuple[str, ...]
    unrelated: tuple[str, ...]
    all_of_them: tuple[str, ...]
    pointers: tuple[str, ...]
    negator_look_alikes: tuple[str, ...]
    double_negations: tuple[str, ...]
    finding_verbs: tuple[str, ...]
    owner_marks: tuple[str, ...]
    coordinators: tuple[str, ...]
    negation_fillers: tuple[str, ...]
    zero_after: tuple[str, ...]
    zero_before: tuple[str, ...]
    calls_original: tuple[str, ...]
    signature_same: tuple[str, ...]
    signature_differs: tuple[str, ...]
    copy_carries_old_code: tuple[str, ...]
    copy_already_synced: tuple[str, ...]
    copy_diverged: tuple[str, ...]
    copy_words: tuple[str, ...]
    in_contact: tuple[str, ...]
    subclass_of: tuple[str, ...]
    file_changed: tuple[str, ...]
    whole_class: tuple[str, ...]
    about_places: tuple[str, ...]
    behind_scopes: tuple[str, ...]
    task_leads: tuple[str, ...]
    act_added: tuple[str, ...]
    act_removed: tuple[str, ...]
    act_rewritten: tuple[str, ...]
    act_fillers: tuple[str, ...]
    act_objects: tuple[str, ...]
    lacks: tuple[str, ...]
    parameter_words: tuple[str, ...]
    numerals: dict[str, int]
    counted_places: tuple[str, ...]
    not_counted_before: tuple[str, ...]
    one_before: tuple[str, ...]
    counted_uses: tuple[str, ...]
    counted_lines: tuple[str, ...]
    counted_files: tuple[str, ...]
    counted_tests: tuple[str, ...]
    more_than_shown: tuple[str, ...]
    in_all: tuple[str, ...]
    line_number: tuple[str, ...]
    line_added: tuple[str, ...]
    line_removed: tuple[str, ...]
    must_change: tuple[str, ...]
    not_needed: tuple[str, ...]
    must_look_alikes: tuple[str, ...]
    no_change_needed: tuple[str, ...]
    adaptation_words: tuple[str, ...]
    no_change_object: tuple[str, ...]
    npu_affected: tuple[str, ...]
    affected_denials: tuple[str, ...]
    npu_unaffected: tuple[str, ...]
    cann_change: tuple[str, ...]
    cann_look_alikes: tuple[str, ...]
    reverted: tuple[str, ...]
    verdict_said: tuple[str, ...]
    risk_said: tuple[str, ...]
    risk_levels: dict[str, str]
    plain_words: tuple[str, ...]
    common_words: tuple[str, ...]
    shell_words: tuple[str, ...]


@dataclass(frozen=True)
class RelationWord:
    """One word of a coupling claim. ``kinds`` is what may be said by it; None stands for any kind.

    ``positive`` is false for words that only matter when they are denied (使用, 调用): said plainly they are too common
    to prove anything.
    """

    word: str
    kinds: frozenset[EvidenceKind] | None
    pattern: Pattern
    positive: bool = True


@dataclass(frozen=True)
class Lexicon:
    """Compiled words. ``raw`` keeps lists that are not patterns (punctuation, numerals, plain words)."""

    raw: LexiconFile
    relations: tuple[RelationWord, ...]
    patterns: dict[str, Pattern]

    def __getitem__(self, name: str) -> Pattern:
        return self.patterns[name]

    @property
    def version(self) -> str:
        return self.raw.version


def any_of(entries: Iterable[str]) -> Pattern:
    """One pattern out of many entries, longest first; a space in an entry also matches no space."""
    ordered = sorted(entries, key=len, reverse=True)
    return re.compile("|".join(f"(?:{_bounded(entry)})" for entry in ordered))


_ALPHANUMERIC = re.compile(r"[A-Za-z0-9\u4e00-\u9fff]")


def _bounded(entry: str) -> str:
    """``entry`` with an ASCII word boundary at each end that is an ASCII letter or digit."""
    plain = _ALPHANUMERIC.findall(re.sub(r"\\[a-z]|\(\?[:=!<]*", "", entry))
    left = r"(?<![A-Za-z0-9_])" if plain and plain[0].isascii() else ""
    right = r"(?![A-Za-z0-9_])" if plain and plain[-1].isascii() else ""
    return left + re.sub(r" (?!\?)", " ?", entry) + right


def compile_lexicon(raw: LexiconFile) -> Lexicon:
    if set(raw.relations) != set(RELATION_WORDS):
        raise ValueError(f"lexicon relations {sorted(raw.relations)} are not those of RELATION_WORDS")
    named = [RelationWord(word, RELATION_WORDS[word], any_of(entries)) for word, entries in raw.relations.items()]
    hits = [RelationWord(words[0], None, any_of(words)) for words in (raw.hits, raw.links)]
    uses = [RelationWord(raw.uses[0], None, any_of(raw.uses), positive=False)]
    lists = {name: value for name, value in raw if isinstance(value, tuple)}
    skipped = {"brackets", "plain_words", "common_words", "shell_words", "hits", "uses", "links"}
    patterns = {name: any_of(value) for name, value in lists.items() if name not in skipped}
    return Lexicon(raw=raw, relations=(*named, *hits, *uses), patterns=patterns)


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """The lexicon that ships with the package; raises ``ValueError`` (pydantic) when the file is not as documented."""
    text = resources.files("prompts").joinpath("lexicon.yaml").read_text(encoding="utf-8")
    return compile_lexicon(LexiconFile.model_validate(yaml.safe_load(text)))
