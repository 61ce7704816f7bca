"""Runs a dialect as a real HTTP server on this machine, with faults in the way."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

from evals.fake_forges.faults import Fault, Faults


@dataclass(frozen=True, slots=True)
class Call:
    """One request. Header names are lower case, ``path`` is decoded, ``body`` the JSON that was sent."""

    verb: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """``body`` goes out as JSON, text as it is, None as nothing."""

    status: int
    body: object
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = "application/json; charset=utf-8"


class Dialect(Protocol):
    def answer(self, call: Call) -> Answer: ...


_SAID: Mapping[Fault, Answer] = {
    Fault.BAD_GATEWAY: Answer(502, {"message": "bad gateway"}),
    Fault.LIMITED: Answer(429, {"message": "slow down"}, (("Retry-After", "0"),)),
    Fault.LIMITED_SILENTLY: Answer(429, {"message": "slow down"}),
    Fault.LIMITED_LONG: Answer(429, {"message": "slow down"}, (("Retry-After", "3600"),)),
    Fault.FORBIDDEN: Answer(403, {"message": "Resource not accessible by integration"}),
    Fault.OUT_OF_CALLS: Answer(403, {"message": "API rate limit exceeded"}, (("X-RateLimit-Remaining", "0"),)),
    Fault.GARBLED: Answer(200, "<html>"),
}
#: Longer than any client of a test waits.
_HELD_SECONDS = 30.0


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle, killed as a rule, is nothing to report; all else is."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serve(dialect: Dialect, faults: Faults | None = None) -> Iterator[str]:
    """The base URL of a running server, without a slash at its end."""
    plan = faults or Faults()
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            address = urlsplit(self.path)
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(address.query))
            call = Call(self.command, unquote(address.path), query, headers, json.loads(raw) if raw else None)
            fault = plan.next()
            if fault in (Fault.LOST, Fault.HELD):
                dialect.answer(call)
                if fault is Fault.HELD:
                    ended.wait(_HELD_SECONDS)
                self.close_connection = True
                self.connection.close()
                return
            self._send(dialect.answer(call) if fault is None else _SAID[fault])

        do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _handle  # noqa: N815 - names of the base class

        def _send(self, answer: Answer) -> None:
            text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            data = b"" if answer.body is None else text.encode("utf-8", "surrogatepass")
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            """Nothing: tests and demos print what matters."""

    server = _Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
