"""Third to last part of the paragraph: coupling chain, impact, what to change, how to verify, what could go wrong.

What follows from a verdict stands in ``prompts/template.yaml`` under the id of its rule; here it is filled with the
names of this change. A text that asks for a name nobody knows is left out rather than printed with a hole.
"""

from __future__ import annotations

from retrieval.delta.path_kinds import is_test_path
from retrieval.models import ChangeKind, DefinitionChange, SignatureChange
from reviewbot.drafting.acts import call_changes
from reviewbot.drafting.brief import Brief
from reviewbot.drafting.phrases import placeholders
from reviewbot.drafting.piece import ESSENTIAL, Piece
from reviewbot.drafting.upstream import is_reverted
from reviewbot.models import NeedsAdaptation, RuleGroup, YesNo
from reviewbot.rubric.signature_conditions import missing_parameters
from reviewbot.rubric.situation import Contact

_MOST_KEY = 2
_MOST_CASES = 3
_MOST_TEST_FILES = 2
_NEW = frozenset({ChangeKind.RENAMED, ChangeKind.MOVED})
_GONE = _NEW | {ChangeKind.REMOVED}


def consequences(brief: Brief) -> list[Piece]:
    """The sentences that follow from the verdict rule, in the order of the rubric."""
    given, values = brief.consequence, _values(brief)
    pieces = [*_chain(brief, values), *_said(brief, "impact", given.impact, values, ESSENTIAL + 1)]
    pieces += _action(brief, values)
    if brief.prior.labels.needs_cann is YesNo.YES:
        ids = brief.bracketed(brief.behind(RuleGroup.CANN), _MOST_KEY)
        pieces.append(Piece(brief.phrases.say("cann", ids=ids), ESSENTIAL + 4))
    if brief.calls_for_action:
        pieces.append(Piece(_proof(brief), 72))
        pieces += _said(brief, "risk", given.risk, values, 56)
    return pieces


def _said(brief: Brief, phrase: str, text: str | None, values: dict[str, str], weight: int) -> list[Piece]:
    filled = _filled(text, values)
    return [Piece(brief.phrases.say(phrase, text=filled), weight)] if filled else []


def _filled(text: str | None, values: dict[str, str]) -> str | None:
    if text is None or any(not values.get(name) for name in placeholders(text)):
        return None
    return text.format(**values)


def _chain(brief: Brief, values: dict[str, str]) -> list[Piece]:
    effect = _filled(brief.consequence.effect, values)
    if not brief.key or effect is None:
        return []
    item = brief.key[0].item
    text = brief.phrases.say("chain", symbol=item.symbol, ids=f"[{item.id}]", effect=effect)
    return [Piece(text, 68)]


def _action(brief: Brief, values: dict[str, str]) -> list[Piece]:
    needs = brief.prior.labels.needs_adaptation
    filled = _filled(brief.consequence.action, values)
    if needs is NeedsAdaptation.NO or filled is None:
        return []
    if is_reverted(brief) and needs is NeedsAdaptation.UNCLEAR:
        return [Piece(brief.phrases.say("action_if_relanded", text=filled), 80)]
    if needs is NeedsAdaptation.YES:
        return [Piece(brief.phrases.say("action", text=filled), ESSENTIAL + 5)]
    return [Piece(brief.phrases.say("confirm", text=filled), 80)]


# --- how to verify ----------------------------------------------------------------------------------------------------


def _proof(brief: Brief) -> str:
    """Test cases of the change by name, else its test files, else what a case has to reach."""
    say = brief.phrases.say
    when = say("relanded") if is_reverted(brief) else ""
    tests = _tests(brief)
    if tests:
        return say("proof_named", tests=tests, when=when)
    stage = brief.prior.labels.compile_stage
    phrase = "proof_eager" if stage is None else "proof_built"
    return say(phrase, names=brief.phrases.joined(_covered(brief)), when=when)


def _tests(brief: Brief) -> str:
    """``test_a.py 的 TestA.test_b``, or the files alone with what their cases have to reach."""
    cases = _cases(brief)
    named = [
        brief.phrases.say("proof_file", path=path, cases=cases_of) if path else cases_of
        for path, names in cases.items()
        if (cases_of := brief.phrases.joined(names, _MOST_CASES))
    ]
    if named:
        return brief.comma.join(named[:_MOST_TEST_FILES])
    paths, covered = list(cases)[:_MOST_TEST_FILES], _covered(brief)[:_MOST_KEY]
    if not paths or not covered:
        return brief.comma.join(paths)
    return brief.phrases.say("proof_in_files", paths=brief.comma.join(paths), names=brief.phrases.joined(covered))


def _cases(brief: Brief) -> dict[str, list[str]]:
    """Test path → names of its cases (none known: an empty list), added cases first."""
    found: dict[str, list[str]] = {}
    for case in sorted(brief.delta.tests, key=lambda case: case.kind is not ChangeKind.ADDED):
        if case.kind is not ChangeKind.REMOVED:
            found.setdefault(case.path, []).append(case.scope)
    for name in brief.change.test_names:
        path, _, scope = name.partition("::") if "::" in name else ("", "", name)
        found.setdefault(path, []).append(scope.replace("::", "."))
    paths = [file.path for file in brief.change.files] + list(brief.change.other_paths)
    for path in paths:
        if is_test_path(path) and path.endswith(".py") and not found.get(path):
            found.setdefault(path, [])
    return found


def _covered(brief: Brief) -> list[str]:
    """What a case has to reach: the key symbols, else what changed most, else the files."""
    names = [brief.name_of(contact.item.symbol) for contact in brief.key]
    names = names or [one.operator for one in brief.delta.operators]
    names = names or [one.qualname for one in brief.ranked(brief.situation.behaving or brief.delta.definitions)]
    return names or [file.path for file in brief.change.files] or list(brief.change.other_paths)


# --- names to fill in -------------------------------------------------------------------------------------------------


def _values(brief: Brief) -> dict[str, str]:
    joined = brief.phrases.joined
    key = brief.key
    changed = [one for contact in key for one in contact.definitions]
    missing = _missing(key)
    renewed = [one for one in changed if one.kind in _NEW]
    interface = "interface_changed" if any(map(_interface_changed, changed)) else "interface_kept"
    values = {
        "ids": brief.bracketed(key, _MOST_KEY),
        "symbol": brief.name_of(key[0].item.symbol) if key else "",
        "parameters": joined([change.new or change.name for change in missing]),
        "parameter_names": joined([change.name for change in missing]),
        "operators": joined([one.operator for contact in key for one in contact.operators]),
        "old": joined([one.old_qualname or one.qualname for one in renewed]),
        "new": joined([one.qualname for one in renewed]),
        "interface": brief.phrases.say(interface),
        "new_module": joined([one.module for one in renewed]),
    }
    return values | {"remedy": _remedy(brief, values)}


def _remedy(brief: Brief, values: dict[str, str]) -> str:
    if not values["ids"]:
        return ""
    if values["parameters"]:
        return brief.phrases.say("remedy_add", ids=values["ids"], parameters=values["parameters"])
    return brief.phrases.say("remedy_follow", ids=values["ids"])


def _interface_changed(definition: DefinitionChange) -> bool:
    return bool(call_changes(definition)) or definition.kind in _GONE


def _missing(key: tuple[Contact, ...]) -> list[SignatureChange]:
    """Signature changes that bring parameters one of the key places does not accept."""
    return [
        change
        for contact in key
        for definition in contact.named
        for change in definition.signature_changes
        if change.name in missing_parameters(contact, definition)
    ]
