"""Relation claims: which word, said or denied, resting on which ids."""

from __future__ import annotations

import pytest

from retrieval.models import EvidenceKind
from reviewbot.models import RELATION_WORDS
from reviewbot.verification.claims import find_claims
from reviewbot.verification.lexicon import load_lexicon
from reviewbot.verification.reading import read_sentence


def claims(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(claim.relation.word, claim.polarity.value, claim.ids) for claim in find_claims(read_sentence(text))]


@pytest.mark.parametrize(
    "text",
    [
        "torch_npu 未引用 gear_spin（[Z1]）",
        "torch_npu 中未发现对 gear_spin 的引用（[Z1]）",
        "torch_npu 没有任何代码引用 gear_spin（[Z1]）",
        "torch_npu 并未直接引用 gear_spin（[Z1]）",
        "torch_npu 从未在 dynamo 后端里引用 gear_spin（[Z1]）",
        "无引用（[Z1]）",
        "零引用（[Z1]）",
        "引用数为 0（[Z1]）",
        "引用 gear_spin 0 处（[Z1]）",
        "引用不存在（[Z1]）",
        "gear_spin 未被引用（[Z1]）",
        "不引用 gear_spin（[Z1]）",
        "不含引用（[Z1]）",
        "全树检索后没有引用（[Z1]）",
    ],
)
def test_denied(text: str) -> None:
    assert claims(text) == [("引用", "negative", ("Z1",))]


@pytest.mark.parametrize(
    "text",
    [
        "torch_npu 在 [E1] 引用 gear_spin",
        "未定义行为不影响 [E1] 的引用",
        "无需修改 [E1] 的引用",
        "不改变 [E1] 的引用",
        "未来仍会在 [E1] 引用",
        "不仅在 [E1] 引用",
        "并非没有引用 [E1]",
        "无条件引用 [E1]",
        "签名不变，[E1] 的引用照常",
        "上游未改动 [E1] 引用的函数",
        "引用 10 处（[E1]）",
    ],
)
def test_said(text: str) -> None:
    assert claims(text) == [("引用", "positive", ("E1",))]


@pytest.mark.parametrize("text", ["不走默认分支的 [E1] 引用", "没有子系统级地引用 [E1]"])
def test_a_negator_with_an_unknown_reach_is_unclear(text: str) -> None:
    assert claims(text) == [("引用", "unclear", ("E1",))]


@pytest.mark.parametrize(
    ("text", "word", "polarity"),
    [
        ("[E1] 继承 Gear", "继承", "positive"),
        ("没有继承 [Z1]", "继承", "negative"),
        ("[E1] 派生自 Gear", "继承", "positive"),
        ("[E1] 覆写 turn", "覆写", "positive"),
        ("[E1] 重写了 turn", "覆写", "positive"),
        ("[E1] overrides turn", "覆写", "positive"),
        ("不覆写 [Z1]", "覆写", "negative"),
        ("[E1] 赋值式patch了turn", "patch", "positive"),
        ("并未 patch [Z1]", "patch", "negative"),
        ("[E1] 是 turn 的 fork 副本", "fork", "positive"),
        ("未被 fork（[Z1]）", "fork", "negative"),
        ("[E1] 注册了 aten.spin", "注册", "positive"),
        ("未见注册（[Z1]）", "注册", "negative"),
        ("[E1] 导入 turn", "导入", "positive"),
        ("[E1] import turn", "导入", "positive"),
        ("未导入（[Z1]）", "导入", "negative"),
        ("turn 0 命中（[Z1]）", "命中", "negative"),
        ("turn 在 [E1] 命中", "命中", "positive"),
        ("未使用（[Z1]）", "使用", "negative"),
        ("与 torch_npu 无耦合（[Z1]）", "命中", "negative"),
    ],
)
def test_every_word_both_ways(text: str, word: str, polarity: str) -> None:
    assert [(found, said) for found, said, _ in claims(text)] == [(word, polarity)]


@pytest.mark.parametrize(
    "text",
    [
        "register_lowering 与 patch_gear 与 dispatch 与 fork_rng",
        "注册表与引用计数与循环引用",
        "以 fork 模式启动进程",
        "`import gears`",
        "使用者在各场景使用",
        "需在 torch_npu 中补充注册 gear_spin（[Z1]）",
        "建议新增引用（[Z1]）",
        "耦合链路",
        "自有实现不再被命中",
    ],
)
def test_look_alikes_and_proposals_claim_nothing(text: str) -> None:
    assert claims(text) == []


def test_ids_bind_in_their_clause() -> None:
    assert claims("在 [E1] 覆写 turn，并在 [E2] 引用 gear_spin") == [
        ("覆写", "positive", ("E1",)),
        ("引用", "positive", ("E2",)),
    ]
    assert claims("torch_npu 有引用，见 [E1]") == [("引用", "positive", ("E1",))]


def test_ids_bind_in_a_list() -> None:
    assert claims("导入 a_b [E1]、继承 c_d [E2]、覆写 e_f [E3]") == [
        ("导入", "positive", ("E1",)),
        ("继承", "positive", ("E2",)),
        ("覆写", "positive", ("E3",)),
    ]
    assert claims("覆写 [E1]、[E2]") == [("覆写", "positive", ("E1", "E2"))]


def test_a_denial_reaches_over_coordinators_only() -> None:
    assert [one[:2] for one in claims("未引用、未导入也未继承（[Z1]）")] == [
        ("引用", "negative"),
        ("导入", "negative"),
        ("继承", "negative"),
    ]
    assert [one[1] for one in claims("未引用或继承 gear_spin（[Z1]）")] == ["negative", "negative"]
    assert [one[1] for one in claims("未覆写 [E1] 继承的方法")] == ["negative", "unclear"]


def test_the_lexicon_knows_the_words_of_the_models() -> None:
    lexicon = load_lexicon()
    named = {relation.word: relation.kinds for relation in lexicon.relations if relation.kinds is not None}
    assert named == RELATION_WORDS
    assert frozenset().union(*RELATION_WORDS.values()) <= frozenset(EvidenceKind)
    for word in RELATION_WORDS:
        assert any(relation.pattern.fullmatch(word) for relation in lexicon.relations)
