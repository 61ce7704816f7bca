"""Says in one Chinese sentence what is wrong with a command line that could not be parsed."""

from __future__ import annotations

import re
from typing import Any

from typer._click import exceptions  # Typer exports only the root of these; its version is pinned to a minor release

from reviewbot import words as shared
from reviewbot.cli import words

UsageError = exceptions.UsageError
#: Typer has printed the help page already when it raises this.
HelpShown = exceptions.NoArgsIsHelpError


def usage_sentence(error: exceptions.UsageError) -> str:
    """The sentence, with a pointer to the help page of the command at hand."""
    command = error.ctx.command_path if error.ctx is not None else "reviewbot"
    return f"{_problem(error)}{words.see_help(command)}"


def _problem(error: exceptions.UsageError) -> str:
    if isinstance(error, exceptions.NoSuchOption):
        return words.no_such_option(error.option_name, sorted(error.possibilities or ()))
    if isinstance(error, exceptions.MissingParameter):
        return words.missing_parameter(_name(error.param))
    if isinstance(error, exceptions.BadParameter):
        return _bad_value(error)
    if isinstance(error, exceptions.BadOptionUsage):
        if "requires" in error.message:
            return words.option_needs_value(error.option_name)
        return words.option_takes_no_value(error.option_name)
    extra = re.search(r"unexpected extra argument\(s\) \((.*)\)", error.message, re.DOTALL)
    return words.extra_arguments(extra[1]) if extra else words.bad_command_line(error.message)


def _bad_value(error: exceptions.BadParameter) -> str:
    cause: Any = error.__cause__  # pydantic's error, which says more than Typer's English sentence
    if not hasattr(cause, "errors"):
        return words.bad_command_line(error.format_message())
    details = cause.errors(include_url=False)[0]
    parameter: Any = error.param
    choices = parameter.type_descriptor.choices
    if choices:
        expected = shared.expected_choice([str(choice) for choice in choices])
    else:
        expected = shared.expected_value(details["type"], details.get("ctx", {}))
    return words.bad_value(_name(parameter), expected, str(details["input"]))


def _name(parameter: Any) -> str:
    """``--limit`` for an option, ``SOURCE`` for an argument."""
    if parameter is None:
        return ""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper()).strip("[]")
