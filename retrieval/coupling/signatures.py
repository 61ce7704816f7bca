"""Does a downstream function still accept what the changed upstream signature lets callers pass?"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.coupling.facts import Shape
from retrieval.models import Parameter, ParameterKind

_VARIADIC = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def written(shape: Sequence[Shape]) -> str:
    """The shape as source: ``(x, sizes, *, implicit=…)``. Defaults are not kept, hence the ellipsis."""
    parts: list[str] = []
    for at, (name, kind, has_default) in enumerate(shape):
        starred_before = any(other.kind is ParameterKind.VAR_POSITIONAL for other in shape[:at])
        first_keyword = kind is ParameterKind.KEYWORD_ONLY and all(
            other.kind is not ParameterKind.KEYWORD_ONLY for other in shape[:at]
        )
        if first_keyword and not starred_before:
            parts.append("*")
        stars = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}.get(kind, "")
        parts.append(f"{stars}{name}{'=…' if has_default else ''}")
        last_positional_only = kind is ParameterKind.POSITIONAL_ONLY and (
            at + 1 == len(shape) or shape[at + 1].kind is not ParameterKind.POSITIONAL_ONLY
        )
        if last_positional_only:
            parts.append("/")
    return f"({', '.join(parts)})"


def lacking(upstream: Sequence[Parameter], downstream: Sequence[Shape]) -> tuple[str, ...]:
    """Parameters of ``upstream`` that ``downstream`` has no place for, by name.

    A ``**kwargs`` takes any keyword, a ``*args`` any positional; a positional parameter may have another name, as long
    as the downstream function has a positional place at its index.
    """
    takes_keywords = any(shape.kind is ParameterKind.VAR_KEYWORD for shape in downstream)
    takes_positionals = any(shape.kind is ParameterKind.VAR_POSITIONAL for shape in downstream)
    names = {shape.name for shape in downstream if shape.kind not in _VARIADIC}
    places = sum(shape.kind not in (*_VARIADIC, ParameterKind.KEYWORD_ONLY) for shape in downstream)
    missing: list[str] = []
    position = 0
    for parameter in upstream:
        if parameter.kind in _VARIADIC:
            continue
        by_keyword = parameter.kind is ParameterKind.KEYWORD_ONLY
        has_place = not by_keyword and (takes_positionals or position < places)
        position += not by_keyword
        if parameter.name in names or has_place or (takes_keywords and parameter.kind is not _POSITIONAL_ONLY):
            continue
        missing.append(parameter.name)
    return tuple(missing)


_POSITIONAL_ONLY = ParameterKind.POSITIONAL_ONLY


def accepts(upstream: Sequence[Parameter], downstream: Sequence[Shape]) -> bool:
    """True when every call that ``upstream`` allows reaches ``downstream`` without a ``TypeError``.

    Besides `lacking`: downstream must not require a parameter that upstream does not have or gives a default.
    """
    if lacking(upstream, downstream):
        return False
    has = {parameter.name: parameter for parameter in upstream}
    variadic = any(parameter.kind is ParameterKind.VAR_POSITIONAL for parameter in upstream)
    positionals = [p for p in upstream if p.kind not in (*_VARIADIC, ParameterKind.KEYWORD_ONLY)]
    place = -1
    for shape in downstream:
        if shape.kind in _VARIADIC:
            continue
        place += shape.kind is not ParameterKind.KEYWORD_ONLY
        if shape.has_default:
            continue
        same = has.get(shape.name)
        at_place = (
            positionals[place] if shape.kind is not ParameterKind.KEYWORD_ONLY and place < len(positionals) else None
        )
        given = same or at_place
        if given is None and not variadic:
            return False
        if given is not None and given.default is not None:
            return False
    return True
