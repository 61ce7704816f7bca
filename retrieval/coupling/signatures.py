"""Does a downstream function still accept what the changed upstream signature lets callers pass?"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from retrieval.coupling.facts import Shape
from retrieval.models import CouplingDetail, Parameter, ParameterKind

_VARIADIC = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_BY_NAME = (ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY)


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


def compared(known: CouplingDetail, shape: Sequence[Shape] | None, upstream: Sequence[Parameter]) -> CouplingDetail:
    """``known`` and what a downstream function's parameters say; of a changed function without any, no comparison."""
    if shape is None:
        return known
    return known.model_copy(
        update={
            "downstream_signature": written(shape),
            "lacks": lacking(upstream, shape) if upstream else (),
            "signature_matches": accepts(upstream, shape) if upstream else None,
        }
    )


def lacking(upstream: Sequence[Parameter], downstream: Sequence[Shape]) -> tuple[str, ...]:
    """Parameters of ``upstream`` that ``downstream`` has no place for, by name.

    A ``**kwargs`` takes any keyword, a ``*args`` any positional; a positional parameter may go by another name, as long
    as downstream has a positional place that no other upstream parameter claims by name.
    """
    kinds = {shape.kind for shape in downstream}
    named = {shape.name for shape in downstream if shape.kind in _BY_NAME}
    wanted = {parameter.name for parameter in upstream}
    places = {shape.name for shape in downstream if shape.kind is ParameterKind.POSITIONAL_OR_KEYWORD}
    # The name of a positional-only place says nothing: whoever comes first takes it.
    free = sum(shape.kind in _BY_POSITION and shape.name not in places & wanted for shape in downstream)
    missing: list[str] = []
    for parameter in upstream:
        if parameter.kind in _VARIADIC:
            continue
        by_name = parameter.kind is not ParameterKind.POSITIONAL_ONLY
        by_position = parameter.kind is not ParameterKind.KEYWORD_ONLY
        if by_name and (parameter.name in named or ParameterKind.VAR_KEYWORD in kinds):
            continue
        if by_position and (parameter.name in places or ParameterKind.VAR_POSITIONAL in kinds):
            continue
        if by_position and free > 0:
            free -= 1
            continue
        missing.append(parameter.name)
    return tuple(missing)


def accepts(upstream: Sequence[Parameter], downstream: Sequence[Shape]) -> bool:
    """True when downstream takes every call that upstream takes, as far as its named parameters go.

    Meant are the calls that give the required parameters, further positional ones from the left, and any of the
    keyword-only ones. A positional parameter counts as taken when downstream takes it by position or by name: callers
    that insist on the other way are not seen. What upstream passes on in ``*args`` and ``**kwargs`` is not followed.
    """
    positional = [parameter for parameter in upstream if parameter.kind in _BY_POSITION]
    keywords = [parameter for parameter in upstream if parameter.kind is ParameterKind.KEYWORD_ONLY]
    least = max((at + 1 for at, parameter in enumerate(positional) if parameter.default is None), default=0)
    fewest = frozenset(parameter.name for parameter in keywords if parameter.default is None)
    return all(
        _takes(downstream, positional[:given], named)
        for given in range(least, len(positional) + 1)
        for named in {fewest, frozenset(parameter.name for parameter in keywords)}
    )


def _takes(downstream: Sequence[Shape], positional: Sequence[Parameter], keywords: Collection[str]) -> bool:
    """Can these arguments be passed: a run of them by position, the rest of them and ``keywords`` by name?"""
    for split in range(len(positional), -1, -1):
        by_name = positional[split:]
        if any(parameter.kind is ParameterKind.POSITIONAL_ONLY for parameter in by_name):
            return False
        if _binds(downstream, split, {*keywords, *(parameter.name for parameter in by_name)}):
            return True
    return False


def _binds(downstream: Sequence[Shape], count: int, keywords: Collection[str]) -> bool:
    """What Python does with ``count`` positional arguments and ``keywords``."""
    kinds = {shape.kind for shape in downstream}
    places = [shape for shape in downstream if shape.kind in _BY_POSITION]
    if count > len(places) and ParameterKind.VAR_POSITIONAL not in kinds:
        return False
    filled, left = {shape.name for shape in places[:count]}, set(keywords)
    for shape in downstream:
        if shape.kind in _BY_NAME and shape.name in left:
            if shape.name in filled:
                return False
            filled.add(shape.name)
            left.discard(shape.name)
    required = {shape.name for shape in downstream if shape.kind not in _VARIADIC and not shape.has_default}
    return required <= filled and (not left or ParameterKind.VAR_KEYWORD in kinds)
