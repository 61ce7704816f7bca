"""Errors of ``reviewbot eval judge``; all end in exit code 1.

EvalsError
├── JudgeError     a run that offers nothing to judge, or too little to calibrate with
└── GradesError    a sheet of grades that does not hold what it should; one `GradeProblem` for each fault
"""

from __future__ import annotations

from typing import NamedTuple

from evals.errors import EvalsError
from evals.judge import words


class JudgeError(EvalsError):
    """``str()`` says what is lacking and how to get it."""


class GradeProblem(NamedTuple):
    """``line`` is 1-based, as a spreadsheet numbers its rows; ``column`` the key of the column, "" for the row."""

    line: int
    column: str
    reason: str


class GradesError(EvalsError):
    """``problems`` holds every fault of ``source``; the message has one line for each."""

    def __init__(self, source: str, problems: tuple[GradeProblem, ...]) -> None:
        super().__init__("\n".join(words.grade_problem(source, *problem) for problem in problems))
        self.source = source
        self.problems = problems
