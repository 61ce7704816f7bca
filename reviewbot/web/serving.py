"""Runs an application until it is told to stop: SIGTERM and SIGINT let the requests under way end first.

uvicorn takes httptools and uvloop by itself where they are installed. Proxy headers are not believed: nothing here
depends on the client's address but the loopback rule of the hooks, which a forged header must not pass.
"""

from __future__ import annotations

import math
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from reviewbot.errors import SettingProblem, SettingsError
from reviewbot.settings_service import ServiceSettings
from reviewbot.web import words


def serve(app: ASGIApp, settings: ServiceSettings) -> None:
    """Returns after an orderly stop. ``SettingsError`` when the address cannot be listened on."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=math.ceil(settings.shutdown_seconds),
    )
    with _listening(settings.host, settings.port) as listener, _stop_signals_end_here():
        uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def _stop_signals_end_here() -> Iterator[None]:
    """uvicorn raises the signal that stopped it once more when it has stopped; whoever called ``serve`` is to go on."""
    stops = (signal.SIGINT, signal.SIGTERM)
    before = {stop: signal.signal(stop, lambda _number, _frame: None) for stop in stops}
    try:
        yield
    finally:
        for stop, handler in before.items():
            signal.signal(stop, handler)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        sentence = words.cannot_listen(host, port, error.strerror or str(error))
        raise SettingsError((SettingProblem("service.port", "", sentence),)) from error
