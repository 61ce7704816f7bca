"""What a cited sentence has to say; acts, contact and repeated instructions: what falls and what stays."""

from __future__ import annotations

import pytest

from retrieval.models import ChangeKind, Relation
from reviewbot.verification.checks.acts import acts
from reviewbot.verification.checks.bearing import bearing
from reviewbot.verification.checks.contact import contact
from reviewbot.verification.checks.instructions import repeated_instructions
from reviewbot.verification.checks.symbols import symbols
from tests.reviewbot.verify_cases import ask, checked
from tests.support import values

# --- bearing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "天气晴朗，适合合入 [E1]。",
        "[E3] 写得很清楚，值得参考。",
        "[E1]、[Z1]。",
        "据此可以得出显而易见的结果（[Z2]）。",
        "torch_npu 一切照旧 [E2]。",
        "torch_npu 在 [E1] 注册 aten.spin，总体来看一切照旧 [E3]。",
        "总体来看一切照旧 [E3]，同时 torch_npu 在 [E1] 注册 aten.spin。",
        "WheelRim 令人放心 [E3]。",
        "待确认项：[E1] 没什么好担心的。",
    ],
)
def test_an_id_behind_small_talk_proves_nothing(text: str) -> None:
    assert "uncited_claim" in ask(bearing, text)


@pytest.mark.parametrize(
    "text",
    [
        "torch_npu 在 [E1] 注册 aten.spin。",
        "grind 会走到新路径 [E3]。",
        "mill_npu/mill.py 是唯一的入口 [E3]。",
        "spin 的默认值变化会传到 [E3]。",
        "foo 0 命中（[Z1]）。",
        "[E3] 共 2 处。",
        "[E2] 的签名与上游一致。",
        "[E1] 缺少关键字参数。",
        "需要修改 [E1]、[E2]。",
        "torch_npu 中最相关的位置是 [E1]。",
        "[E1]：spin_lowering 注册了 aten.spin。",
        "耦合链路：torch._mill.gears.spin → [E1] → 编译中断。",
        "grind 引用 spin，见 [E3]。",
        "验证方法：在 NPU 上运行 [E3] 一带的用例。",
        "待确认项：比对 [E6] 与上游新实现。",
        "总体来看一切照旧。",
    ],
)
def test_a_name_a_relation_a_number_or_a_task_is_enough(text: str) -> None:
    assert ask(bearing, text) == []


def test_an_id_that_does_not_exist_is_for_another_check() -> None:
    assert ask(bearing, "天气晴朗 [E77]。") == []


def test_small_talk_is_removed_and_the_rest_stays() -> None:
    done = checked("torch_npu 在 [E1] 注册 aten.spin。天气晴朗，适合合入 [E2]。")
    assert done.analysis == "torch_npu 在 [E1] 注册 aten.spin。"
    assert done.removed == ("天气晴朗，适合合入 [E2]。",)


# --- a scope that is written like a word of prose ---------------------------------------------------------------------

PLAIN = values.ledger(
    values.reference(path="mill_npu/mill.py", scope="Mill.graph", lines=(5,)),
    values.reference(path="mill_npu/other.py", scope="grind", lines=(9,)),
)


@pytest.mark.parametrize(
    "text",
    [
        "torch_npu 的 graph 引用了 torch._mill.gears.spin（[E2]）。",
        "graph 里直接引用 torch._mill.gears.spin，见 [E2]。",
    ],
)
def test_a_plain_word_before_a_relation_is_a_scope(text: str) -> None:
    assert "wrong_scope" in ask(symbols, text, ledger=PLAIN)
    assert ask(symbols, text.replace("E2", "E1"), ledger=PLAIN) == []


@pytest.mark.parametrize(
    "text",
    [
        "graph 属于同子系统挂钩点（[E2]），并未直接命中被改符号。",
        "graph 只是同一子系统里的挂钩点 [E2]。",
        "graph 位于 [E2]。",
    ],
)
def test_a_plain_word_before_a_kind_of_place_is_a_scope(text: str) -> None:
    near = values.ledger(
        values.reference(path="mill_npu/mill.py", scope="Mill.graph", lines=(5,)),
        values.hook(path="mill_npu/hooks.py", scope="HookBox.attach", relation=Relation.SAME_MODULE),
    )
    assert ask(symbols, text, ledger=near) == ["wrong_scope"]
    assert ask(symbols, text.replace("E2", "E1"), ledger=near) == []


def test_a_plain_word_elsewhere_is_prose() -> None:
    assert ask(symbols, "torch_npu 构建 graph 时 grind 引用了 torch._mill.gears.spin（[E2]）。", ledger=PLAIN) == []


# --- acts -------------------------------------------------------------------------------------------------------------

FARED = values.delta(
    values.definition("spin"),
    values.definition("halt", ChangeKind.REMOVED),
    values.definition("brake", ChangeKind.ADDED),
    values.definition("coast", ChangeKind.RENAMED, old_qualname="roll"),
)


@pytest.mark.parametrize(
    "text",
    [
        "上游改写 spin 的实现。",
        "上游删除 halt。",
        "上游新增 brake。",
        "上游新增 coast。",
        "上游删除 roll。",
        "上游没有删除 spin。",
        "上游新增 spin 的参数 quiet。",
        "上游新增 unknown_thing。",
    ],
)
def test_what_upstream_did_may_be_said(text: str) -> None:
    assert ask(acts, text, delta=FARED) == []


@pytest.mark.parametrize(
    "text",
    ["上游删除 spin。", "上游新增 halt。", "上游删除了函数 `brake`。", "上游改写 halt、brake。", "上游删除 coast。"],
)
def test_what_upstream_did_not_do_falls(text: str) -> None:
    assert "wrong_relation" in ask(acts, text, delta=FARED)


# --- contact ----------------------------------------------------------------------------------------------------------


def test_a_neighbour_is_no_hit() -> None:
    assert ask(contact, "[E8] 命中被改符号。") == ["wrong_relation"]
    assert ask(contact, "[E8] 未命中被改符号。") == []
    assert ask(contact, "[E3] 命中被改符号。") == []


def test_one_neighbour_among_hits_falls() -> None:
    assert ask(contact, "[E3]、[E8] 命中被改符号。") == ["wrong_relation"]


def test_the_whole_class_may_be_hit_where_one_of_its_members_is() -> None:
    near = values.ledger(values.subclass(relation=Relation.ENCLOSING))
    assert ask(contact, "[E1] 命中被改的类。", ledger=near) == []
    assert ask(contact, "[E1] 命中被改的方法。", ledger=near) == ["wrong_relation"]


# --- instructions -----------------------------------------------------------------------------------------------------


def test_a_run_of_the_prompt_is_no_judgement() -> None:
    assert ask(repeated_instructions, "上面的记录没有通过核验，下面逐条列出未通过的原句与原因。") == ["uncited_claim"]
    assert ask(repeated_instructions, "上 面 的 记 录 没有通过核验。下面逐条列出未通过的原句") == ["uncited_claim"]


def test_a_sentence_of_a_record_repeats_nothing() -> None:
    assert ask(repeated_instructions, "torch_npu 在 [E1] 注册 aten.spin，签名缺少参数 quiet。") == []
