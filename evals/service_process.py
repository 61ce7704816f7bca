"""A service in a process of its own, as demos and soaks need it: started, delivered to, killed, started again."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evals import words
from evals.errors import EvalsError
from reviewbot.events.signatures import sign
from reviewbot.forges.models import ForgeKind

_PATIENCE = 180.0
#: What a delivery of each forge is told apart by: event, id, signature.
_HEADERS: Mapping[ForgeKind, tuple[str, str, str]] = {
    ForgeKind.GITHUB: ("X-GitHub-Event", "X-GitHub-Delivery", "X-Hub-Signature-256"),
    ForgeKind.ATOMGIT: ("X-GitCode-Event", "X-GitCode-Delivery", "X-GitCode-Signature-256"),
}


class ServiceProcess:
    """``settings`` are keys without prefix (``GITHUB__TOKEN``); nothing of the caller's own settings is taken over.

    Raises ``EvalsError`` with the end of the log when the service does not come up.
    """

    def __init__(self, folder: Path, settings: Mapping[str, str], secret: str) -> None:
        self._folder = folder
        self._secret = secret
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REVIEWBOT_")}
        self._environment = {**kept, **{f"REVIEWBOT_{name}": value for name, value in settings.items()}}
        with socket.socket() as chosen:
            chosen.bind(("127.0.0.1", 0))
            self._port = int(chosen.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> int:
        """Ends it in order; its exit code."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(timeout=60)

    def start(self) -> None:
        command = [sys.executable, "-m", "reviewbot", "serve", "--port", str(self._port), "--writer", "template"]
        with (self._folder / "log").open("ab") as told:
            self._process = subprocess.Popen(command, cwd=self._folder, env=self._environment, stdout=told, stderr=told)
        self.wait_for(self._answers)

    def kill(self) -> None:
        """As the kernel does it: no warning, nothing put away."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def deliver(
        self, forge: ForgeKind, identifier: str, event: str, payload: Mapping[str, Any], *, secret: str | None = None
    ) -> int:
        """The status of the answer; 0 when there was none. ``secret`` is another one than the service knows."""
        body = json.dumps(payload).encode()
        names = _HEADERS[forge]
        values = (event, identifier, sign(secret or self._secret, body))
        headers = {"Content-Type": "application/json", **dict(zip(names, values, strict=True))}
        request = urllib.request.Request(f"{self._address}/webhooks/{forge.value}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def wait_for(self, condition: Callable[[], bool], patience: float = _PATIENCE) -> None:
        deadline = time.monotonic() + patience
        while not condition():
            if time.monotonic() > deadline:
                raise EvalsError(words.service_silent(self.log()[-2000:]))
            time.sleep(0.05)

    def log(self) -> str:
        """Everything that it said, over all its starts."""
        return (self._folder / "log").read_text(encoding="utf-8", errors="replace")

    @property
    def _address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._address}/healthz", timeout=2):
                return True
        except OSError:
            return False
