"""Errors of the local model (`evals.errors` has the root and the exit codes).

EvalsError (1)
└── LocalModelError     a part that is not installed, a server that does not come up, a run that proved nothing
"""

from __future__ import annotations

from evals.errors import EvalsError


class LocalModelError(EvalsError):
    """``str()`` says what is missing or went wrong, and what to do."""
