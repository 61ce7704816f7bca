"""The command as a process: pipes that close, Ctrl-C, colour, encodings."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from reviewbot.cli.exit_codes import ExitCode
from tests.reviewbot.cli_runs import process
from tests.reviewbot.conftest import Mill

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and terminals of POSIX")


@pytest.mark.parametrize("arguments", [("--help",), ("config", "show"), ("schema",)])
def test_a_reader_that_goes_away(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    run = process(tmp_path, *arguments, stdout=writing)
    os.close(writing)
    _, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (ExitCode.PIPE_CLOSED, b"")


def test_ctrl_c(tmp_path: Path, mill: Mill) -> None:
    """Interrupted while it waits for a patch on standard input."""
    run = process(tmp_path, "analyze", "-", "--downstream", mill.downstream.path, stdin=subprocess.PIPE)
    assert run.stdin is not None
    run.stdin.write(b"#" * 1_000_000)  # far more than a pipe holds: when this returns, the command is reading
    run.stdin.flush()
    run.send_signal(signal.SIGINT)
    output, errors = run.communicate(timeout=60)
    assert run.returncode == ExitCode.INTERRUPTED
    assert (output, errors.decode()) == (b"", "已中断。\n")


def on_a_terminal(folder: Path, *arguments: str, environment: dict[str, str]) -> str:
    """What the command writes when its standard output is a terminal."""
    mother, child = os.openpty()
    run = process(folder, *arguments, stdout=child, environment=environment)
    os.close(child)
    output = b""
    while True:
        try:
            part = os.read(mother, 65536)
        except OSError:  # how a pseudo terminal says that the other side is closed
            break
        if not part:
            break
        output += part
    os.close(mother)
    assert run.wait(timeout=60) == 0
    assert run.stderr is not None
    assert run.stderr.read() == b""
    run.stderr.close()
    return output.decode()


def test_colour_is_for_eyes_that_want_it(tmp_path: Path) -> None:
    colour = "\x1b[36m"
    assert colour in on_a_terminal(tmp_path, "--help", environment={"TERM": "xterm-256color"})
    assert colour not in on_a_terminal(tmp_path, "--help", environment={"TERM": "xterm-256color", "NO_COLOR": "1"})
    never = {"TERM": "xterm-256color", "REVIEWBOT_OUTPUT__COLOR": "never"}
    assert "\x1b[" not in on_a_terminal(tmp_path, "config", "show", environment=never)
    run = process(
        tmp_path, "config", "show", environment={"REVIEWBOT_OUTPUT__COLOR": "always", "TERM": "xterm-256color"}
    )
    output, _ = run.communicate(timeout=60)
    assert b"\x1b[1m" in output


def test_a_terminal_without_chinese(tmp_path: Path, mill: Mill) -> None:
    """Nothing stops for a character the terminal lacks, and JSON stays JSON."""
    plain = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    options = ("--downstream", mill.downstream.path, "--no-save")
    report = process(tmp_path, "analyze", mill.patch, *options, "--json", environment=plain)
    output, errors = report.communicate(timeout=60)
    assert errors == b""
    assert json.loads(output.decode("ascii"))["labels"]["npu_affected"] in {"是", "否"}
    for arguments in (("analyse",), ("--help",)):
        run = process(tmp_path, *arguments, environment=plain)
        output, errors = run.communicate(timeout=60)
        assert b"Traceback" not in errors
        assert (output + errors).isascii()


def test_the_module_is_the_command(tmp_path: Path) -> None:
    run = process(tmp_path, "version")
    output, _ = run.communicate(timeout=60)
    assert output.startswith(b"reviewbot ")
    assert run.returncode == 0
