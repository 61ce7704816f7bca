"""Errors of ``reviewbot``: one root, subclasses carry the data a message is made of.

ReviewbotError
├── SettingsError        settings that cannot be used; one SettingProblem for each key at fault
├── OptionsError         command line options that contradict each other or lack one another
├── InputFileError       a file the user named (not a diff) cannot be read or written
├── PluginError          a command of another package cannot be loaded
├── RubricError          a rule table that cannot be used (reviewbot.rubric.errors)
├── WriterError          a draft that could not be written, with the reason as a ``WriterFault``
└── StoreError           the database of analyses
    ├── StoreUnavailableError   cannot be opened, read or written just now (rights, disk, lock)
    ├── StoreDamagedError       the file is not a sound database
    ├── StoreForeignError       the file is a database, but not ours
    ├── StoreTooNewError        written by a newer version of this program
    └── AnalysisNotFoundError   no analysis with that number

``str()`` of any of them is for a person: what, where, what to do. The texts are made in ``reviewbot.words``.
Only the outermost runner turns an error into an exit code (``reviewbot.cli.exit_codes``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from reviewbot import words

if TYPE_CHECKING:
    from reviewbot.models import Usage


class ReviewbotError(Exception):
    """Root of all errors this package raises on purpose."""


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """``key`` is dotted (``ledger.limit``), ``source`` says where the value came from, ``sentence`` is the message."""

    key: str
    source: str
    sentence: str


class SettingsError(ReviewbotError):
    """``problems`` holds every key at fault, one sentence each; the message has one line per problem."""

    def __init__(self, problems: tuple[SettingProblem, ...]) -> None:
        super().__init__("\n".join(problem.sentence for problem in problems))
        self.problems = problems


class WriterFault(StrEnum):
    """Why a writer gave no draft."""

    UNAVAILABLE = "unavailable"  # not reachable, or 5xx after all retries
    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    REJECTED = "rejected"  # the endpoint refuses the request: key, model name, parameters, context length
    REFUSED = "refused"  # the model declines to answer
    TRUNCATED = "truncated"  # cut off at the length limit
    EMPTY = "empty"
    INVALID = "invalid"  # not the shape asked for
    WRONG_LANGUAGE = "wrong_language"
    OVER_BUDGET = "over_budget"  # a cap on money would be passed
    MISSING = "missing"  # the file of answers holds none for this change


class WriterError(ReviewbotError):
    """``writer`` is its name, ``fault`` the class of the failure, ``detail`` what the other side said, no secret in it.

    ``usage`` is what was spent before it failed, None when that was nothing.
    """

    def __init__(self, writer: str, fault: WriterFault, detail: str = "", usage: Usage | None = None) -> None:
        super().__init__(words.writer_failed(writer, fault, detail))
        self.writer = writer
        self.fault = fault
        self.detail = detail
        self.usage = usage


class OptionsError(ReviewbotError):
    """``options`` are the options at fault, as typed (``--base``)."""

    def __init__(self, sentence: str, options: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.options = options


class InputFileError(ReviewbotError):
    """``path`` is the file, ``reason`` says why it cannot be used."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(words.input_file_unreadable(path, reason))
        self.path = path
        self.reason = reason


class PluginError(ReviewbotError):
    """``name`` is the command, ``target`` what its entry point names, ``reason`` why it cannot be used."""

    def __init__(self, name: str, target: str, reason: str) -> None:
        super().__init__(words.plugin_broken(name, target, reason))
        self.name = name
        self.target = target
        self.reason = reason


class StoreError(ReviewbotError):
    """``location`` is the database file."""

    def __init__(self, location: str, sentence: str) -> None:
        super().__init__(sentence)
        self.location = location


class StoreUnavailableError(StoreError):
    """``reason`` is what the operating system or SQLite said."""

    def __init__(self, location: str, reason: str) -> None:
        super().__init__(location, words.store_unavailable(location, reason))
        self.reason = reason


class StoreDamagedError(StoreError):
    """The file is left as it is: whoever holds a backup decides."""

    def __init__(self, location: str, reason: str) -> None:
        super().__init__(location, words.store_damaged(location, reason))
        self.reason = reason


class StoreForeignError(StoreError):
    """A sound database that another program made: nothing is written to it."""

    def __init__(self, location: str) -> None:
        super().__init__(location, words.store_foreign(location))


class StoreTooNewError(StoreError):
    """``found`` is the revision of the file, ``known`` the newest one this program has."""

    def __init__(self, location: str, found: str, known: str) -> None:
        super().__init__(location, words.store_too_new(location, found, known))
        self.found = found
        self.known = known


class AnalysisNotFoundError(StoreError):
    """``number`` is the analysis asked for."""

    def __init__(self, location: str, number: int) -> None:
        super().__init__(location, words.analysis_not_found(number))
        self.number = number
