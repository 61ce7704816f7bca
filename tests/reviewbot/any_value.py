"""A Hypothesis strategy that fills every field of a model, also with text that databases and encodings dislike."""

from __future__ import annotations

import types
from enum import StrEnum
from typing import Any, Union, get_args, get_origin

from annotated_types import Ge, Le
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

_TEXT = st.text(st.characters() | st.sampled_from("\x00\ufdd0\ud800\udcff是"), max_size=6)
_LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    str: _TEXT,
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    type(None): st.none(),
}


def anything(annotation: Any) -> st.SearchStrategy[Any]:
    """Any value of a type as the models use them; text includes NUL and lone surrogates."""
    arguments = get_args(annotation)
    if annotation in _LEAVES:
        return _LEAVES[annotation]
    if get_origin(annotation) in {Union, types.UnionType}:
        return st.one_of([anything(argument) for argument in arguments])
    if get_origin(annotation) is dict:
        return st.dictionaries(anything(arguments[0]), anything(arguments[1]), max_size=2)
    if get_origin(annotation) is tuple and arguments[-1] is Ellipsis:
        return st.lists(anything(arguments[0]), max_size=2).map(tuple)
    if get_origin(annotation) is tuple:
        return st.tuples(*[anything(argument) for argument in arguments])
    if issubclass(annotation, StrEnum):
        return st.sampled_from(annotation)
    assert issubclass(annotation, BaseModel), annotation
    fields = {name: _any_of(field) for name, field in annotation.model_fields.items()}
    return st.builds(annotation, **fields)


def _any_of(field: FieldInfo) -> st.SearchStrategy[Any]:
    """Values of a field; a number keeps to the bounds that its field sets."""
    least = next((mark.ge for mark in field.metadata if isinstance(mark, Ge)), None)
    most = next((mark.le for mark in field.metadata if isinstance(mark, Le)), None)
    if field.annotation is float and (least, most) != (None, None):
        return st.floats(least, most)  # type: ignore[arg-type]
    return anything(field.annotation)
