"""Word and path classes of ``prompts/vocabulary.yaml``: what a change says of itself, and where in upstream it sits.

An author's words prove nothing; they only choose between readings that the evidence leaves open, and every rule that
rests on them stays open. A class is a field here, so a missing or misspelt one is a ``pydantic.ValidationError``.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib import resources

import yaml
from pydantic import Field

from retrieval.models import Frozen, UpstreamChange

Patterns = tuple[str, ...]


class WordClass(Frozen):
    """English words, whole and in any case; ``body`` says whether they count outside the title too."""

    entries: Patterns = Field(min_length=1)
    body: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{'|'.join(self.entries)})(?!\w)", re.IGNORECASE)

    def found(self, change: UpstreamChange) -> tuple[str, ...]:
        """The words of this class that the change uses, in lower case and in order, each once."""
        text = f"{change.title}\n{change.body}" if self.body else change.title
        return tuple(dict.fromkeys(match.group(0).lower() for match in self.pattern.finditer(text)))


class Area(Frozen):
    """Upstream paths: those that a pattern of ``within`` finds and none of ``without``."""

    within: Patterns = Field(min_length=1)
    without: Patterns = ()

    def holds(self, path: str) -> bool:
        return any(re.search(one, path) for one in self.within) and not any(
            re.search(one, path) for one in self.without
        )


class Words(Frozen):
    fix: WordClass
    demand: WordClass
    refactor: WordClass
    addition: WordClass
    cost: WordClass
    silent: WordClass
    numbers: WordClass
    breakdown: WordClass
    shapes: WordClass
    defaults: WordClass
    elsewhere: WordClass


class Areas(Frozen):
    generated_code: Area
    captured_program: Area
    shape_reasoning: Area
    elsewhere: Area


class Vocabulary(Frozen):
    id: str
    version: int
    words: Words
    areas: Areas


@cache
def load_vocabulary() -> Vocabulary:
    """The shipped vocabulary."""
    text = resources.files("prompts").joinpath("vocabulary.yaml").read_text(encoding="utf-8")
    return Vocabulary.model_validate(yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


_STAGE_TAG = re.compile(r"\[[^\]]*?\b(dynamo|inductor|aot|aotautograd|functorch)\b[^\]]*\]", re.IGNORECASE)


def stage_tag(title: str) -> str | None:
    """The first bracketed tag of the title that names a stage of torch.compile, in lower case."""
    match = _STAGE_TAG.search(title)
    return match.group(1).lower() if match else None


def claimed(kind: WordClass, change: UpstreamChange) -> tuple[str, ...]:
    """Words by which the title claims to be harmless in the way of ``kind``; none beside a word of fix or demand."""
    words = load_vocabulary().words
    return () if words.fix.found(change) or words.demand.found(change) else kind.found(change)
