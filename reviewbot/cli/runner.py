"""The outermost runner: the only place that catches broadly, and the only one that knows exit codes and tracebacks."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Any

from retrieval.errors import RetrievalError
from reviewbot.cli import words
from reviewbot.cli.exit_codes import ExitCode, exit_code_of
from reviewbot.cli.options import RunState
from reviewbot.cli.output import PipeClosedError, abandon_stdout, complain, tolerate_any_text
from reviewbot.cli.usage import HelpShown, UsageError, usage_sentence
from reviewbot.errors import ReviewbotError


def run(command: Any, arguments: Sequence[str], program: str = "reviewbot") -> int:
    """Run a Typer command line to its exit code. Nothing but ``SystemExit`` of a plug-in escapes."""
    tolerate_any_text()
    state = RunState()
    try:
        result = command.main(args=list(arguments), prog_name=program, standalone_mode=False, obj=state)
        sys.stdout.flush()
    except (PipeClosedError, BrokenPipeError):
        abandon_stdout()
        return ExitCode.PIPE_CLOSED
    except KeyboardInterrupt:
        result = ExitCode.INTERRUPTED
    except HelpShown:
        return ExitCode.USAGE
    except Exception as error:  # noqa: BLE001 the outermost runner
        return _told(error, state)
    if result == ExitCode.INTERRUPTED:
        complain(words.INTERRUPTED)
    return result if isinstance(result, int) else ExitCode.OK


def _told(error: Exception, state: RunState) -> int:
    if state.debug:
        complain("".join(traceback.format_exception(error)).rstrip("\n"))
    if isinstance(error, UsageError):
        complain(usage_sentence(error))
        return ExitCode.USAGE
    if isinstance(error, ReviewbotError | RetrievalError) or isinstance(getattr(type(error), "exit_code", None), int):
        complain(words.sentence(str(error)))
        return exit_code_of(error)
    complain(words.unforeseen_error(f"{type(error).__name__}: {error}", hint=not state.debug))
    return ExitCode.FAILED
