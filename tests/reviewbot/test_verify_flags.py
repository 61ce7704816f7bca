"""Labels against the text, against the change and against each other."""

from __future__ import annotations

import pytest

from reviewbot.models import CheckedDraft, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.verification.checks.flags import against_flags
from tests.reviewbot.verify_cases import CHANGE, LABELS, QUIET, ask, checked

UNCLEAR = LABELS.model_copy(update={"needs_adaptation": NeedsAdaptation.UNCLEAR})
REVERTED = CHANGE.model_copy(update={"reverted": True})
MUST = "需同步修改 [E1] 的注册。"
FOUND = "torch_npu 在 [E1] 注册 aten.spin。"


def objections(draft: CheckedDraft) -> list[str]:
    return [finding.message for finding in draft.findings if finding.kind.value == "inconsistent_flags"]


@pytest.mark.parametrize(
    "text",
    [
        MUST,
        "适配方案：需为 [E1] 的签名补上 quiet。",
        "必须改码 [E1]。",
        "torch_npu 须适配新签名（[E1]）。",
        "应同步 [E6] 的函数体。",
        "适配方案：需按上游新签名调整 [E1]。",
    ],
)
def test_a_must_needs_the_flag(text: str) -> None:
    assert ask(against_flags, text) == []
    assert ask(against_flags, text, labels=UNCLEAR) == []
    assert ask(against_flags, text, labels=QUIET) == ["inconsistent_flags"]


@pytest.mark.parametrize(
    "text",
    [
        "无需修改 torch_npu 代码。",
        "torch_npu 无需改码（[Z1]）。",
        "NPU 侧不需要任何适配（[Z1]）。",
        "零改动即可，无需适配。",
    ],
)
def test_no_need_contradicts_the_flag(text: str) -> None:
    assert ask(against_flags, text, labels=QUIET) == []
    assert ask(against_flags, text) == ["inconsistent_flags"]
    assert ask(against_flags, text, labels=UNCLEAR) == ["inconsistent_flags"]


@pytest.mark.parametrize(
    "text",
    [
        "无需修改签名。",
        "调用方无需修改测试。",
        "若 NPU 后续接入该路径，则需同步修改 [E1]。",
        "需人工确认是否同步修改 [E1]。",
        "需在 NPU 上运行用例确认 [E1] 的注册。",
        "比对 [E1] 与上游新实现，判断是否需要同步。",
        "上游调用方需要修改调用方式。",
        "主要修改位于 torch/_mill/gears.py，相应调整用例。",
    ],
)
def test_what_states_neither(text: str) -> None:
    assert ask(against_flags, text, labels=QUIET) == []
    assert ask(against_flags, text) == []


@pytest.mark.parametrize("text", ["该改动影响 NPU 用户。", "NPU 行为会受影响。", "对 NPU 产生影响。"])
def test_affected(text: str) -> None:
    assert ask(against_flags, text) == []
    assert ask(against_flags, text, labels=QUIET) == ["inconsistent_flags"]


@pytest.mark.parametrize("text", ["该改动不影响 NPU。", "NPU 用户不受影响。", "对 NPU 无任何影响。"])
def test_unaffected(text: str) -> None:
    assert ask(against_flags, text, labels=QUIET) == []
    assert ask(against_flags, text) == ["inconsistent_flags"]


@pytest.mark.parametrize(
    "text", ["可能影响 NPU 的判断尚无依据。", "需确认是否影响 NPU。", "不影响 NPU 的编译缓存格式。"]
)
def test_weak_statements_on_effect_bind_nothing(text: str) -> None:
    assert ask(against_flags, text, labels=QUIET) == []
    assert ask(against_flags, text) == []


def test_cann() -> None:
    with_cann = LABELS.model_copy(update={"needs_cann": YesNo.YES})
    text = "所注册算子的 schema 已变，需由 CANN 支持新语义（[E1]）。"
    assert ask(against_flags, text, labels=with_cann) == []
    assert ask(against_flags, text) == ["inconsistent_flags"]
    assert ask(against_flags, "无需 CANN 适配。") == []
    stated = checked(FOUND + MUST + text, labels=with_cann)
    assert objections(stated) == []
    assert len(objections(checked(FOUND + MUST, labels=with_cann))) == 1


def test_reverted() -> None:
    assert ask(against_flags, "该 PR 已被 Revert。", change=REVERTED) == []
    assert ask(against_flags, "该 PR 已被 Revert。") == ["inconsistent_flags"]
    assert ask(against_flags, "本 PR 回退 Gear.turn 的旧实现。") == []
    assert len(objections(checked(FOUND + MUST, change=REVERTED))) == 1
    assert objections(checked(FOUND + MUST + "该 PR 已被 Revert。", change=REVERTED)) == []
    assert objections(checked(FOUND + MUST, summary="上游改写 spin，已被 Revert。", change=REVERTED)) == []


def test_verdict_and_risk_in_words() -> None:
    assert ask(against_flags, "结论为 Shim，风险高。") == []
    assert ask(against_flags, "结论为 Check。") == ["inconsistent_flags"]
    assert ask(against_flags, "结论：`Test`。") == ["inconsistent_flags"]
    assert ask(against_flags, "属低风险改动。") == ["inconsistent_flags"]
    assert ask(against_flags, "存在高精度风险。") == []


def test_labels_that_agree_and_are_borne_out() -> None:
    assert objections(checked(FOUND + MUST)) == []
    assert objections(checked("halt 0 命中（[Z1]）。无需适配。", labels=QUIET)) == []


@pytest.mark.parametrize(
    ("fields", "analysis"),
    [
        ({"needs_adaptation": NeedsAdaptation.NO}, FOUND),  # Shim, but nothing to change
        ({"risk": Risk.LOW}, "halt 0 命中（[Z1]），需同步修改代码。"),  # Shim without a place
        ({"verdict": Verdict.CHECK, "risk": Risk.LOW}, FOUND + MUST),  # Check, but code has to change
        ({"risk": Risk.LOW}, FOUND),  # 是, and nothing says what to change
        ({"verdict": Verdict.TEST, "needs_adaptation": NeedsAdaptation.NO}, "halt 0 命中（[Z1]）。"),  # high, no place
    ],
)
def test_labels_that_nothing_bears_out(fields: dict[str, object], analysis: str) -> None:
    assert len(objections(checked(analysis, labels=LABELS.model_copy(update=fields)))) == 1
