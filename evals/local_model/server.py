"""Starts and stops the server of the local model, and says how it is reached as a model endpoint.

Contract: ``local_server`` yields a server that is ready, on a free port of 127.0.0.1, and ends it with the block. What
the native code logs is kept out of the way and quoted when it does not come up.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import urlsplit

from evals.local_model import words
from evals.local_model.errors import LocalModelError
from evals.local_model.weights import MODEL
from reviewbot.settings import Capability, ModelSettings

#: What the model was trained for is 8,192; this keeps the memory at 0.4 GB.
CONTEXT_TOKENS = 4_096
PROMPT_TOKENS = 1_500
#: A whole answer takes 100 to 250.
OUTPUT_TOKENS = 300
READY_SECONDS = 120.0
_STOP_SECONDS = 10.0
_LONGEST_CAUSE = 300  # characters
#: ``0.00.003.709 E srv    load_model: failed to load model``
_LOGGED_ERROR = re.compile(r"^[\d.]+ E .*?: (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LocalServer:
    """``address`` is ``http://127.0.0.1:PORT``, ``ready_seconds`` what it took to come up."""

    address: str
    ready_seconds: float

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    def count(self, text: str) -> int:
        """How many tokens ``text`` takes for this very model."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/tokenize", json.dumps({"content": text}), headers)
            return len(json.load(connection.getresponse())["tokens"])
        finally:
            connection.close()


def settings_for(server: LocalServer) -> ModelSettings:
    """The settings a user would write for this endpoint: it takes a JSON schema, and waits instead of failing."""
    return ModelSettings(
        base_url=server.base_url,
        name=MODEL,
        capability=Capability.JSON_SCHEMA,
        timeout_seconds=600,
        retries=0,
        context_tokens=CONTEXT_TOKENS,
        prompt_tokens=PROMPT_TOKENS,
        max_output_tokens=OUTPUT_TOKENS,
    )


@contextmanager
def local_server(weights: Path, context_tokens: int = CONTEXT_TOKENS) -> Iterator[LocalServer]:
    """A server with the model in ``weights``. Raises `LocalModelError` when it does not come up."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "evals.local_model.serving", str(weights), str(context_tokens)]
    with (
        TemporaryFile() as log,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,  # Ctrl-C is ours to answer
        ) as process,
    ):
        try:
            address = _address(process)
            if not address:
                process.wait()
                raise LocalModelError(words.not_started(_cause(log)))
            yield LocalServer(address, time.perf_counter() - began)
        finally:
            _stop(process)


def _address(process: subprocess.Popen[str]) -> str:
    """The line that the server prints when it is ready; empty when it ended, or was ended, before."""
    assert process.stdout is not None
    watchdog = threading.Timer(READY_SECONDS, process.kill)
    watchdog.start()
    try:
        return process.stdout.readline().strip()
    finally:
        watchdog.cancel()


def _stop(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _cause(log: IO[bytes]) -> str:
    """The first error that llama.cpp logged, else the last line, which is that of a traceback."""
    log.seek(0)
    text = log.read().decode(errors="replace").strip()
    said = _LOGGED_ERROR.search(text)
    return (said["text"] if said else text.rpartition("\n")[2])[:_LONGEST_CAUSE].rstrip(".")
