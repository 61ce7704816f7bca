"""What a path alone says about a change: test, documentation, build, or the code of one device.

Device rule, on purpose a narrow one: NPU code rides on the shared "gpu", "privateuse1" and ``cpp_wrapper_*`` paths, so
a file is a device's own only when a folder or a word of its stem names the device. ``cpu`` counts as a folder or as
the first word of a stem (``cpu_vec_isa.py``): elsewhere it often names the base that the other devices derive from.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath

from retrieval.models import Nature

# Words of paths and definition names, and the device whose code they mark.
DEVICE_WORDS = {
    "cuda": "cuda",
    "cudnn": "cuda",
    "cutlass": "cuda",
    "cublas": "cuda",
    "nvrtc": "cuda",
    "nccl": "cuda",
    "rocm": "rocm",
    "hip": "rocm",
    "hipify": "rocm",
    "miopen": "rocm",
    "rccl": "rocm",
    "xpu": "xpu",
    "sycl": "xpu",
    "mps": "mps",
    "metal": "mps",
    "mtia": "mtia",
    "mkldnn": "cpu",
    "onednn": "cpu",
    "cpu": "cpu",
}
_TEST_PARTS = frozenset({"test", "tests", "testing", "benchmarks"})
_TEST_STEM = re.compile(r"test_\w*|\w*_tests?|conftest")
_DOC_PARTS = frozenset({"doc", "docs"})
_DOC_SUFFIXES = frozenset({".md", ".rst", ".ipynb"})
_BUILD_PARTS = frozenset(
    {".github", ".ci", ".circleci", ".devcontainer", ".vscode", "cmake", "third_party", "docker", "scripts"}
)
_BUILD_NAMES = re.compile(
    r"CMakeLists\.txt|setup\.(?:py|cfg)|pyproject\.toml|requirements[\w.-]*\.txt|Makefile|Dockerfile|BUILD(?:\.bazel)?"
    r"|WORKSPACE|CODEOWNERS|\..+|(?:mypy|pytest|pyrefly|ruff|tox)[\w-]*\.(?:ini|toml)|buckbuild\.bzl|version\.txt"
)
_BUILD_SUFFIXES = frozenset({".cmake", ".bzl", ".bazel", ".sh", ".bat", ".ps1"})
_WORD = re.compile(r"[A-Za-z]+")


def nature_of_path(path: str) -> Nature | None:
    """``TEST``, ``DOCS``, ``BUILD`` or ``DEVICE`` when the path says so, in this order; null for plain code."""
    if is_test_path(path):
        return Nature.TEST
    pure = PurePosixPath(path)
    if _DOC_PARTS & set(pure.parts[:-1]) or pure.suffix in _DOC_SUFFIXES:
        return Nature.DOCS
    if _BUILD_PARTS & set(pure.parts[:-1]) or pure.suffix in _BUILD_SUFFIXES or _BUILD_NAMES.fullmatch(pure.name):
        return Nature.BUILD
    return Nature.DEVICE if device_of_path(path) is not None else None


@lru_cache(1 << 14)  # a ledger asks for the same few files over and over
def is_test_path(path: str) -> bool:
    """Tests, and what exists for tests: folders ``test``, ``tests``, ``testing``; ``test_*.py``, ``*_test.cpp``."""
    pure = PurePosixPath(path)
    return bool(_TEST_PARTS & set(pure.parts[:-1])) or _TEST_STEM.fullmatch(pure.stem) is not None


def device_of_path(path: str) -> str | None:
    """The device whose own code a file is; null for shared code and for paths that name two devices."""
    pure = PurePosixPath(path)
    stem = [word.lower() for word in _WORD.findall(pure.stem.replace("_", " "))]
    words = {part.lower() for part in pure.parts[:-1]} | {word for word in stem if word != "cpu"}
    if stem[:1] == ["cpu"] and len(stem) > 1:
        words.add("cpu")
    return _only({DEVICE_WORDS[word] for word in words if word in DEVICE_WORDS})


def _only(devices: set[str]) -> str | None:
    return next(iter(devices)) if len(devices) == 1 else None
