"""What happened to a signature, parameter by parameter, and whether anyone can stumble over it.

``breaking`` asks for both directions, because downstream code both calls and replaces upstream functions: can a call
written for the old signature fail against the new one, or can a replacement with the old signature fail under the
calls that the new one allows? So a new optional parameter is breaking (a replacement does not accept it), a changed
default is not.

Annotations of Python parameters do not count. A changed Python return annotation does, and is breaking when old and
new have no type in common; where nothing but annotations changed, do not ask: that is typing. In C++ types count: a
changed parameter type is reported as a change of kind, and all of it is breaking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval import words
from retrieval.definitions import Header
from retrieval.models import Language, Parameter, ParameterKind, SignatureChange, SignatureChangeKind

_VARIADIC = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
_POSITIONAL = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_RECEIVERS = ("self", "cls", "mcs", "mcls")
# Types that stand in for each other in annotations: a caller of one gets along with the other.
_LIKE_TYPES = {
    "list": "sequence",
    "sequence": "sequence",
    "iterable": "sequence",
    "iterator": "sequence",
    "generator": "sequence",
    "collection": "sequence",
    "mutablesequence": "sequence",
    "dict": "mapping",
    "mapping": "mapping",
    "mutablemapping": "mapping",
    "ordereddict": "mapping",
    "defaultdict": "mapping",
    "set": "set",
    "frozenset": "set",
    "orderedset": "set",
    "abstractset": "set",
}
_ANYTHING = frozenset({"any", "object", "self"})


def compare_signatures(old: Header, new: Header, language: Language) -> tuple[SignatureChange, ...]:
    """All differences, parameters in the order of the new signature, removed ones after them, the return type last."""
    before, after = _without_receiver(old.parameters), _without_receiver(new.parameters)
    changes = list(_cpp_parameters(before, after) if language is Language.CPP else _parameters(before, after))
    changes.extend(_returns(old.returns, new.returns, language))
    return tuple(changes)


def _without_receiver(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    return tuple(parameters[1:] if parameters and parameters[0].name in _RECEIVERS else parameters)


def _parameters(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[SignatureChange]:
    renamed = _renamed(old, new)  # new name -> old parameter
    by_name = {parameter.name: parameter for parameter in old}
    for parameter in new:
        before = renamed.get(parameter.name) or by_name.get(parameter.name)
        if before is None:
            yield _added(parameter, parameter.name, parameter.kind)
            continue
        if before.name != parameter.name:
            yield _renaming(before, parameter)
        if before.kind is not parameter.kind:
            yield _kind_change(before, parameter)
        if _value(before.default) != _value(parameter.default):
            yield _default_change(parameter.name, before, parameter)
    kept = {parameter.name for parameter in new}
    gone = [item for item in old if item.name not in kept and item.name not in {p.name for p in renamed.values()}]
    for parameter in gone:
        yield _removed(parameter, parameter.name)
    yield from _reordered(old, new, renamed)


def _renamed(old: Sequence[Parameter], new: Sequence[Parameter]) -> dict[str, Parameter]:
    """Parameters that changed no more than their name: same kind, same default, same annotation, same neighbours.

    ``*args`` and ``**kwargs`` are what they are by kind.
    """
    names = {parameter.name for parameter in old} & {parameter.name for parameter in new}
    found: dict[str, Parameter] = {}
    for kind in _VARIADIC:
        before = [item for item in old if item.kind is kind and item.name not in names]
        after = [item for item in new if item.kind is kind and item.name not in names]
        found.update({right.name: left for left, right in zip(before, after, strict=False)})
    places = {_place(old, index, names): item for index, item in enumerate(old) if item.name not in names}
    for index, item in enumerate(new):
        left = places.get(_place(new, index, names)) if item.name not in names else None
        if left is None or item.kind in _VARIADIC:
            continue
        if (left.kind, _value(left.default), left.annotation) == (item.kind, _value(item.default), item.annotation):
            found[item.name] = left
    return found


def _place(parameters: Sequence[Parameter], index: int, kept: set[str]) -> tuple[str, int]:
    """The last kept parameter before it, and how far behind that it stands."""
    for back in range(index - 1, -1, -1):
        if parameters[back].name in kept:
            return parameters[back].name, index - back
    return "", index


def _value(default: str | None) -> str | None:
    """A default whatever its blanks, quotes and trailing commas."""
    return None if default is None else re.sub(r"\s+|,(?=[\])}])", "", default).replace("'", '"')


def _reordered(
    old: Sequence[Parameter], new: Sequence[Parameter], renamed: dict[str, Parameter]
) -> Iterator[SignatureChange]:
    old_name = {name: parameter.name for name, parameter in renamed.items()}
    before = [item.name for item in old if item.kind in _POSITIONAL]
    after = [old_name.get(item.name, item.name) for item in new if item.kind in _POSITIONAL]
    shared = set(before) & set(after)
    before, after = [name for name in before if name in shared], [name for name in after if name in shared]
    moved = next((name for name, was in zip(after, before, strict=True) if name != was), None)
    if moved is not None:
        was, is_ = ", ".join(before), ", ".join(after)
        yield SignatureChange(
            kind=SignatureChangeKind.PARAMETER_REORDERED,
            name=moved,
            old=was,
            new=is_,
            breaking=True,
            words=words.parameters_reordered(was, is_),
        )


def _cpp_parameters(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[SignatureChange]:
    """By name where names are, by place where they are not; C++ callers see types and places."""
    pairs = _aligned(old, new)
    for before, after in pairs:
        if before is None and after is not None:
            # C++ knows no keywords: there is nothing to say about the kind but that it is a parameter.
            yield _added(after, _cpp_name(after), ParameterKind.POSITIONAL_OR_KEYWORD)
        elif after is None and before is not None:
            yield _removed(before, _cpp_name(before))
        elif before is not None and after is not None:
            if before.annotation != after.annotation:
                yield _type_change(after, before)
            if _value(before.default) != _value(after.default):
                yield _default_change(_cpp_name(after), before, after)


def _aligned(old: Sequence[Parameter], new: Sequence[Parameter]) -> list[tuple[Parameter | None, Parameter | None]]:
    left, right = list(old), list(new)
    if len(left) == len(right):
        return list(zip(left, right, strict=True))
    matched: dict[int, Parameter] = {}
    for same in (_same_name, _same_type):
        for index, item in enumerate(left):
            match = next((other for other in right if same(item, other)), None) if index not in matched else None
            if match is not None:
                right.remove(match)
                matched[index] = match
    return [*((item, matched.get(index)) for index, item in enumerate(left)), *((None, item) for item in right)]


def _same_name(old: Parameter, new: Parameter) -> bool:
    return bool(old.name) and old.name == new.name


def _same_type(old: Parameter, new: Parameter) -> bool:
    return old.annotation == new.annotation


def _cpp_name(parameter: Parameter) -> str:
    return parameter.name or parameter.annotation or "..."


def _type_change(after: Parameter, before: Parameter) -> SignatureChange:
    old, new = before.annotation or "", after.annotation or ""
    return SignatureChange(
        kind=SignatureChangeKind.KIND_CHANGED,
        name=_cpp_name(after),
        old=old,
        new=new,
        breaking=True,
        words=words.parameter_type_changed(_cpp_name(after), old, new),
    )


def _returns(old: str | None, new: str | None, language: Language) -> Iterator[SignatureChange]:
    if old is None or new is None or _plain(old) == _plain(new):
        return
    breaking = language is Language.CPP or not _share_a_type(old, new)
    yield SignatureChange(
        kind=SignatureChangeKind.RETURN_CHANGED,
        name="return",
        old=old,
        new=new,
        breaking=breaking,
        words=words.return_type_changed(old, new),
    )


def _plain(annotation: str) -> str:
    """Without quotes, blanks and the qualifiers in front of names."""
    return re.sub(r"[\s\"']|\b\w+\.(?=\w)", "", annotation)


def _share_a_type(old: str, new: str) -> bool:
    left, right = _members(old), _members(new)
    return bool(left & right) or bool((left | right) & _ANYTHING)


def _members(annotation: str) -> set[str]:
    """Heads of the members of a union; ``None`` counts only when it is all there is."""
    text = _plain(annotation)
    wrapped = re.fullmatch(r"(?:Optional|Union)\[(.*)\]", text)
    parts = _split(wrapped[1] if wrapped else text)
    heads = {re.split(r"\[", part)[0].lower() for part in parts}
    return {_LIKE_TYPES.get(head, head) for head in heads - {"none"}} or {"none"}


def _split(text: str) -> list[str]:
    """At ``|`` and ``,`` outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "[(") - (character in "])")
        if character in "|," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _spelling(parameter: Parameter) -> str:
    name = _starred(parameter)
    return name if parameter.default is None else f"{name}={parameter.default}"


def _starred(parameter: Parameter) -> str:
    star = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    return parameter.name if parameter.name == "..." else star + parameter.name


def _added(parameter: Parameter, name: str, kind: ParameterKind) -> SignatureChange:
    spelling = _spelling(parameter)
    required = parameter.default is None and parameter.kind not in _VARIADIC
    return SignatureChange(
        kind=SignatureChangeKind.PARAMETER_ADDED,
        name=name,
        new=spelling,
        breaking=True,
        words=words.parameter_added(spelling or name, kind, required),
    )


def _removed(parameter: Parameter, name: str) -> SignatureChange:
    return SignatureChange(
        kind=SignatureChangeKind.PARAMETER_REMOVED,
        name=name,
        old=_spelling(parameter),
        breaking=True,
        words=words.parameter_removed(_starred(parameter) or name),
    )


def _renaming(before: Parameter, after: Parameter) -> SignatureChange:
    return SignatureChange(
        kind=SignatureChangeKind.PARAMETER_RENAMED,
        name=after.name,
        old=before.name,
        new=after.name,
        # Nobody can name a positional-only parameter or the tuple and the dict of the rest.
        breaking=before.kind not in (*_VARIADIC, ParameterKind.POSITIONAL_ONLY),
        words=words.parameter_renamed(before.name, after.name),
    )


def _kind_change(before: Parameter, after: Parameter) -> SignatureChange:
    return SignatureChange(
        kind=SignatureChangeKind.KIND_CHANGED,
        name=after.name,
        old=before.kind,
        new=after.kind,
        breaking=True,
        words=words.parameter_kind_changed(after.name, after.kind),
    )


def _default_change(name: str, before: Parameter, after: Parameter) -> SignatureChange:
    return SignatureChange(
        kind=SignatureChangeKind.DEFAULT_CHANGED,
        name=name,
        old=before.default,
        new=after.default,
        # Optional to required fails callers, required to optional lets callers leave out what a replacement needs.
        breaking=before.default is None or after.default is None,
        words=words.parameter_default_changed(name, before.default, after.default),
    )
