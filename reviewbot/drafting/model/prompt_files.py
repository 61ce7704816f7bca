"""The prompts: ``prompts/*.md``, each with front matter (id, version, purpose) and a text with ``{placeholders}``.

Trap: a text may hold braces of its own, so placeholders are replaced by name and nothing is formatted.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import yaml

from retrieval.models import Frozen

_FILE = re.compile(r"---\n(?P<front>.*?)\n---\n(?P<text>.*)", re.DOTALL)


class Prompt(Frozen):
    """``purpose`` is for whoever edits the file; a changed text takes a new ``version``."""

    id: str
    version: int
    purpose: str
    text: str

    @property
    def name(self) -> str:
        """What an analysis stores, ``system-1``."""
        return f"{self.id}-{self.version}"

    def filled(self, **values: str) -> str:
        """The text with each placeholder replaced. Raises ``KeyError`` for a name that the text lacks."""
        text = self.text
        for name, value in values.items():
            mark = f"{{{name}}}"
            if mark not in text:
                raise KeyError(name)
            text = text.replace(mark, value)
        return text


@cache
def load_prompt(name: str) -> Prompt:
    """The shipped prompt. Raises ``ValueError`` without front matter, ``pydantic.ValidationError`` for a wrong one."""
    file = _FILE.fullmatch(resources.files("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8"))
    if file is None:
        raise ValueError(f"prompts/{name}.md has no front matter")
    return Prompt.model_validate({**yaml.safe_load(file["front"]), "text": file["text"].strip()})


def prompt_names(prefix: str) -> str:
    """``system-1 draft-1 repair-1``: what an analysis stores under ``versions["prompts"]``."""
    return " ".join(load_prompt(name).name for name in (prefix, "draft", "repair"))
