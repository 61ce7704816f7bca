"""Each check of one sentence, both outcomes."""

from __future__ import annotations

from typing import Any

import pytest

from reviewbot.verification.checks import SENTENCE_CHECKS
from reviewbot.verification.checks.citations import uncited_claims, unknown_ids
from reviewbot.verification.checks.counts import counts
from reviewbot.verification.checks.details import details
from reviewbot.verification.checks.language import not_chinese
from reviewbot.verification.checks.places import lines, paths
from reviewbot.verification.checks.relations import relation_claims
from reviewbot.verification.checks.symbols import symbols
from tests.reviewbot.verify_cases import CHANGE, ask
from tests.support import values

PARTIAL = CHANGE.model_copy(update={"diff_complete": False})
EMPTY = values.ledger(values.missing("spin"))


# --- ids --------------------------------------------------------------------------------------------------------------


def test_an_id_must_exist() -> None:
    assert ask(unknown_ids, "torch_npu 在 [E1] 注册 aten.spin。") == []
    assert ask(unknown_ids, "torch_npu 在 [E10] 注册 aten.spin。") == ["unknown_id"]
    assert ask(unknown_ids, "0 命中（[Z3]）。") == ["unknown_id"]


def test_an_id_must_be_bracketed() -> None:
    assert ask(unknown_ids, "torch_npu 在 E1 注册 aten.spin。") == ["unknown_id"]
    assert ask(unknown_ids, "torch_npu 的 E77 不是编号。") == []


def test_an_id_inside_a_quoted_title_would_forge_a_citation() -> None:
    titled = CHANGE.model_copy(update={"title": "See [E1] and [E99]"})
    assert ask(unknown_ids, "上游提交《See [E1] and [E99]》。", change=titled) == ["unknown_id", "unknown_id"]


@pytest.mark.parametrize(
    "text",
    [
        "torch_npu 覆写了该方法。",
        "NPU 侧已自行实现。",
        "下游不受约束。",
        "该函数未被引用。",
        "全树 0 命中。",
        "mill_npu/gears.py 中有同名函数。",
        "NPUGear 会走到这里。",
        "NPU 的 lowering 与之不同。",
        "签名一致。",
        "torch_npu 无需改码。",
        "验证方法：torch_npu 自有同类逻辑。",
        "潜在风险：mill_npu/gears.py 可能出错。",
        "torch_npu 覆写了该方法（[E44]）。",
    ],
)
def test_a_fact_on_torch_npu_needs_an_id(text: str) -> None:
    assert ask(uncited_claims, text) == ["uncited_claim"]


@pytest.mark.parametrize(
    "text",
    [
        "本 PR 修改 torch/_mill/gears.py，为 spin 新增参数。",
        "上游将 spin 注册为 lowering。",
        "本 PR 覆写 Gear.turn。",
        "验证方法：在 NPU 上运行 test/mill/test_gears.py。",
        "验证方法：在 torch_npu 环境运行新增用例。",
        "潜在风险：覆写若依赖旧约定，会静默出错。",
        "潜在风险：若 torch_npu 依赖旧值，可能静默出错。",
        "影响类型：fork 分叉。",
        "无需适配。",
        "NPU 用户经沿用的代码得到该修复。",
        "torch_npu 覆写了该方法（[E2]）。",
        "torch_npu 0 命中（[Z1]）。",
    ],
)
def test_other_sentences_may_go_without(text: str) -> None:
    assert ask(uncited_claims, text) == []


# --- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "mill_npu/wheel.py 覆写 Gear.turn（[E2]）。",
        "wheel.py 覆写 Gear.turn（[E2]）。",
        "本 PR 修改 torch/_mill/gears.py。",
        "本 PR 修改 gears.py。",
        "改动位于 torch/_mill 目录。",
        "运行 test/mill/test_gears.py::TestGears::test_spin。",
        "运行 test/mill/test_gears.py::TestGears。",
        "运行 test/mill/test_gears.py::test_quiet。",
        "[E8] 挂在 torch/_mill/gears.py 上。",
    ],
)
def test_paths_of_the_change_and_of_cited_places(text: str) -> None:
    assert ask(paths, text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mill_npu/mill.py 覆写 Gear.turn（[E2]）。", "wrong_path"),
        ("mill_npu/wheel.py 覆写 Gear.turn。", "wrong_path"),
        ("mill_npu/other.py 覆写 Gear.turn（[E2]）。", "wrong_path"),
        ("mill_npu/nowhere.py 覆写 Gear.turn（[E2]）。", "wrong_path"),
        ("本 PR 修改 torch/_mill/wheels.py。", "wrong_path"),
        ("本 PR 修改 torch/_mill/spokes.py。", "unknown_name"),
        ("本 PR 修改 mill_npu/.../gears.py。", "wrong_path"),
        ("运行 test/mill/test_wheels.py。", "wrong_path"),
        ("运行 test/mill/test_none.py。", "unknown_name"),
        ("运行 test/mill/test_gears.py::TestGears::test_other。", "unknown_name"),
        ("运行 test/mill/test_gears.py::TestWheels。", "unknown_name"),
    ],
)
def test_paths_of_other_places(text: str, kind: str) -> None:
    assert ask(paths, text) == [kind]


def test_typed_line_numbers() -> None:
    assert ask(lines, "mill_npu/mill.py:5,9 引用 spin（[E3]）。") == []
    assert ask(lines, "引用位于第 9 行（[E3]）。") == []
    assert ask(lines, "本 PR 修改 torch/_mill/gears.py:11。") == []
    assert ask(lines, "mill_npu/mill.py:6 引用 spin（[E3]）。") == ["wrong_line"]
    assert ask(lines, "mill_npu/mill.py:5-9 引用 spin（[E3]）。") == ["wrong_line"]
    assert ask(lines, "引用位于第 7 行（[E3]）。") == ["wrong_line"]
    assert ask(lines, "引用位于 :7（[E3]）。") == ["wrong_line"]
    assert ask(lines, "本 PR 修改 torch/_mill/gears.py:400。") == ["wrong_line"]


# --- symbols ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[E2] 的 NPUGear.turn 覆写 Gear.turn。",
        "[E1] 注册 aten.spin.default。",
        "[E5] 以 spin_npu 替换 spin。",
        "本 PR 改写 torch._mill.gears.Gear.turn 与 torch._mill.config.turbo。",
        "新增 `quiet=False`。",
        "抛 TypeError 与 `self.turn()`。",
        "PyTorch 与 torch.compile 与 CPython。",
        "上游另有 WheelRim。",
        "Brake 0 命中（[Z2]）。",
    ],
)
def test_names_that_resolve(text: str) -> None:
    assert ask(symbols, text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[E2] 的 grind_all 覆写 Gear.turn。", "unknown_name"),
        ("本 PR 改写 Gear.turn_back。", "unknown_name"),
        ("[E1] 注册 aten.spoon。", "unknown_name"),
        ("[E1] 注册 aten.spin_.default。", "unknown_name"),
        ("本 PR 新增 `hush`。", "unknown_name"),
        ("[E2] 的 HookBox.attach 覆写 Gear.turn。", "wrong_scope"),
        ("[E2] 的 WheelRim 覆写 Gear.turn。", "wrong_scope"),
        ("torch_npu 的 spin_lowering 由 [E2] 覆写。", "wrong_scope"),
    ],
)
def test_names_that_do_not(text: str, kind: str) -> None:
    assert ask(symbols, text) == [kind]


# --- counts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[E3] 两处引用 spin。",
        "[E3] 引用 spin，共 2 处。",
        "在 [E1]、[E2] 两处耦合。",
        "spin 共 14 处命中，分布于 6 个文件（[E3]）。",
        "torch_npu 共 13 处耦合，另有 4 处未列出（[E1]）。",
        "检索 77 个文件，Brake 0 命中（[Z2]）。",
        "本 PR 修改 torch/_mill/gears.py（+3/-1）。",
        "本 PR 修改 2 个文件（+23/-1），共 24 行。",
        "本 PR 新增 23 行、删除 1 行。",
        "本 PR 新增 1 个用例。",
        "本 PR 改写 spin（+3/-1）。",
        "本 PR 同时修改 spin 与 Gear.turn 两处。",
    ],
)
def test_counts_that_were_measured(text: str) -> None:
    assert ask(counts, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[E3] 三处引用 spin。",
        "[E1]、[E2] 共 5 处耦合。",
        "spin 共 15 处命中（[E3]）。",
        "[E3] 14 处引用 turn。",
        "torch_npu 另有 5 处未列出（[E1]）。",
        "torch_npu 有 13 处耦合（[E1]）。",
        "检索 78 个文件，Brake 0 命中（[Z2]）。",
        "[E3] 分布于 2 个文件。",
        "本 PR 修改 torch/_mill/gears.py（+3/-2）。",
        "本 PR 修改 3 个文件。",
        "本 PR 共 25 行。",
        "本 PR 新增 2 个用例。",
        "[E6] 的相似度为 95%。",
    ],
)
def test_counts_that_were_not(text: str) -> None:
    assert ask(counts, text) == ["wrong_count"]


@pytest.mark.parametrize(
    "text", ["本 PR 修改 torch/_mill/gears.py（+3/-1）。", "共 24 行。", "本 PR 修改 2 个文件。", "新增 23 行。"]
)
def test_a_partial_diff_allows_no_size(text: str) -> None:
    assert ask(counts, text, change=PARTIAL) == ["wrong_count"]
    assert ask(counts, "[E3] 两处引用 spin。", change=PARTIAL) == []


# --- relations --------------------------------------------------------------------------------------------------------

RIGHT = [
    "torch_npu 在 [E1] 注册 aten.spin。",
    "torch_npu 在 [E2] 覆写 Gear.turn，在 [E3] 引用 spin。",
    "torch_npu 在 [E4] 继承 Gear，在 [E2] 覆写其 Gear.turn。",
    "[E5] 对 spin 做赋值式 patch。",
    "[E6] 是 spin 的 fork 副本。",
    "[E7] 导入 spin。",
    "[E7] 引用 spin。",
    "[E9] 引用配置项 torch._mill.config.turbo。",
    "[E2] 继承 Gear。",
    "torch_npu 未引用 halt（[Z1]）。",
    "halt、Brake 均 0 命中（[Z1][Z2]）。",
    "torch_npu 没有继承 Brake（[Z2]）。",
    "[E8] 是同模块挂钩点，未命中被改符号。",
    "torch_npu 在 [E4] 继承 Gear，未引用 halt（[Z1]）。",
    "[E4] 未覆写 halt（[Z1]）。",
    "[E1] 命中。",
    "耦合链路：torch._mill.gears.spin → [E1] → 编译中断。",
    "[E1] 为 aten.spin 注册了自有实现，替换 torch._mill.gears.spin。",
    "torch_npu 在 [E4] 继承 Gear，其 Gear.turn 随之变化。",
]


@pytest.mark.parametrize("text", RIGHT)
def test_relations_that_hold(text: str) -> None:
    assert ask(relation_claims, text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("torch_npu 在 [E1] 继承 aten.spin。", "wrong_relation"),
        ("torch_npu 在 [E1] 覆写 Gear.turn，在 [E2] 注册 aten.spin。", "wrong_relation"),
        ("[E3] 导入 spin。", "wrong_relation"),
        ("[E5] 覆写 spin。", "wrong_relation"),
        ("[E2] 是 fork 副本。", "wrong_relation"),
        ("[E6] 注册 aten.spin。", "wrong_relation"),
        ("[E1]、[E2] 均覆写 Gear.turn。", "wrong_relation"),
        ("[E4] 覆写 Gear.turn。", "wrong_relation"),
        ("[E2] 覆写 torch._mill.config.turbo。", "wrong_relation"),
        ("torch_npu 引用 halt（[Z1]）。", "wrong_polarity"),
        ("torch_npu 继承 Brake（[Z2]）。", "wrong_polarity"),
        ("torch_npu 在 [E2] 未覆写 Gear.turn。", "wrong_polarity"),
        ("torch_npu 没有引用 spin（[E3]）。", "wrong_polarity"),
        ("spin 0 命中（[E3]）。", "wrong_polarity"),
        ("spin 0 命中（[Z1]）。", "wrong_polarity"),
        ("halt、spin 均 0 命中（[Z1]）。", "wrong_polarity"),
        ("torch_npu 未引用 Gear.turn（[Z1]）。", "wrong_polarity"),
        ("cog 0 命中（[Z1]）。", "wrong_polarity"),
        ("[E1] 0 命中。", "wrong_polarity"),
        ("[E2] 未覆写 halt（[Z1]）。", "wrong_polarity"),
        ("没有子系统级地引用 [E3]。", "wrong_polarity"),
        ("潜在风险：子类若未覆写该方法，会出错。", "uncited_claim"),
    ],
)
def test_relations_that_do_not(text: str, kind: str) -> None:
    assert set(ask(relation_claims, text)) == {kind}


def test_a_risk_names_only_couplings_that_the_ledger_has() -> None:
    text = "潜在风险：fork 副本若沿用旧逻辑，会静默出错。"
    assert ask(relation_claims, text) == []
    assert ask(relation_claims, text, ledger=EMPTY) == ["wrong_relation"]


def test_upstream_prose_is_not_held_against_the_ledger() -> None:
    assert ask(relation_claims, "本 PR 覆写 Gear.turn 并注册新的 lowering。") == []


# --- details ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[E1] 注册 aten.spin，签名与上游不一致，缺少参数 quiet。",
        "[E1] 的签名 (x) 缺少参数 quiet。",
        "[E2] 的签名与上游一致，未回调上游实现。",
        "[E5] 回调原实现。",
    ],
)
def test_details_that_were_measured(text: str) -> None:
    assert ask(details, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[E1] 的签名与上游一致。",
        "[E2] 的签名与上游不一致。",
        "[E3] 的签名与上游一致。",
        "[E2] 回调原实现。",
        "[E5] 未回调原实现。",
        "[E1] 的签名缺少参数 x。",
        "[E2] 的签名缺少参数 quiet。",
        "[E1]、[E2] 的签名均缺少参数 quiet。",
    ],
)
def test_details_that_were_not(text: str) -> None:
    assert ask(details, text) == ["wrong_relation"]


# --- language ---------------------------------------------------------------------------------------------------------


def test_language() -> None:
    assert ask(not_chinese, "将 lowering 的 fallback 改为 decomposition，保留 eager 路径。") == []
    assert ask(not_chinese, "torch/_mill/gears.py [E1]") == []
    assert ask(not_chinese, "This change is safe for NPU users.") == ["not_chinese"]
    assert ask(not_chinese, "これはカタカナのぶんしょうです") == ["not_chinese"]


@pytest.mark.parametrize("text", RIGHT)
def test_right_sentences_pass_every_check(text: str) -> None:
    found: dict[str, Any] = {check.__name__: ask(check, text) for check in SENTENCE_CHECKS}
    assert not [kind for kinds in found.values() for kind in kinds], found


def test_a_symbol_that_looks_like_a_file_name_is_a_name_where_it_is_cited() -> None:
    found = values.ledger(values.reference("torch._mill.config.patch"), values.reference("torch._mill.other.spin"))
    assert ask(paths, "[E1] 与被改代码同样用到 config.patch。", ledger=found) == []
    assert ask(paths, "[E2] 与被改代码同样用到 config.patch。", ledger=found) == ["unknown_name"]
    assert ask(paths, "[E1] 位于 config.patch:3。", ledger=found) == ["unknown_name"]
