"""Instructions: a sentence that repeats what the model was told judges nothing, and gives the prompt away.

Compared are runs of letters and digits, so that other blanks or marks between them hide nothing. The rubric is left
out: its reasons are printed beside every record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.context import Context
from reviewbot.verification.reading import Sentence

_FILES = ("system", "brief", "draft", "repair", "investigate")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_BETWEEN = re.compile(r"[\W_]+")
#: Letters and digits in a row that no sentence shares with the prompt by chance.
_RUN = 16


def repeated_instructions(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """UNCITED_CLAIM for a sentence that has a run of the prompt in it."""
    said = _BETWEEN.sub("", sentence.text)
    if any(said[at : at + _RUN] in _runs() for at in range(len(said) - _RUN + 1)):
        yield Finding(kind=FindingKind.UNCITED_CLAIM, sentence=sentence.text, message=words.instructions_repeated())


@cache
def _runs() -> frozenset[str]:
    folder = resources.files("prompts")
    texts = (folder.joinpath(f"{name}.md").read_text(encoding="utf-8") for name in _FILES)
    plain = [_BETWEEN.sub("", _FRONT_MATTER.sub("", text)) for text in texts]
    return frozenset(text[at : at + _RUN] for text in plain for at in range(len(text) - _RUN + 1))
