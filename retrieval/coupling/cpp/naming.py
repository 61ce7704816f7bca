"""How facts write C++ names: ``::`` and the known parts, dotted.

``::`` alone is a member of an object whose class nobody could tell. Parts may be missing at the front of a name; a dot
behind the mark, ``::.Gear``, says that none is.
"""

from __future__ import annotations

from collections.abc import Iterable

MARK = "::"
UNKNOWN_OBJECT = MARK
# Namespaces that upstream C++ lives in. Others are downstream's, the standard library's or another project's.
UPSTREAM_ROOTS = frozenset({"at", "c10", "c10d", "caffe2", "torch"})
# Folders of the upstream repository that are on the include path themselves.
_INCLUDE_ROOTS = ("aten/src/", "torch/csrc/api/include/")


def cpp_name(parts: Iterable[str]) -> str:
    return MARK + ".".join(parts)


def include_path(path: str) -> str:
    """How a header of the upstream repository is included: ``aten/src/ATen/Tensor.h`` as ``ATen/Tensor.h``."""
    return next((path.removeprefix(root) for root in _INCLUDE_ROOTS if path.startswith(root)), path)
