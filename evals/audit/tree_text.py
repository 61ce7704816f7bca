"""All text of one tree, read plainly, and a whole-word search over it.

A word ends where no ASCII letter, digit or underscore follows, and begins alike; Chinese characters are no part of a
word (``创建Pool选项`` holds ``Pool``), which is why the search works on bytes. A file with a NUL byte in its first
8,000 is binary, as git has it, and neither searched nor counted. ``*.dist-info`` at the top of an unpacked wheel
describes the installation, ``.git`` and byte code are no sources: a claim about the tree is not about them.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

_BINARY_PROBE = 8000
_OUTSIDE = re.compile(r"^[^/]+\.dist-info/|(^|/)(\.git|__pycache__)/")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class TreeText:
    """``files`` maps POSIX paths below the root to bytes; binary files are left out."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = {
            path: content
            for path, content in files.items()
            if b"\0" not in content[:_BINARY_PROBE] and not _OUTSIDE.search(path)
        }

    @classmethod
    def read(cls, location: Path) -> TreeText:
        """A folder, or a wheel or other zip file."""
        if location.is_file():
            with zipfile.ZipFile(location) as archive:
                names = [info.filename for info in archive.infolist() if not info.is_dir()]
                return cls({name: archive.read(name) for name in names})
        paths = [path for path in location.rglob("*") if path.is_file() and not path.is_symlink()]
        return cls({path.relative_to(location).as_posix(): path.read_bytes() for path in paths})

    def lines(self, path: str) -> list[bytes] | None:
        """Lines of a file without their ends, None when the tree does not have it."""
        content = self.files.get(path)
        return None if content is None else content.split(b"\n")

    def has_word_on(self, path: str, line: int, word: str) -> bool:
        """Whether 1-based ``line`` of ``path`` holds ``word`` as a whole word."""
        lines = self.lines(path) or []
        return 1 <= line <= len(lines) and next(_occurrences(lines[line - 1], word.encode()), None) is not None

    def count(self, word: str) -> tuple[int, int]:
        """Number of lines and of files that hold ``word`` as a whole word."""
        lines: set[tuple[int, int]] = set()
        files: set[int] = set()
        text, starts = self._joined
        at = 0
        for position in _occurrences(text, word.encode()):
            while at + 1 < len(starts) and starts[at + 1] <= position:
                at += 1
            files.add(at)
            lines.add((at, text.rfind(b"\n", starts[at], position)))
        return len(lines), len(files)

    @cached_property
    def _joined(self) -> tuple[bytes, list[int]]:
        """All files in one text, a NUL between two so that no word spans them, and where each begins."""
        starts, position = [], 0
        for content in self.files.values():
            starts.append(position)
            position += len(content) + 1
        return b"\0".join(self.files.values()), starts


def _occurrences(text: bytes, word: bytes) -> Iterator[int]:
    position = text.find(word)
    while position >= 0 and word:
        end = position + len(word)
        starts = position == 0 or text[position - 1] not in _WORD_BYTES
        if starts and (end == len(text) or text[end] not in _WORD_BYTES):
            yield position
        position = text.find(word, position + 1)
