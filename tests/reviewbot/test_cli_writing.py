"""``reviewbot analyze`` with a model: who writes, what it may cost, and what becomes of a model that fails."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reviewbot.cli.exit_codes import ExitCode
from reviewbot.drafting.fallback import FallbackWriter
from reviewbot.drafting.model.money import most_cost
from reviewbot.drafting.template import WRITER as TEMPLATE
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import Usage
from tests.reviewbot.cli_runs import CommandLine
from tests.reviewbot.conftest import Mill
from tests.reviewbot.model_cases import dossier, settings
from tests.support.scripted_model import GOOD, Reply, closed_port, fails, says, scripted_model

KEY = "sk-proj-0123456789abcdefghij"
PRICES = {"PRICE_IN": "2", "PRICE_OUT": "8"}


def with_model(cli: CommandLine, base_url: str, **changes: str) -> None:
    given = {"NAME": "small", "BASE_URL": base_url, "API_KEY": KEY, "RETRIES": "0", "TIMEOUT_SECONDS": "5", **changes}
    for name, value in given.items():
        cli.set(f"REVIEWBOT_MODEL__{name}", value)


def arguments(mill: Mill, *more: str | Path) -> tuple[str | Path, ...]:
    return ("analyze", mill.patch, "--downstream", mill.downstream.path, *more)


def test_a_model_that_is_set_writes(cli: CommandLine, mill: Mill) -> None:
    with scripted_model() as server:
        with_model(cli, server.base_url, **PRICES)
        outcome = cli(*arguments(mill, "--json"))
        assert len(server.requests) == 1
    assert outcome.code == ExitCode.OK
    assert outcome.json["draft"]["writer"] == "small"
    assert outcome.json["usage"]["cost"] == pytest.approx((1000 * 2 + 100 * 8) / 1e6)
    assert outcome.json["usage"]["currency"] == "CNY"
    (said,) = outcome.err.splitlines()
    assert re.fullmatch(r"草稿由模型 small 撰写，提示词约 [\d,]+ token，连同重试与修改最多花费 [\d.]+ CNY。", said)
    shown = cli("show", "1").out
    assert "撰写：small，1 次模型请求，输入 1,000 token，输出 100 token，费用 0.0028 CNY" in shown
    assert "费用 0.0028 CNY" in cli("show", "1", "--format", "comment").out
    assert KEY not in outcome.out + outcome.err + shown


def test_an_answer_from_memory_costs_nothing(cli: CommandLine, mill: Mill) -> None:
    with scripted_model() as server:
        with_model(cli, server.base_url, **PRICES)
        cli(*arguments(mill, "--no-save"))
        again = cli(*arguments(mill, "--no-save"))
        assert len(server.requests) == 1
    assert "撰写：small，应答取自缓存" in again.out


def test_without_prices_nobody_speaks_of_money(cli: CommandLine, mill: Mill) -> None:
    with scripted_model() as server:
        with_model(cli, server.base_url)
        outcome = cli(*arguments(mill))
    assert "未设置价格" in outcome.err
    assert "费用" not in outcome.out


def test_the_template_can_be_asked_for(cli: CommandLine, mill: Mill) -> None:
    with scripted_model() as server:
        with_model(cli, server.base_url)
        outcome = cli(*arguments(mill, "--writer", "template", "--json"))
        assert not server.requests
    assert outcome.json["draft"]["writer"] == TEMPLATE
    assert outcome.err == "草稿由模板撰写。\n"


def test_a_model_that_is_not_set_cannot_be_asked_for(cli: CommandLine, mill: Mill) -> None:
    code, sentence = cli.fails(*arguments(mill, "--writer", "model"))
    assert code == ExitCode.SETTINGS
    assert "REVIEWBOT_MODEL__NAME" in sentence
    assert cli.fails(*arguments(mill, "--writer", "me"))[0] == ExitCode.USAGE


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (fails(401, "bad key"), "服务拒绝了请求"),
        (fails(503), "服务不可用"),
        (says(None, refusal="no"), "模型拒绝回答"),
    ],
)
def test_a_model_that_fails_costs_nobody_the_record(cli: CommandLine, mill: Mill, reply: Reply, said: str) -> None:
    with scripted_model() as server:
        server.otherwise = lambda _: reply
        with_model(cli, server.base_url)
        outcome = cli(*arguments(mill, "--json"))
    assert outcome.code == ExitCode.WRITER
    assert outcome.json["draft"]["writer"] == TEMPLATE
    assert outcome.json["state"] == "done"
    assert said in outcome.json["reason"]
    assert outcome.err.splitlines()[-1] == outcome.json["reason"]
    assert outcome.json["reason"].endswith("本记录由模板撰写。")
    shown = cli("show", "1")
    assert "注意：" in shown.out
    assert f"> 注意：{outcome.json['reason'].partition('（')[0]}" in cli("show", "1", "--format", "comment").out


def test_nobody_there(cli: CommandLine, mill: Mill) -> None:
    with_model(cli, closed_port())
    outcome = cli(*arguments(mill, "--no-save", "--format", "row"))
    assert outcome.code == ExitCode.WRITER
    assert outcome.out
    assert "服务不可用" in outcome.err


def test_what_was_spent_in_vain_is_kept(cli: CommandLine, mill: Mill) -> None:
    with scripted_model() as server:
        server.otherwise = lambda _: says("")
        with_model(cli, server.base_url, **PRICES)
        usage = cli(*arguments(mill, "--json")).json["usage"]
    assert usage["calls"] == 2
    assert usage["cost"] > 0
    assert "撰写：模板，2 次模型请求" in cli("show", "1").out
    (row,) = cli("costs", "--by", "model", "--json").json["rows"]
    assert (row["model"], row["calls"]) == ("small", 2), "the model that was asked in vain"


def test_a_cap_ends_in_a_record_and_a_sentence(cli: CommandLine, mill: Mill) -> None:
    with scripted_model() as server:
        with_model(cli, server.base_url, COST_PER_ANALYSIS="0.0001", **PRICES)
        outcome = cli(*arguments(mill, "--json"))
        assert not server.requests
    assert outcome.code == ExitCode.WRITER
    assert "model.cost_per_analysis" in outcome.err
    assert "最多花费 0.0001 CNY" in outcome.err


def test_plain_cases_are_not_asked_about(cli: CommandLine, mill: Mill) -> None:
    patch = cli.folder / "docs.patch"
    patch.write_text("--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-one\n+two\n", encoding="utf-8")
    with scripted_model() as server:
        with_model(cli, server.base_url)
        outcome = cli("analyze", patch, "--downstream", mill.downstream.path)
        assert not server.requests
    assert outcome.err == "规则已能定案且没有耦合，草稿由模板撰写，不调用模型。\n"
    assert "撰写：模板，未产生模型请求" in outcome.out


# --- the most a draft can cost ----------------------------------------------------------------------------------------


def test_the_most_is_never_passed(cli: CommandLine, mill: Mill) -> None:
    """The dearest way to a draft: every answer as long as it may be, the first of each pair useless."""
    with scripted_model() as server:
        wrong = json.dumps(GOOD | {"analysis": "torch_npu 继承了 halt [E9]。"}, ensure_ascii=False)
        useless, dear = says("", completion=2_500), says(wrong, prompt=5_000, completion=5_000)
        server.play(useless, dear, useless, dear)
        with_model(cli, server.base_url, **PRICES)
        outcome = cli(*arguments(mill, "--json"))
        assert len(server.requests) == 4
    said = re.search(r"最多花费 ([\d.]+)", outcome.err)
    assert said is not None
    assert outcome.json["usage"]["cost"] <= float(said[1])


def test_the_most_grows_with_what_may_be_asked() -> None:
    priced = settings(price_in=2.0, price_out=8.0)
    once = most_cost(priced, 1_000)
    assert once is not None
    assert once > (1_000 * 2 + 2_500 * 8) / 1e6
    more = most_cost(settings(price_in=2.0, price_out=8.0, fallbacks=("b",)), 1_000)
    assert more == pytest.approx(2 * once)
    assert most_cost(settings(price_in=2.0, price_out=8.0, cost_per_analysis=0.001), 1_000) == 0.001
    assert most_cost(settings(), 1_000) is None


# --- the fallback -----------------------------------------------------------------------------------------------------


class Failing:
    name = "small"
    versions = {"model": "small"}  # noqa: RUF012

    def write(self, given: object) -> None:
        raise WriterError("small", WriterFault.TIMEOUT, usage=Usage(calls=1, prompt_tokens=9))

    def repair(self, *given: object) -> None:
        pytest.fail("the template has nothing to repair")


def test_the_template_stands_in() -> None:
    writer = FallbackWriter(Failing())  # type: ignore[arg-type]
    assert writer.versions == {"model": "small"}
    written = writer.write(dossier())
    assert written.draft.writer == TEMPLATE
    assert written.usage == Usage(calls=1, prompt_tokens=9)
    assert writer.failure is not None
    assert writer.failure.fault is WriterFault.TIMEOUT
    assert writer.repair(dossier(), written, ()) is None
    assert set(writer.versions) == {"model", "template"}
    assert writer.name == "small"
