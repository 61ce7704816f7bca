"""Errors of ``evals``: one root, each class with the exit code its command ends with.

Codes up to 9 have their meaning in ``reviewbot.cli.exit_codes``; those of ``evals`` are 10 to 19.

EvalsError (1)
├── RecordsError      a file of labelled records that does not hold what its model says (source, line, key)
├── RealDataError     real trees that are incomplete, damaged, or do not fit on the disk
│   └── FetchError (10)  wheels that the package index does not give: no network, or not on that index
├── ExportError       an exported analysis that the audit cannot read
├── WeightsError      a table of weights that cannot be tuned or written
├── BenchError        something that a benchmark needs and cannot have
└── and those of the packages, beside what raises them: ``dataset``, ``run``, ``gate``, ``judge``, ``local_model``
"""

from __future__ import annotations

from typing import ClassVar

from evals import words


class EvalsError(Exception):
    """Root. ``str()`` is one sentence for a person: what, where, what to do."""

    exit_code: ClassVar[int] = 1


class RecordsError(EvalsError):
    """``source`` is the file, ``line`` its 1-based line, ``key`` the dotted key at fault ("" for the whole line)."""

    def __init__(self, source: str, line: int, key: str, reason: str) -> None:
        super().__init__(words.wrong_record(source, line, key, reason))
        self.source = source
        self.line = line
        self.key = key
        self.reason = reason


class RealDataError(EvalsError):
    """``subject`` is the wheel, tree or folder concerned."""

    def __init__(self, subject: str, reason: str) -> None:
        super().__init__(f"{subject}：{reason}")
        self.subject = subject
        self.reason = reason


class FetchError(RealDataError):
    """The index could not be asked or does not have the wheel. Whoever can do without it may go on."""

    exit_code: ClassVar[int] = 10


class ExportError(EvalsError):
    """``source`` is the exported file or record."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}：{reason}")
        self.source = source
        self.reason = reason


class WeightsError(EvalsError):
    """``source`` is the file with the table."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}：{reason}")
        self.source = source
        self.reason = reason


class BenchError(EvalsError):
    """``subject`` is what could not be measured or run."""

    def __init__(self, subject: str, reason: str) -> None:
        super().__init__(f"{subject}：{reason}")
        self.subject = subject
        self.reason = reason
