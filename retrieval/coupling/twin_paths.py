"""Which downstream test file stands where for an upstream one, by their paths alone.

Copies keep the folders but for underscores (``_inductor``) and a folder ``npu``, and the name but for a word that names
the device (``test_gears_npu.py``; ``test_npu.py`` for ``test_cuda.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.delta.path_kinds import is_test_path
from retrieval.symbols import file_stem

_NPU = "npu"
_DEVICES = frozenset({"cuda", "gpu", _NPU})
_ROOTS = frozenset({"test", "tests", _NPU, "torch_npu"})
_PREFIX = "test_"


def twin_stems(path: str) -> Sequence[str]:
    """File names, without suffix, that a copy of the test file ``path`` may go by."""
    stem = file_stem(path)
    bare = stem.removeprefix(_PREFIX)
    npu = "_".join(_NPU if word in _DEVICES else word for word in stem.split("_"))
    without = "_".join(word for word in stem.split("_") if word not in _DEVICES)
    return tuple(dict.fromkeys((stem, npu, without, f"{stem}_{_NPU}", f"{_PREFIX}{_NPU}_{bare}")))


def are_twins(upstream: str, downstream: str) -> bool:
    """Whether two test files lie in corresponding folders and go by corresponding names."""
    return (
        is_test_path(upstream)
        and is_test_path(downstream)
        and _suffix(upstream) == _suffix(downstream)
        and _folders(upstream) == _folders(downstream)
        and _words(upstream) == _words(downstream)
    )


def _folders(path: str) -> Sequence[str]:
    folders = (folder.strip("_") for folder in path.split("/")[:-1])
    return [folder for folder in folders if folder not in _ROOTS]


def _words(path: str) -> Sequence[str]:
    """The words of the name without the device; a name that says nothing else keeps one for all devices."""
    words = file_stem(path).split("_")
    kept = [word for word in words if word not in _DEVICES]
    return [*kept, _NPU] if len(kept) == 1 < len(words) else kept


def _suffix(path: str) -> str:
    return path.rpartition(".")[2]
