"""The ``when`` of a rule: names of conditions under ``all``, ``any`` and ``not``.

    when: reverted
    when: {all: [patch_replaces, {not: claims_refactor}]}

Evaluation collects the grounds of every condition that made the rule hold: all parts of ``all``, each part of ``any``
that holds, none of ``not`` (the absence of something has no ground of its own).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from reviewbot.rubric import words
from reviewbot.rubric.errors import RubricError
from reviewbot.rubric.grounds import CONDITIONS, Ground
from reviewbot.rubric.nearest import nearest
from reviewbot.rubric.situation import Situation

Grounds = tuple[tuple[str, Ground], ...]


class Joint(StrEnum):
    ALL = "all"
    ANY = "any"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class Named:
    """One condition by name."""

    name: str

    def holds(self, situation: Situation) -> Grounds | None:
        found = CONDITIONS[self.name](situation)
        return None if found is None else ((self.name, found),)

    def names(self) -> Iterator[str]:
        yield self.name


@dataclass(frozen=True, slots=True)
class Joined:
    """``not`` has exactly one part, the others at least one."""

    joint: Joint
    parts: tuple[Expression, ...]

    def holds(self, situation: Situation) -> Grounds | None:
        results = [part.holds(situation) for part in self.parts]
        held = [result for result in results if result is not None]
        if self.joint is Joint.NOT:
            return None if held else ()
        if len(held) < (len(self.parts) if self.joint is Joint.ALL else 1):
            return None
        return tuple(one for result in held for one in result)

    def names(self) -> Iterator[str]:
        for part in self.parts:
            yield from part.names()


Expression = Named | Joined


def parse_expression(value: object, rule: str) -> Expression:
    """Read what YAML gave for ``when``. Raises ``RubricError`` naming ``rule``."""
    if isinstance(value, str):
        if value not in CONDITIONS:
            raise RubricError(rule, words.rubric_unknown(value, nearest(value, CONDITIONS)))
        return Named(value)
    if not isinstance(value, dict) or len(value) != 1:
        raise RubricError(rule, words.rubric_bad_when())
    ((word, parts),) = value.items()
    if word not in list(Joint):
        raise RubricError(rule, words.rubric_unknown(str(word), nearest(str(word), list(Joint))))
    joint = Joint(word)
    given = parts if isinstance(parts, list) else [parts]
    if not given or (joint is Joint.NOT and len(given) != 1):
        raise RubricError(rule, words.rubric_bad_when())
    return Joined(joint, tuple(parse_expression(part, rule) for part in given))
