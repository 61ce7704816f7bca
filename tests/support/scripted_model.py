"""A real HTTP server that speaks OpenAI's chat protocol and says what a test tells it to, failures included.

``server.play(...)`` queues replies; an exhausted queue falls back to ``server.otherwise``. Every request is kept as it
came. ``closed_port`` is an address that nobody listens at.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD: dict[str, Any] = {
    "verdict": "Test",
    "risk": "medium",
    "needs_adaptation": "否",
    "needs_cann": "否",
    "npu_affected": "是",
    "compile_stage": None,
    "needs_work_score": 0.4,
    "summary": "上游为 spin 新增仅关键字参数 quiet。",
    "analysis": "torch_npu 以赋值式 patch 替换了 spin [E1]。建议在 NPU 上运行相关用例并与 CPU 结果比对。",
}


@dataclass(frozen=True)
class Request:
    """Header names are lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def model(self) -> str:
        return str(self.body["model"])

    @property
    def capability(self) -> str:
        """How the shape of the answer is asked for."""
        if "tools" in self.body:
            return "function_calling"
        kind = self.body.get("response_format", {}).get("type")
        return {"json_schema": "json_schema", "json_object": "json_mode", None: "prompted"}[kind]


@dataclass(frozen=True)
class Reply:
    """``hang_up`` closes the connection without a word; ``delay`` is in seconds."""

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hang_up: bool = False


def says(
    text: str | None,
    *,
    finish: str = "stop",
    prompt: int = 1000,
    cached: int = 0,
    completion: int = 100,
    **message: object,
) -> Reply:
    """A chat completion with that text."""
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    return Reply(
        body={"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    )


def answers(**changes: object) -> Reply:
    """A good answer, with some keys changed; a key changed to ``...`` is left out."""
    given = {key: value for key, value in {**GOOD, **changes}.items() if value is not ...}
    return says(json.dumps(given, ensure_ascii=False))


def calls(arguments: str, **reply: Any) -> Reply:
    """A completion that calls the function with these arguments."""
    call = {"id": "t1", "type": "function", "function": {"name": "record", "arguments": arguments}}
    return says(None, finish="tool_calls", tool_calls=[call], **reply)


def fails(status: int, message: str = "no", code: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI words it. Header names take underscores for dashes."""
    told = {"message": message, "type": "error", "param": None, "code": code}
    return Reply(status, {"error": told}, {name.replace("_", "-"): value for name, value in headers.items()})


class ScriptedModel:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.otherwise: Callable[[Request], Reply] = lambda _: answers()
        self._script: deque[Reply] = deque()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def play(self, *replies: Reply) -> None:
        self._script.extend(replies)

    def reply_to(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            scripted = self._script.popleft() if self._script else None
        return scripted or self.otherwise(request)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:  # named by the library
                length = int(self.headers["Content-Length"])
                sent = self.rfile.read(length)
                body = json.loads(sent) if self.headers["Content-Type"] == "application/json" else {}
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = model.reply_to(Request(self.path, headers, body))
                time.sleep(reply.delay)
                if reply.hang_up:
                    self.close_connection = True
                    return
                told = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                try:
                    self.send_response(reply.status)
                    self.send_header("Content-Type", "application/json")
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(told)))
                    self.end_headers()
                    self.wfile.write(told)
                except OSError:  # the client stopped waiting, as the test meant it to
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # named by the library
                """Requests are kept, not printed."""

        return Handler


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    model = ScriptedModel()
    try:
        yield model
    finally:
        model.close()


def closed_port() -> str:
    """An address of this machine where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
