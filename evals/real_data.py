"""Where the real trees and diffs lie, and how they get there.

    ROOT/upstream/2.13.0/torch/...     Python sources of the torch 2.13.0 wheel (the base)
    ROOT/upstream/2.14.0/torch/...     the same of torch 2.14.0 (the head)
    ROOT/downstream/torch_npu/...      sources of the torch_npu 2.13.0 wheel
    ROOT/diffs/<record id>.diff        one diff per usable labelled record
    ROOT/wheels/*.whl                  the wheels all that came from

A tree counts as present when its files are as many and as large as pinned in ``evals/wheels.py``, so a stopped run or
a deleted file is repaired by the next run, and a complete layout costs a directory walk.
"""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evals import words
from evals.errors import RealDataError
from evals.records import LabelledRecord, usable_records
from evals.release_diff import release_diff
from evals.wheels import DOWNSTREAM, UPSTREAM_BASE, UPSTREAM_HEAD, Wheel, fetch, free_bytes, is_unpacked, unpack
from reviewbot.settings_sources import load_settings

_STAMP = "complete"


class Pins(NamedTuple):
    """The three wheels a layout is made of."""

    base: Wheel = UPSTREAM_BASE
    head: Wheel = UPSTREAM_HEAD
    downstream: Wheel = DOWNSTREAM


PINS = Pins()


@dataclass(frozen=True, slots=True)
class RealData:
    """Paths below one root; nothing is promised to exist before ``prepare``."""

    root: Path
    pins: Pins = PINS

    @property
    def base(self) -> Path:
        return self.root / "upstream" / self.pins.base.version

    @property
    def head(self) -> Path:
        return self.root / "upstream" / self.pins.head.version

    @property
    def downstream(self) -> Path:
        return self.root / "downstream"

    @property
    def wheels(self) -> Path:
        return self.root / "wheels"

    @property
    def diffs(self) -> Path:
        return self.root / "diffs"

    def diff(self, record: LabelledRecord) -> Path:
        return self.diffs / f"{record.id}.diff"

    def is_complete(self, records: Sequence[LabelledRecord]) -> bool:
        """Whether all trees are whole and the diffs are those of ``records``."""
        stamp = self.diffs / _STAMP
        if self._absent_trees() or not stamp.is_file():
            return False
        return stamp.read_text(encoding="ascii") == _fingerprint(records, self.diffs)

    def _absent_trees(self) -> list[tuple[Wheel, Path]]:
        trees = zip(self.pins, (self.base, self.head, self.downstream), strict=True)
        return [(wheel, folder) for wheel, folder in trees if not is_unpacked(wheel, folder)]

    def prepare(self, records: Sequence[LabelledRecord], say: Callable[[str], None]) -> bool:
        """Brings what is missing. True when something was; ``say`` gets sentences for a person before time is spent.

        Safe when two processes do it: the second waits, then finds everything there. Raises FetchError when a wheel
        cannot be had, RealDataError when it is not the pinned one, or when the disk refuses.
        """
        if self.is_complete(records):
            return False
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            with _only_one(self.root / ".lock", say):
                self._lay_trees(say)
                if not self.is_complete(records):
                    say(words.LAYING_DIFFS)
                    self._lay_diffs(records)
        except OSError as error:
            raise RealDataError(str(error.filename or self.root), words.not_writable(error)) from error
        return True

    def _lay_trees(self, say: Callable[[str], None]) -> None:
        absent = self._absent_trees()
        if not absent:
            return
        download = sum(wheel.size for wheel, _ in absent if not (self.wheels / wheel.filename).is_file())
        unpacked = sum(wheel.unpacked for wheel, _ in absent)
        free = free_bytes(self.root)
        if download + unpacked > free:
            raise RealDataError(str(self.root), words.disk_too_small(download + unpacked, free))
        say(words.real_data_plan(download, unpacked, free, self.root))
        for wheel, folder in absent:
            archive = fetch(wheel, self.wheels)
            say(words.unpacking(wheel.filename))
            unpack(wheel, archive, folder)

    def _lay_diffs(self, records: Sequence[LabelledRecord]) -> None:
        """The stamp goes first and comes back last: what lies between never counts as complete."""
        self.diffs.mkdir(exist_ok=True)
        (self.diffs / _STAMP).unlink(missing_ok=True)
        for stale in self.diffs.glob("*.diff"):
            stale.unlink()
        for record in usable_records(records):
            self.diff(record).write_bytes(release_diff(record, self.base, self.head))
        (self.diffs / _STAMP).write_text(_fingerprint(records, self.diffs), encoding="ascii")


def default_root() -> Path:
    """``real-data`` in the cache directory of the settings (``REVIEWBOT_CACHE__DIR`` moves it)."""
    return load_settings().settings.cache.dir / "real-data"


def _fingerprint(records: Sequence[LabelledRecord], diffs: Path) -> str:
    """Changes with the records and with any diff on disk."""
    digest = hashlib.sha256()
    for record in records:
        digest.update(record.model_dump_json().encode())
    for path in sorted(diffs.glob("*.diff")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@contextmanager
def _only_one(path: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Holds a lock that the kernel drops with the process, so a killed run blocks nobody."""
    with path.open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(words.WAITING_FOR_LOCK)
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield
