"""Conditions about what a change reaches without any coupling by name: the code that NPU users run as it comes.

An error in Python that is traced shows as an exception or a graph break. One in what turns a graph into code, or in
what is known of sizes and guards, shows as wrong numbers, wrong memory or endless recompilation, and nobody is told.
"""

from __future__ import annotations

from collections import Counter

from retrieval.models import ChangeKind
from reviewbot.rubric.change_conditions import (
    adds_only,
    behaviour_changes,
    claims_addition,
    claims_cost,
    claims_refactor,
    diff_partial,
    mostly_new,
    off_by_default,
    other_device,
    said,
)
from reviewbot.rubric.coupling_conditions import registration_bypasses
from reviewbot.rubric.grounds import Ground, condition, ground
from reviewbot.rubric.situation import EXECUTED, Situation, is_new_code
from reviewbot.rubric.vocabulary import Area, load_vocabulary

#: What keeps a change from NPU users, or takes the behaviour out of it, by its diff or by its author's word.
_PASSES_BY = (other_device, claims_refactor, claims_cost)


@condition
def inherited_change(situation: Situation) -> Ground | None:
    """Behaviour changes in code that NPU users run as upstream wrote it."""
    changed = behaviour_changes(situation) or _adds_in_part(situation)
    if changed is None or about_elsewhere(situation) or any(one(situation) for one in _PASSES_BY):
        return None
    if _all_bypassed(situation) or (off_by_default(situation) and mostly_new(situation)):
        return None
    return changed


@condition
def about_elsewhere(situation: Situation) -> Ground | None:
    """Title or paths speak of other devices, or of kernel languages and platforms without an Ascend side."""
    vocabulary = load_vocabulary()
    return said(vocabulary.words.elsewhere.found(situation.change)) or _mostly_in(situation, vocabulary.areas.elsewhere)


@condition
def about_shapes(situation: Situation) -> Ground | None:
    """Title or paths speak of dynamic shapes, symbolic sizes or guards."""
    vocabulary = load_vocabulary()
    return said(vocabulary.words.shapes.found(situation.change)) or _mostly_in(
        situation, vocabulary.areas.shape_reasoning
    )


@condition
def changes_default(situation: Situation) -> Ground | None:
    """The default of a flag changes, or the title speaks of what is on by default."""
    flags = [one.flag for one in situation.delta.configs if one.kind is ChangeKind.REWRITTEN]
    return ground(flags) if flags else said(load_vocabulary().words.defaults.found(situation.change))


@condition
def generates_code(situation: Situation) -> Ground | None:
    """Most changed lines are of what turns a graph into code: an error there shows in numbers, not in a message."""
    return _mostly_in(situation, load_vocabulary().areas.generated_code)


@condition
def captures_program(situation: Situation) -> Ground | None:
    """Most changed lines decide which program is captured or wrap it at run time."""
    return _mostly_in(situation, load_vocabulary().areas.captured_program)


def _all_bypassed(situation: Situation) -> bool:
    """Operators changed, and torch_npu sends each of them past upstream's lowering."""
    operators = {one.operator for one in situation.delta.operators if one.kind is not ChangeKind.REFORMATTED}
    bypassed = registration_bypasses(situation)
    return bypassed is not None and operators <= set(bypassed.names)


def _adds_in_part(situation: Situation) -> Ground | None:
    """Additions alone in a partial diff whose title claims none: what calls them is in the missing part."""
    if diff_partial(situation) is None or claims_addition(situation) is not None:
        return None
    return adds_only(situation)


def _mostly_in(situation: Situation, area: Area) -> Ground | None:
    """Do at least half of the changed lines belong to ``area``: of what behaves differently, else of what is new?"""
    changed = situation.behaving or tuple(one for one in situation.delta.definitions if is_new_code(one))
    lines = Counter[str]()
    for one in changed:
        lines[one.path] += max(one.added + one.removed, 1)
    for operator in situation.delta.operators:
        lines[operator.path] += 1
    if not lines:
        lines.update({one.path: one.added + one.removed for one in situation.delta.files if one.nature in EXECUTED})
    inside = {path: count for path, count in lines.items() if area.holds(path)}
    return ground(inside) if inside and 2 * sum(inside.values()) >= lines.total() else None
