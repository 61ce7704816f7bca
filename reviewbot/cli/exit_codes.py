"""Exit codes of the ``reviewbot`` command, in one place: the help, the README and the tests read them from here."""

from __future__ import annotations

from enum import IntEnum

from retrieval.errors import ChangeError, IndexCacheError, SourceTreeError
from reviewbot.errors import InputFileError, OptionsError, SettingsError, StoreError, WriterError


class ExitCode(IntEnum):
    """``reviewbot.words.EXIT_CODE_HELP`` says each in Chinese."""

    OK = 0
    FAILED = 1  # the analysis failed, or an error nobody foresaw
    USAGE = 2
    SETTINGS = 3
    INPUT = 4  # the change, or a file that describes it, cannot be read
    TREE = 5
    CACHE = 6
    STORE = 7
    UNMET = 8  # doctor: something required is missing
    UNSETTLED = 9  # the analysis ended, but not as done
    WRITER = 20  # the model gave no draft; the template wrote the record. 10 to 19 are codes of ``evals``
    INTERRUPTED = 130  # Ctrl-C, as shells count signals
    PIPE_CLOSED = 141  # the reader of our output went away


_CODES: tuple[tuple[type[Exception], ExitCode], ...] = (
    (OptionsError, ExitCode.USAGE),
    (SettingsError, ExitCode.SETTINGS),
    (ChangeError, ExitCode.INPUT),
    (InputFileError, ExitCode.INPUT),
    (SourceTreeError, ExitCode.TREE),
    (IndexCacheError, ExitCode.CACHE),
    (StoreError, ExitCode.STORE),
    (WriterError, ExitCode.WRITER),
)


def exit_code_of(error: Exception) -> int:
    """The code of a foreseen error. A plug-in's own error class may name its code in ``exit_code``."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    own = getattr(type(error), "exit_code", None)
    return own if isinstance(own, int) else ExitCode.FAILED
