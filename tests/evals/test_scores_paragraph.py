"""The six parts: each is seen where it is, in several ways of writing, and not where something only looks like it."""

from __future__ import annotations

import pytest

from evals.scores.paragraph import PARTS, parts_of

WHOLE = (
    "本 PR 属 A 轨，改动 torch/_mill/gears.py（+3/-1）：为 spin 新增参数 oil。mill_npu/gears.py:12 引用 spin，"
    "Gadget 0 命中。耦合链路：spin → mill_npu/gears.py:12 → 调用处抛 TypeError。影响类型：接口不兼容。"
    "验证方法：在 NPU 设备上运行 test/test_gears.py 的 test_spin。潜在风险：不传 oil 的用例照常通过。"
)


def has(text: str) -> set[str]:
    return {part for part, there in parts_of(text).items() if there}


def test_a_paragraph_in_the_order_of_the_rubric_has_all() -> None:
    assert has(WHOLE) == set(PARTS)
    assert tuple(parts_of(WHOLE)) == PARTS
    assert has("") == set()


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("change", "上游修复 torch/_mill/gears.py 中的空转。"),
        ("change", "该 PR 将 spin_once 改名。"),
        ("change", "重构 Gears.spin 的返回值。"),
        ("change", "这是 B轨 新功能。"),
        ("search", "下游见 [E3]。"),
        ("search", "对 spin 执行 git grep，未见使用。"),
        ("search", "全部零引用。"),
        ("search", "命中数为 0。"),
        ("search", "在torch_npu/gears.py:12处导入。"),
        ("chain", "spin → torch_npu/gears.py → 抛错。"),
        ("chain", "spin -> NPU 的齿轮 -> 抛错。"),
        ("chain", "耦合链路上没有别的节点。"),
        ("impact", "影响类型为纯重构。"),
        ("impact", "签名保持不变。"),
        ("impact", "改动透明生效。"),
        ("impact", "不影响 NPU。"),
        ("verification", "在 NPU 上跑test_spin确认。"),
        ("verification", "验证：执行 TestGears 全部用例。"),
        ("verification", "对比 test/mill 目录的结果。"),
        ("verification", "复测 gears_test.cpp 即可。"),
        ("risk", "风险点：齿轮空转。"),
        ("risk", "隐患在于缓存。"),
        ("risk", "结果会静默偏离上游。"),
        ("risk", "若后续直接调用 spin，会在编译期报错。"),
    ],
)
def test_a_part_is_seen_however_it_is_said(part: str, sentence: str) -> None:
    assert part in has(sentence)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("change", "torch_npu 未使用该模块，人工确认即可。"),
        ("change", "上游有所调整。"),  # names nothing
        ("change", "一。二。三。上游对 spin_once 的改动被遮蔽。"),  # a consequence, not the opening
        ("search", "torch_npu 不使用该机制。"),
        ("search", "共 10 命中。"),
        ("chain", "本 PR 将 spin_a→spin_b、stop_a→stop_b 改名。"),
        ("chain", "torch_npu 经 spin → 抛错。"),
        ("impact", "人工确认后可关闭。"),
        ("verification", "配套新增 test/test_gears.py 用例。"),
        ("verification", "在 NPU 上运行覆盖 spin 的用例。"),
        ("verification", "运行时行为见 test_gears.py。"),
        ("verification", "执行 git grep，test/test_gears.py 无副本。"),
        ("risk", "属低风险，风险等级为 low。"),
        ("risk", "上游修复了会崩溃的路径。"),
    ],
)
def test_what_only_looks_like_a_part_is_none(part: str, text: str) -> None:
    assert part not in has(text)


def test_parts_do_not_borrow_from_another_sentence() -> None:
    assert "verification" not in has("在 NPU 上运行用例。test/test_gears.py 有改动。")
    assert "chain" not in has("本 PR 将 a_b→c_d、e_f→g_h 改名。torch_npu 未使用。")
