"""True sentences made false, one way at a time: none of them survives.

The mutations know nothing of the verifier; they edit text. Each true sentence must pass first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from reviewbot.models import RELATION_WORDS
from tests.reviewbot.verify_cases import LEDGER, TREE_PATHS, TREE_WORDS, checked

TRUE = [
    "torch_npu 在 [E1] 以 register_lowering 注册 aten.spin，签名缺少参数 quiet。",
    "[E2] 的 NPUGear.turn 覆写 Gear.turn，未回调上游实现，签名与上游兼容。",
    "[E3] 的 grind 引用 spin。",
    "[E4] 的 NPUGear 继承 Gear。",
    "[E5] 以 spin_npu 对 spin 做赋值式 patch，并回调原实现。",
    "[E6] 是 spin 的 fork 副本。",
    "[E7] 导入 spin。",
    "[E8] 是同模块挂钩点，作用于 stop，与被改符号不同名。",
    "耦合链路：torch._mill.gears.spin → [E3] → 调用处直接得到改动后的行为。",
    "全词检索 halt 0 命中（[Z1]）。",
    "torch_npu 未引用 Brake（[Z2]）。",
]
OTHER_TEST = "验证方法：在 NPU 上运行 test/mill/test_gears.py::TestGears::test_spin。"
UPSTREAM = "本 PR 修改 torch/_mill/gears.py（+3/-1），改写 Gear.turn。"
FIRST = re.compile(r"\[[EZ]\d+\]")


def survives(text: str) -> bool:
    return checked(text).analysis == text


def items(text: str) -> list[str]:
    return re.findall(r"\[(E\d+)\]", text)


def kinds(text: str) -> set[str]:
    return {kind.value for item in LEDGER.items if item.id in items(text) for kind in item.kinds}


def wrong_paths(text: str) -> Iterator[str]:
    cited = {item.path for item in LEDGER.items if item.id in items(text)}
    for path in sorted({item.path for item in LEDGER.items} | TREE_PATHS):
        if path not in cited:
            yield FIRST.sub(f"{path}（{FIRST.findall(text)[0]}）", text, count=1)


def wrong_lines(text: str) -> Iterator[str]:
    for item in LEDGER.items:
        if item.id in items(text):
            yield text.replace(f"[{item.id}]", f"{item.path}:{max(item.lines) + 1}（[{item.id}]）")
            yield text.replace(f"[{item.id}]", f"{item.path} 第 {max(item.lines) + 1} 行（[{item.id}]）")


def wrong_relations(text: str) -> Iterator[str]:
    for word in RELATION_WORDS:
        for other, said in RELATION_WORDS.items():
            if items(text) and word in text and other != word and not {kind.value for kind in said} & kinds(text):
                yield text.replace(word, other, 1)


def negations(text: str) -> Iterator[str]:
    for word in RELATION_WORDS:
        if word in text:
            for negator in ("未", "并未", "没有", "不", "从未"):
                yield (
                    text.replace(f"未{word}", word, 1) if f"未{word}" in text else text.replace(word, negator + word, 1)
                )


def wrong_counts(text: str) -> Iterator[str]:
    yield text[:-1] + "，共 7 处。"
    yield FIRST.sub(lambda match: f"{match.group()} 七处", text, count=1)
    yield text[:-1] + "，分布于 5 个文件。"


def invented_symbols(text: str) -> Iterator[str]:
    for name in re.findall(r"[A-Za-z_]\w*(?:\.\w+)+|\w*_\w+", text, re.ASCII):
        if name != "torch_npu":
            yield text.replace(name, f"{name}_x")


def foreign_symbols(text: str) -> Iterator[str]:
    for name in re.findall(r"\b(?:NPUGear\.turn|NPUGear|grind|spin_npu)\b", text):
        for other in sorted(TREE_WORDS):
            yield text.replace(name, other, 1)


def other_ids(text: str) -> Iterator[str]:
    """Another place, a miss or nothing under the same claim; a place that the words and names fit is left out."""
    said = {kind.value for word, kinds_said in RELATION_WORDS.items() if word in text for kind in kinds_said}
    for item in LEDGER.items:
        fits = {kind.value for kind in item.kinds} & (said or kinds(text)) or text.startswith("耦合链路")
        if items(text) and not fits:
            yield FIRST.sub(f"[{item.id}]", text)
    yield FIRST.sub("[E40]", text)
    if items(text):
        yield FIRST.sub("[Z1]", text)
        yield FIRST.sub("torch_npu", text)


def details(text: str) -> Iterator[str]:
    pairs = [
        ("未回调", "并回调"),
        ("并回调", "未回调"),
        ("与上游兼容", "与上游不兼容"),
        ("缺少参数 quiet", "缺少参数 x"),
    ]
    for old, new in pairs:
        if old in text:
            yield text.replace(old, new)
    if "缺少参数" in text:
        yield text.replace("签名缺少参数 quiet", "签名与上游一致")


def false_misses(text: str) -> Iterator[str]:
    for pattern in ("halt", "Brake"):
        for other in ("spin", "grind", "NPUGear", "Gear.turn", "cog", "load"):
            if pattern in text:
                yield text.replace(pattern, other)
                yield text.replace(pattern, f"{pattern}、{other}")


MUTATIONS = [
    wrong_paths,
    wrong_lines,
    wrong_relations,
    negations,
    wrong_counts,
    invented_symbols,
    foreign_symbols,
    other_ids,
    details,
    false_misses,
]


@pytest.mark.parametrize("text", [*TRUE, OTHER_TEST, UPSTREAM])
def test_true_sentences_are_kept(text: str) -> None:
    assert survives(text), checked(text).findings


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_no_false_sentence_survives(mutation: object) -> None:
    assert callable(mutation)
    made = [(text, false) for text in TRUE for false in mutation(text) if false != text]
    assert len(made) >= 4
    assert [false for _, false in made if survives(false)] == []


@pytest.mark.parametrize(
    "text",
    [
        OTHER_TEST.replace("test_gears", "test_wheels"),
        OTHER_TEST.replace("test_spin", "test_other"),
        OTHER_TEST.replace("TestGears", "TestWheels"),
        UPSTREAM.replace("gears.py", "wheels.py"),
        UPSTREAM.replace("+3/-1", "+4/-1"),
        UPSTREAM.replace("Gear.turn", "Gear.spun_up"),
        TRUE[8].replace("gears.spin", "gears.Gear.turn"),
        TRUE[8].replace("[E3]", "[E2]"),
    ],
)
def test_nor_do_these(text: str) -> None:
    assert not survives(text)
