"""Does a pull request carry upstream's own files? Told by where PyTorch keeps its code."""

from __future__ import annotations

from collections.abc import Iterable

#: Top folders of pytorch/pytorch that torch_npu's repository does not have (`test/` is in both).
_UPSTREAM_FOLDERS = frozenset({"torch", "aten", "c10", "torchgen", "functorch", "caffe2"})


def carries_upstream(paths: Iterable[str]) -> bool:
    """True when any path lies in a folder that only upstream has."""
    return any(path.partition("/")[0] in _UPSTREAM_FOLDERS for path in paths)
