"""The writer's Chinese: ``prompts/template.yaml``, checked once and then asked by name.

Contract: ``say`` fills a phrase with exactly the values it names; a missing name is a ``KeyError``, a surplus value a
``ValueError``, so a phrase cannot silently lose what it was meant to say. What follows from a verdict rule (effect,
impact, action, risk) stands under the rule's id; a test sees that every rule has its words.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from string import Formatter

import yaml

from retrieval.models import Frozen

_CLASS = re.compile(r"_*[A-Z]\w*(\.\w+)*$")


class Consequence(Frozen):
    """What follows once a verdict rule fired. ``action`` is written only where code has to, or may have to, change."""

    impact: str
    effect: str | None = None
    action: str | None = None
    risk: str | None = None


class Phrases(Frozen):
    id: str
    version: int
    phrases: dict[str, str]
    words: dict[str, str]
    rules: dict[str, Consequence]

    def say(self, phrase: str, /, **values: object) -> str:
        text = self.phrases[phrase]
        surplus = set(values) - placeholders(text)
        if surplus:
            raise ValueError(f"phrase {phrase} does not use {', '.join(sorted(surplus))}")
        return text.format(**values)

    def joined(self, names: list[str], most: int = 3) -> str:
        """``a、b、c 等``: at most ``most`` names, in order, doubles dropped; members of one class share its name."""
        distinct = list(dict.fromkeys(names))
        shown = distinct[:most]
        owners = {name.rpartition(".")[0] for name in shown}
        listed = self.phrases["comma"].join(shown)
        if len(shown) > 1 and len(owners) == 1 and _CLASS.match(owner := owners.pop()):
            inner = self.phrases["comma"].join(name.rpartition(".")[2] for name in shown)
            listed = self.say("members", owner=owner, names=inner)
        return self.say("and_more", names=listed) if len(distinct) > most else listed


def placeholders(text: str) -> set[str]:
    """The names a format string asks for."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@cache
def load_phrases() -> Phrases:
    """The shipped phrases; a key that is unknown or missing is a ``pydantic.ValidationError``."""
    text = resources.files("prompts").joinpath("template.yaml").read_text(encoding="utf-8")
    return Phrases.model_validate(yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def template_version() -> str:
    """What an analysis stores under ``versions["template"]``."""
    phrases = load_phrases()
    return f"{phrases.id}-{phrases.version}"
