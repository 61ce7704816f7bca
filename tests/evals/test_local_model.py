"""The local model without its weights: what is said when a part is missing, and what is told of a run, step by step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evals import miniature
from evals.local_model.errors import LocalModelError
from evals.local_model.narrating import NarratingWriter
from evals.local_model.server import local_server
from evals.local_model.showing import miniature_changes, show
from evals.local_model.weights import find_weights
from evals.workbench import Workbench, open_workbench
from reviewbot.drafting.model.tokens import estimated_tokens
from tests.reviewbot.model_cases import model_writer
from tests.support.scripted_model import Reply, ScriptedModel, answers, scripted_model

BUDGET = 1_500
TRUE = "torch_npu 以 register_lowering 注册了 aten.stretch [E1]，签名缺少参数 quiet。需修改 [E1]，补上 quiet。"
INVENTED = "torch_npu 覆写了 stretch [E9]。"
HONEST = answers(
    verdict="Shim",
    risk="high",
    needs_adaptation="是",
    compile_stage="Inductor",
    summary="上游为 stretch 新增仅关键字参数 quiet。",
    analysis=TRUE,
)
LIAR = answers(analysis=INVENTED)
SHAPELESS = answers(verdict="Perhaps")


# --- parts that are missing -------------------------------------------------------------------------------------------


def test_what_is_not_installed_is_named_with_the_command() -> None:
    with pytest.raises(LocalModelError, match="没有安装 no_such_runtime、no_such_weights。请运行 make demo-llm"):
        find_weights("no_such_weights", "no_such_runtime")
    with pytest.raises(LocalModelError, match="没有安装 no_such_runtime。"):
        find_weights("json", "no_such_runtime")


def test_weights_are_found_without_importing_their_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "unimportable_weights"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(LocalModelError, match=r"找不到权重文件 \S+/unimportable_weights/\S+\.gguf"):
        find_weights(package.name, "json")
    file = package / "SmolLM2-135M-Instruct.Q4_1.gguf"
    file.write_bytes(b"")
    assert find_weights(package.name, "json") == file
    assert package.name not in sys.modules


def test_a_server_that_does_not_come_up_says_why(tmp_path: Path) -> None:
    missing = tmp_path / "none.gguf"
    reason = rf"没有启动：(failed to open GGUF file '{missing}'|ModuleNotFoundError: No module named 'xllamacpp')"
    with pytest.raises(LocalModelError, match=reason), local_server(missing):
        pytest.fail("nothing is served")


# --- what is told -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("miniature")
    base, downstream = miniature.write_trees(folder)
    with open_workbench(base, downstream, folder / "cache") as opened:
        yield opened


@pytest.fixture
def scripted() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


@pytest.fixture
def told(tmp_path: Path, bench: Workbench, scripted: ScriptedModel) -> Callable[..., tuple[bool, str]]:
    """Whether the run proved the verifier, and everything it said, for a model that gives these replies."""

    def told(*replies: Reply) -> tuple[bool, str]:
        scripted.play(*replies)
        scripted.otherwise = lambda _: pytest.fail("one request too many")
        lines: list[str] = []
        with model_writer(tmp_path, scripted.base_url, capability="json_schema", prompt_tokens=BUDGET) as writer:
            narrated = NarratingWriter(writer, estimated_tokens, BUDGET, lines.append)
            assert (narrated.name, narrated.versions) == (writer.name, writer.versions)
            changes = sorted(miniature_changes(), key=lambda change: change.number or 0)
            return show(bench, narrated, changes, lines.append), "\n".join(lines)

    return told


def test_inventions_are_removed_counted_and_explained(told: Callable[..., tuple[bool, str]]) -> None:
    proved, said = told(LIAR, LIAR)
    assert proved
    assert "收到应答，符合 schema（请求 1 次，提示词 1000 token，输出 100 token" in said
    assert f"    分析：{INVENTED}" in said
    assert f"    - {INVENTED}\n      原因：" in said
    assert "终态：evidence_insufficient（" in said
    assert "需改码 待确认" in said
    assert INVENTED not in said.rpartition("印出的分析：")[2]


def test_an_answer_mended_in_the_second_round_proves_nothing(told: Callable[..., tuple[bool, str]]) -> None:
    proved, said = told(LIAR, HONEST, HONEST, LIAR, LIAR)
    first, _, rest = said.partition("还没有走完全程")
    assert proved, "the second change ends as it should"
    assert "返工后的应答，符合 schema（请求 1 次" in first
    assert "核验删去 0 句\n  终态：done，" in first
    assert "改动 2：" in rest


def test_a_model_without_a_usable_answer_is_a_fault_with_its_reason(told: Callable[..., tuple[bool, str]]) -> None:
    proved, said = told(*[SHAPELESS] * 6)
    assert not proved
    assert (
        said.count("没有草稿：small 未能给出草稿：输出不符合要求的格式（verdict 取值不在允许范围内）（请求 2 次") == 3
    )


def test_a_second_round_without_an_answer_keeps_the_first_draft(told: Callable[..., tuple[bool, str]]) -> None:
    proved, said = told(LIAR, SHAPELESS, SHAPELESS)
    assert proved
    assert "返工没有得到新的草稿，沿用初稿（请求 2 次" in said


def test_what_the_model_says_cannot_play_tricks_on_the_terminal(told: Callable[..., tuple[bool, str]]) -> None:
    trick = answers(analysis=f"\x1b[2J\u202e{INVENTED}" + "很长" * 200)
    _, said = told(trick, trick)
    assert not {"\x1b", "\u202e"} & set(said)
    assert max(map(len, said.splitlines())) < 300
