"""The real server: it answers, and a stop lets the answer under way end first."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time

import pytest

from reviewbot.errors import SettingsError
from reviewbot.settings_service import ServiceSettings
from reviewbot.web.serving import serve

#: Tells on standard output that a request is being answered, then takes its time.
PROGRAM = """
import asyncio, sys
from fastapi import FastAPI
from reviewbot.settings_service import ServiceSettings
from reviewbot.web.serving import serve
app = FastAPI()
@app.get("/slow")
async def slow():
    print("under way", flush=True)
    await asyncio.sleep(0.5)
    return "done"
serve(app, ServiceSettings(port=int(sys.argv[1]), shutdown_seconds=20))
print("stopped", flush=True)
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_a_stop_lets_the_answer_under_way_end() -> None:
    port = free_port()
    with subprocess.Popen([sys.executable, "-c", PROGRAM, str(port)], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            with connected(port) as client:
                client.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                assert server.stdout.readline() == "under way\n"
                server.send_signal(signal.SIGTERM)
                answer = b"".join(iter(lambda: client.recv(4096), b""))
            assert answer.startswith(b"HTTP/1.1 200")
            assert answer.endswith(b'"done"')
            assert b"server:" not in answer.lower()
            assert server.stdout.readline() == "stopped\n"
        finally:
            server.terminate()


def connected(port: int) -> socket.socket:
    """A connection as soon as somebody listens."""
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=20)
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise AssertionError("the server did not come up")


def test_an_address_in_use_is_told_by_its_key() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"127\.0\.0\.1:{port}.*service\.port"):
            serve(lambda *_: None, ServiceSettings(port=port))  # type: ignore[arg-type]
