"""What a pull request says about itself: closed lists of English words in its title and body.

An author's words prove nothing; they only choose between two readings the evidence leaves open, and every rule that
rests on them stays open. Words of the body count for harm only ("silently wrong"): bodies also describe what is *not*
done, so a claim like "refactor" is read from the title alone.
"""

from __future__ import annotations

import re

_REFACTOR = re.compile(
    r"\b(refactor\w*|renam(?:e|es|ed|ing)|clean[- ]?ups?|tidy|dead code|unused|nfc|no[- ]op|typing|type[- ]hints?"
    r"|annotations?|typos?|docstrings?|comments?|lint\w*|extract|split out|deduplicate|share|inline|dataclass(?:es)?"
    r"|typeddict|logging|log messages?|move)\b",
    re.IGNORECASE,
)
_ADDITION = re.compile(r"\b(adds?|support(?:s|ed)?|implement\w*|introduc\w*|enabl\w*|new)\b", re.IGNORECASE)
_REPAIR = re.compile(r"\b(fix(?:es|ed)?|bug\w*|crash\w*|regression|wrong|incorrect|correct(?:ness)?)\b", re.IGNORECASE)
_SILENT = re.compile(
    r"\b(silent(?:ly)?|wrong (?:results?|values?|outputs?|gradients?|answers?|numbers?|numerics|strides?|slices?)"
    r"|incorrect (?:results?|values?|outputs?|gradients?|answers?|numerics)|numerically (?:wrong|incorrect)"
    r"|wrong[- ]code|miscompil\w*|corrupt(?:s|ed|ing|ion)?|out[- ]of[- ]bounds|illegal memory|int32 overflow"
    r"|(?:index|integer|address) overflow|race condition|data race)\b",
    re.IGNORECASE,
)


_STAGE_TAG = re.compile(r"\[[^\]]*?\b(dynamo|inductor|aot|aotautograd|functorch)\b[^\]]*\]", re.IGNORECASE)


def stage_tag(title: str) -> str | None:
    """The first bracketed tag of the title that names a stage of torch.compile, in lower case."""
    match = _STAGE_TAG.search(title)
    return match.group(1).lower() if match else None


def addition_words(title: str) -> tuple[str, ...]:
    """Words by which the title calls itself a new capability; none when it also speaks of a repair."""
    return () if _REPAIR.search(title) else _found(_ADDITION, title)


def repair_words(title: str) -> tuple[str, ...]:
    """Words by which the title speaks of a repair."""
    return _found(_REPAIR, title)


def refactor_words(title: str) -> tuple[str, ...]:
    """Words by which the title calls itself a refactoring; none when it also speaks of a repair."""
    if _REPAIR.search(title):
        return ()
    return _found(_REFACTOR, title)


def silent_words(title: str, body: str) -> tuple[str, ...]:
    """Words that tell of wrong numbers nobody notices or of memory outside its bounds."""
    return _found(_SILENT, f"{title}\n{body}")


def _found(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match.group(0).lower() for match in pattern.finditer(text)))
