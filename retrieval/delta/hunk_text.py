"""One side of one hunk as text that a parser understands.

A hunk starts and ends anywhere: inside a method of a class whose header is out of sight, inside a bracket, inside a
docstring. What its surroundings must have been is put around it in made-up lines: blocks that give the indentation a
meaning, the class or function that the ``@@`` heading names, openers for brackets that the hunk closes, closers for
those it leaves open. Made-up blocks are plain ``if 1:`` or ``{``, so that they define nothing: a name that neither
the hunk nor its heading shows is never invented.
"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.delta.hunk_cpp import surround_cpp
from retrieval.delta.hunk_python import surround_python
from retrieval.models import Hunk, Language


@dataclass(frozen=True, slots=True)
class HunkText:
    """``data`` is the text; its first ``hidden`` lines and all after the next ``shown`` are made up."""

    data: bytes
    hidden: int
    shown: int


def hunk_text(hunk: Hunk, language: Language) -> tuple[HunkText, HunkText]:
    """The old and the new side of a hunk."""
    old = [line[1:] for line in hunk.lines if line[:1] in (" ", "-", "")]
    new = [line[1:] for line in hunk.lines if line[:1] in (" ", "+", "")]
    return _side(old, hunk.section, language), _side(new, hunk.section, language)


def _side(lines: list[str], section: str, language: Language) -> HunkText:
    before, after = (surround_cpp if language is Language.CPP else surround_python)(lines, section)
    text = "\n".join([*before, *lines, *after, ""])
    return HunkText(text.encode("utf-8", "replace"), len(before), len(lines))
