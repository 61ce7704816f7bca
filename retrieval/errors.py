"""Errors of ``retrieval``: one root, subclasses carry the data a message is made of.

RetrievalError
├── SourceTreeError      a tree, revision or file that cannot be read
├── ChangeError          a diff, patch or pull request that cannot be read (source, line)
└── IndexCacheError      the facts cache cannot be opened or written
"""

from __future__ import annotations


class RetrievalError(Exception):
    """Root. ``str()`` of any subclass is one sentence for a person: what, where, what to do."""


class SourceTreeError(RetrievalError):
    """``location`` is the path, revision or file that failed."""

    def __init__(self, location: str, reason: str) -> None:
        super().__init__(f"{location}：{reason}")
        self.location = location
        self.reason = reason


class ChangeError(RetrievalError):
    """``source`` is the file or reference given, ``line`` its 1-based line when one is to blame."""

    def __init__(self, source: str, reason: str, line: int | None = None) -> None:
        where = source if line is None else f"{source}:{line}"
        super().__init__(f"{where}：{reason}")
        self.source = source
        self.reason = reason
        self.line = line


class IndexCacheError(RetrievalError):
    """``path`` is the cache file."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}：{reason}")
        self.path = path
        self.reason = reason


class DamagedCacheError(IndexCacheError):
    """The cache file is damaged; nothing in it is lost for good."""
