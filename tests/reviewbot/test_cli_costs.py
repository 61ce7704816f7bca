"""``reviewbot costs``, ``history --by-score``, and what ``doctor`` says of the model."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from reviewbot.cli.exit_codes import ExitCode
from reviewbot.drafting.model.memory import Memory
from reviewbot.models import Usage
from reviewbot.store import open_store
from tests.reviewbot.cli_runs import CommandLine
from tests.reviewbot.test_store_costs import scored, written
from tests.support.scripted_model import closed_port

KEY = "sk-proj-0123456789abcdefghij"


def save(cli: CommandLine, *analyses: Any) -> None:
    with open_store(f"sqlite:///{cli.folder}/share/reviewbot/reviewbot.db") as store:
        for analysis in analyses:
            store.save(analysis)


@pytest.fixture
def spent(cli: CommandLine) -> None:
    usage = Usage(calls=1, prompt_tokens=7_000, cached_tokens=2_000, completion_tokens=500, cost=0.25, currency="CNY")
    save(
        cli,
        written("small", usage, number=7),
        written("big", usage.model_copy(update={"cost": 1.0, "currency": "USD"}), number=8),
        written("template", Usage(), model=None, number=9),
    )


@pytest.mark.usefixtures("spent")
def test_costs_by_day(cli: CommandLine) -> None:
    head, row, total = cli("costs").out.splitlines()
    assert head.split()[:3] == ["日期", "分析", "调用模型"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d +3 +2 +2 +14,000 +4,000 +1,000 +1 USD \+ 0\.25 CNY", row)
    assert total.startswith("合计")
    shown = cli("costs", "--json").json
    (day,) = shown["rows"]
    assert day["day"] == datetime.now().astimezone().date().isoformat()
    assert {key: value for key, value in day.items() if key != "day"} == shown["total"]
    assert shown["total"]["cost"] == {"USD": 1.0, "CNY": 0.25}
    assert shown["requests"] == []


@pytest.mark.usefixtures("spent")
def test_costs_by_model_and_analysis(cli: CommandLine) -> None:
    rows = cli("costs", "--by", "model", "--json").json["rows"]
    assert [(row["model"], row["calls"]) for row in rows] == [("template", 0), ("big", 1), ("small", 1)]
    assert "模板" in cli("costs", "--by", "model").out
    rows = cli("costs", "--by", "analysis", "--json").json["rows"]
    assert [(row["number"], row["upstream_pr"], row["writer"]) for row in rows] == [
        (3, 9, "template"),
        (2, 8, "big"),
        (1, 7, "small"),
    ]
    text = cli("costs", "--by", "analysis", "--limit", "1")
    assert re.search(r"(?m)^3 .* #9 +模板 .*—$", text.out)
    assert "#8" not in text.out
    assert re.search(r"(?m)^合计 .*14,000", text.out), "the total is of all"
    assert "另有 2 行未列出" in text.err
    assert cli.fails("costs", "--by", "week")[0] == ExitCode.USAGE


def test_no_costs_yet(cli: CommandLine) -> None:
    outcome = cli("costs")
    assert (outcome.out, outcome.err) == ("", "数据库里还没有这样的分析。\n")
    assert not (cli.folder / "cache").exists(), "looking creates nothing"


@pytest.mark.usefixtures("spent")
def test_requests_that_no_analysis_tells_of(cli: CommandLine) -> None:
    memory = Memory(cli.folder / "cache" / "reviewbot" / "model.sqlite")
    for day, model in (("2026-03-01", "small"), ("2026-03-01", "big"), ("2026-03-02", "small")):
        number = memory.set_aside(day, model, None, None)
        memory.settle(number, Usage(calls=1, prompt_tokens=1_000, completion_tokens=10, cost=0.5))
    assert re.search(r"(?m)^2026-03-01 +2 +2,000 +0 +20 +1 CNY$", cli("costs").out)
    assert re.search(r"(?m)^small +2 +2,000 +0 +20 +1 CNY$", cli("costs", "--by", "model").out)
    assert "全部请求" not in cli("costs", "--by", "analysis").out
    first = cli("costs", "--json").json["requests"][0]
    assert (first["day"], first["model"], first["cost"]) == ("2026-03-02", "small", {"CNY": 0.5})


@pytest.mark.usefixtures("spent")
def test_a_memory_that_cannot_be_read_costs_a_line(cli: CommandLine) -> None:
    path = cli.folder / "cache" / "reviewbot" / "model.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"notes" * 1000)
    outcome = cli("costs")
    assert outcome.code == ExitCode.OK
    assert "合计" in outcome.out
    assert str(path) in outcome.err


def test_a_list_by_score(cli: CommandLine) -> None:
    save(cli, scored(0.2, number=1), scored(0.9, number=2), scored(0.5, number=3))
    assert [one["upstream_pr"] for one in cli("history", "--by-score", "--json").json] == [2, 3, 1]
    assert [one["needs_work_score"] for one in cli("history", "--json").json] == [0.5, 0.9, 0.2]
    assert re.search(r"(?m)^2 .* #2 .* 0\.90 ", cli("history", "--by-score").out.splitlines()[1])


# --- doctor -----------------------------------------------------------------------------------------------------------


def model_check(cli: CommandLine, *arguments: str) -> Any:
    outcome = cli("doctor", "--json", *arguments)
    assert KEY not in outcome.out
    return {one["name"]: one for one in outcome.json["checks"]}["model"]


def with_model(cli: CommandLine, base_url: str, **changes: str) -> None:
    for name, value in {"NAME": "small", "BASE_URL": base_url, "API_KEY": KEY, **changes}.items():
        cli.set(f"REVIEWBOT_MODEL__{name}", value)


def test_no_model_is_no_fault(cli: CommandLine) -> None:
    check = model_check(cli)
    assert (check["state"], check["found"]) == ("ok", "未配置，草稿由模板撰写")


def test_a_model_is_not_asked_unless_online(cli: CommandLine) -> None:
    with_model(cli, closed_port())
    check = model_check(cli)
    assert check["state"] == "ok"
    assert "已设置密钥，未设置价格" in check["found"]
    check = model_check(cli, "--online")
    assert check["state"] == "failed"
    assert "无法连接" in check["found"]
    assert cli("doctor", "--online").code == ExitCode.UNMET


def test_what_the_model_settings_lack(cli: CommandLine) -> None:
    with_model(cli, closed_port(), COST_PER_DAY="3")
    check = model_check(cli)
    assert check["state"] == "failed"
    assert "price_in" in check["found"]


def test_a_login_in_the_address_is_masked(cli: CommandLine) -> None:
    with_model(cli, "https://me:hunter2@models.example.com/v1")
    assert "hunter2" not in model_check(cli)["found"]


@contextmanager
def models_at(status: int, body: object) -> Iterator[str]:
    """The address of a service that answers every GET alike."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # named by the library
            """Silent."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body", "state", "said"),
    [
        (200, {"object": "list", "data": [{"id": "small", "object": "model"}]}, "ok", "服务可用"),
        (200, {"object": "list", "data": [{"id": "large", "object": "model"}]}, "notice", "服务可用"),
        (404, {"error": {"message": "no such route"}}, "ok", "服务可用"),
        (401, {"error": {"message": f"bad key {KEY}"}}, "failed", "密钥无效"),
        (500, {}, "failed", "HTTP 500"),
    ],
)
def test_a_model_that_is_asked(cli: CommandLine, status: int, body: object, state: str, said: str) -> None:
    with models_at(status, body) as address:
        with_model(cli, address)
        check = model_check(cli, "--online")
    assert (check["state"], said in check["found"]) == (state, True), check
    assert ("large" in check["remedy"]) is (state == "notice")
