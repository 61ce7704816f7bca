"""Errors of runs, each with the exit code its command ends with (`evals.errors` has the root and the other codes).

EvalsError (1)
├── RunFolderError    a run that cannot be read or written, is in use, or was written by a newer version
│   └── OtherRunError    the name is taken by a run made under other conditions
├── SelectionError    a split that does not exist, or a selection without a record
├── AnswersError      a file of answers that does not hold what it should (source, line)
└── WorkerError       a worker that could not open the trees

Beside them a run may end in a code that is no error of the command: `Ending`.
"""

from __future__ import annotations

from evals.errors import EvalsError
from evals.run import words


class RunFolderError(EvalsError):
    """``location`` is the folder or file."""

    def __init__(self, location: str, reason: str) -> None:
        super().__init__(f"{location}：{reason}")
        self.location = location
        self.reason = reason


class OtherRunError(RunFolderError):
    """``differences`` are one phrase each: what it is, how it was, how it would be."""

    def __init__(self, location: str, differences: tuple[str, ...]) -> None:
        super().__init__(location, words.other_run(differences))
        self.differences = differences


class SelectionError(EvalsError):
    """No record can be chosen that way."""


class AnswersError(EvalsError):
    """``source`` is the file, ``line`` its 1-based line, ``key`` the dotted key at fault ("" for the whole line)."""

    def __init__(self, source: str, line: int, key: str, reason: str) -> None:
        super().__init__(words.wrong_answer(source, line, key, reason))
        self.source = source
        self.line = line
        self.key = key


class WorkerError(EvalsError):
    """``reason`` is what the worker said."""

    def __init__(self, reason: str) -> None:
        super().__init__(words.worker_failed(reason))
        self.reason = reason
