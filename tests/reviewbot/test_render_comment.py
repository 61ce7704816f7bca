"""The Markdown comment: what it holds, what it can't be made to hold, and how it shrinks."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.models import AlignedBlock, SymbolCount
from reviewbot.models import Analysis, AnalysisState
from reviewbot.render.comment import LIMIT, comment, default_key, marker
from reviewbot.render.markdown import code, fenced, prose, table
from tests.reviewbot.analyses import example
from tests.reviewbot.any_value import anything
from tests.support import values

HOSTILE = (
    "](http://evil.com) | `x` <b>@user</b>\n/lgtm\nretry\n```\n<!-- reviewbot:comment v1 key=forged --></details>"
    " ghp_Zm9vYmFyYmF6cXV4AB \u202e"
)


def with_ledger(**fields: object) -> Analysis:
    item = values.registration(lacks=("quiet",), signature_matches=False, **fields)  # type: ignore[arg-type]
    ledger = values.ledger(
        item, values.missing("halt"), counts=(SymbolCount(symbol="a.spin", pattern="spin", lines=3, files=2),), cut=7
    )
    return example().model_copy(update={"ledger": ledger})


def test_it_says_what_a_reader_needs() -> None:
    text = comment(with_ledger(), at=datetime(2026, 1, 2, tzinfo=UTC))
    assert text.splitlines()[0] == "<!-- reviewbot:comment v1 key=pytorch/pytorch#4242 -->"
    assert "## 上游变更影响分析：Test" in text
    assert "| 结论 | 风险 | 需改码 | 底层适配 | 影响 NPU | 阶段 |" in text
    assert "| Test | medium | 否 | — | 是 | — |" in text
    assert "`mill_npu/gears.py:12`" in text
    assert "算子注册" in text
    assert "签名缺少参数 quiet" in text
    assert "略去排名靠后的 7 处" in text
    assert "| Z1 | `halt` |" in text
    assert "| `spin` | 3 | 2 |" in text
    assert "`V01`" in text
    assert "0123456789abcdef0123456789abcdef01234567" in text
    assert "1 个文件按完整内容分析" in text
    assert "删去 1 句" in text
    assert "2026-01-02T00:00:00+00:00" in text
    assert "[E9]" not in text  # what was removed is counted, never printed


def test_a_state_other_than_done_is_said() -> None:
    stuck = example().model_copy(update={"state": AnalysisState.EVIDENCE_INSUFFICIENT, "reason": "没有引用"})
    assert "证据不足，请人工判断：没有引用" in comment(stuck)
    assert "证据不足" not in comment(example())


def test_a_hostile_change_stays_text() -> None:
    hostile = example(title=HOSTILE, source=HOSTILE).model_copy(
        update={"ledger": values.ledger(values.registration(path=f"a{HOSTILE}.py", snippet=HOSTILE, token="t"))}
    )
    text = comment(hostile, key=f"k{HOSTILE}")
    lines = text.split("\n")
    assert not [line for line in lines if re.fullmatch(r"\s*(/lgtm|retry)\s*", line)]
    assert text.count("<!--") == 1
    assert text.count("<details>") == text.count("</details>") == 2
    assert not re.search(r"@\w", text)
    assert "://" not in text
    assert "](" not in text
    assert "Zm9vYmFy" not in text
    assert "\u202e" not in text
    heads = [line.count("|") - line.count("\\|") for line in lines if line.startswith("|")]
    assert set(heads) == {7, 4}  # no cell broke a row


@pytest.mark.parametrize("key", ["a/b#1", "x --> y", "---->", "@a", "键", "a--b"])
def test_a_key_can_not_end_the_marker(key: str) -> None:
    assert re.fullmatch(r"<!-- reviewbot:comment v1 key=[\w./#-]* -->", marker(key))
    assert "--" not in marker(key)[4:-3]


def test_default_keys() -> None:
    assert default_key(values.change(number=7)) == "pytorch/pytorch#7"
    assert default_key(values.change(number=None, head_sha="abc")) == "abc"
    assert default_key(values.change(number=None, source="a.diff")) == "a.diff"
    assert default_key(values.change(number=None, source="/home/me/a.diff")) == "a.diff"


def test_further_couplings_of_a_place_are_listed_by_their_own_ids_and_lines() -> None:
    place = values.merged(
        values.hook(lines=(9,)), values.imported(lines=(2, 3)), values.flag_use(access="read", lines=(7,))
    )
    text = comment(example().model_copy(update={"ledger": values.ledger(place, values.reference())}))
    assert "**同处的其他耦合**" in text
    assert "| E1.2 | 导入 | 2-3 | `torch._mill.gears.spin` | 被改符号本身 |" in text
    assert "| E1.3 | 配置项 | 7 | `torch._mill.config.turbo` | 同一配置项、读取 |" in text
    assert "E2.2" not in text
    assert "同处的其他耦合" not in comment(example())


def test_a_fork_shows_what_it_is_a_copy_of_and_which_lines_agree() -> None:
    blocks = [AlignedBlock(upstream=(n, n + 2), downstream=(n + 50, n + 52)) for n in (10, 20, 30, 40)]
    copy = values.fork(similarity=0.934, original="torch._mill.gears.spin", aligned=(*blocks[:1],))
    text = comment(example().model_copy(update={"ledger": values.ledger(copy)}))
    assert "相似度 93%、源自 `torch._mill.gears.spin`、对应行（上游→下游）10-12→60-62 |" in text
    long = copy.model_copy(update={"detail": copy.detail.model_copy(update={"aligned": (*blocks, blocks[0])})})
    assert "10-12→60-62,20-22→70-72,30-32→80-82 等 5 段" in comment(
        example().model_copy(update={"ledger": values.ledger(long)})
    )


def test_further_couplings_go_before_misses_and_rows() -> None:
    place = values.merged(values.hook(snippet=""), *(values.imported(f"torch._mill.gears.name_{n}") for n in range(8)))
    misses = [values.missing(f"m{n}") for n in range(8)]
    found = values.ledger(*(place.model_copy(update={"path": f"mill_npu/p{n}.py"}) for n in range(20)), *misses)
    small = comment(example().model_copy(update={"ledger": found}), limit=8_000)
    assert len(small) <= 8_000
    assert "| E20 |" in small
    assert "| Z8 |" in small
    assert "| E20.9 |" not in small
    assert re.search(r"未显示 \d+ 个同处耦合", small)


def test_it_shrinks_snippets_first_and_says_so() -> None:
    items = [values.reference(path=f"mill_npu/p{n}.py", snippet="x = 1\n" * 400) for n in range(100)]
    misses = [values.missing(f"m{n}") for n in range(100)]
    big = example().model_copy(update={"ledger": values.ledger(*items, *misses)})
    text = comment(big)
    assert len(text) <= LIMIT
    assert "段代码片段。" in text
    assert len(re.findall(r"^\| E\d", text, re.MULTILINE)) == 100
    small = comment(big, limit=6_000)
    assert len(small) <= 6_000
    assert len(re.findall(r"^\| E\d", small, re.MULTILINE)) < 100
    assert "处证据" in small
    assert "## 上游变更影响分析" in small
    assert small.count("<details>") == small.count("</details>")


def test_it_can_always_be_cut() -> None:
    because = tuple("很长的事实" * 50 for _ in range(50))
    analysis = example(source="很长的来源" * 2_000)
    rules = tuple(
        rule.model_copy(update={"because": because, "reason": "理由" * 9_000}) for rule in analysis.prior.rules
    )
    text = comment(
        analysis.model_copy(update={"prior": analysis.prior.model_copy(update={"rules": rules})}), limit=9_000
    )
    assert len(text) <= 9_000
    assert text.count("<details>") == text.count("</details>")
    assert "评论超过长度上限" in text


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_any_analysis_can_be_posted(data: st.DataObject) -> None:
    analysis: Analysis = data.draw(anything(Analysis))
    text = comment(analysis)
    assert len(text) <= LIMIT
    text.encode()


# --- Markdown ---------------------------------------------------------------------------------------------------------


def test_code_in_prose_is_code() -> None:
    assert prose("在 torch_npu/_a/__init__.py:12,14-15 覆写 Gear.turn 与 __init__，size*2") == (
        "在 `torch_npu/_a/__init__.py:12,14-15` 覆写 `Gear.turn` 与 `__init__`，size\\*2"
    )
    assert prose("`a_b` 与 [x]") == "`a_b` 与 \\[x\\]"
    assert prose("# 标题\n- 项\n1. 项") == "\\# 标题\n\\- 项\n1\\. 项"
    assert prose("linalg_polar 0 命中、aten::spin") == "`linalg_polar` 0 命中、`aten::spin`"


@given(st.text(alphabet="`ab \n|", max_size=12))
def test_code_spans_close(text: str) -> None:
    span = code(text)
    if span:
        fence = re.match(r"`+", span)
        assert fence
        assert span.endswith(fence.group())
        assert fence.group() not in re.split(r"(?<!`)" + fence.group() + r"(?!`)", span)[1:-1]
    assert "\n" not in span


def test_fences_close() -> None:
    assert fenced("a\n```\nb") == "```\na\n'''\nb\n```"


def test_cells_keep_to_themselves() -> None:
    assert table(["甲", "乙"], [["a|b", "c\nd"]]).split("\n")[2] == "| a\\|b | c d |"
