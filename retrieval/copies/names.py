"""When two scopes go by akin names, and how alike they must then be to be called original and copy.

Downstream names its copies after the original: the same name, the name with a word more (``_npu_get_names`` of
``get_names``), or class and method in one (``_patch_view_create`` of ``View.create``). Words for the device are free.

The bars were read off torch 2.13.0 and torch_npu 2.13.0. Between
others short functions agree by chance up to 0.8, those of a hundred tokens up to 0.6, and what is alike beyond is a
copy. A name of one word (``load``) is half a reason; special methods are copies in akin classes only. Code that is
very short, or shares hardly a word that tells what it does, is a copy only under an akin name, from 0.7 on, or in an
equal scope, from 0.9 on.
"""

from __future__ import annotations

import re
from functools import lru_cache

AKIN_BAR = 0.4
NEVER = 2.0
_STRANGE_BAR, _SHORT_STRANGE_BAR = 0.6, 0.86
_PLAIN_BAR, _EQUAL_BAR = 0.7, 0.9
_LEAST_TELLING = 3
_SHORT, _LONG = 24, 100  # tokens of the shorter piece, between which the bar falls
_DEVICE = re.compile(r"(?i)npu|cuda|gpu|ascend")
_LEAST = 5  # letters of a name that another may contain by design


def bar(upstream: str, downstream: str, tokens: int, telling: int) -> float:
    """The least similarity of a copy. ``upstream`` and ``downstream`` are scopes, ``tokens`` those of the shorter,
    ``telling`` the number of telling words both have.
    """
    plain = tokens < _SHORT or telling < _LEAST_TELLING
    if gave_its_name(upstream, downstream):
        return _PLAIN_BAR if plain else AKIN_BAR
    name, own = upstream.rpartition(".")[2], downstream.rpartition(".")[2]
    if is_special(name) or is_special(own):
        return NEVER
    if plain:
        return _EQUAL_BAR if downstream == upstream else NEVER
    length = (min(max(tokens, _SHORT), _LONG) - _SHORT) / (_LONG - _SHORT)
    strange = _SHORT_STRANGE_BAR - length * (_SHORT_STRANGE_BAR - _STRANGE_BAR)
    return (AKIN_BAR + strange) / 2 if name == own else strange


def gave_its_name(upstream: str, downstream: str) -> bool:
    """Whether ``upstream`` may have given the scope ``downstream`` its name.

    A name of one word, or of a special method, says nothing without that of its class.
    """
    holder, _, name = upstream.rpartition(".")
    wanted, own = _squeezed(name), _squeezed(downstream.rpartition(".")[2])
    if wanted != own and not (len(wanted) >= _LEAST and wanted in own):
        return False
    if "_" in name.strip("_") and not is_special(name):
        return True
    around = _squeezed(holder.rpartition(".")[2])
    return bool(around) and around in _squeezed(downstream)


def is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def kin_key(scope: str) -> tuple[str, str]:
    """Equal for scopes that differ in words for the device and in what lies around their class alone."""
    holder, _, name = scope.rpartition(".")
    return _squeezed(holder.rpartition(".")[2]), _squeezed(name)


@lru_cache(maxsize=1 << 16)
def _squeezed(name: str) -> str:
    return _DEVICE.sub("", name).replace("_", "").lower()
