"""An invented export in the team's old text, with every oddity that real ones have, and what its rows hold."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from reviewbot.models import CompileStage, Labels, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.records.models import TeamRecord

#: Old rows with and without a stage, a quote mark inside a cell, new rows, rows without a full stop, a quoted analysis
#: over several lines after a summary with and without one, blank lines, bullets, doubled quotes, needs_cann with text.
LEGACY = """\
Check 把磨坊的齿轮改名为飞轮，旧名保留。 只改名字，mill_npu 未引用，无需适配。 low 否 否 compile_stage：Dynamo
Test 修复齿轮反转（第 2 个参数）。 改动 gears.py（+4 -2）。gears.py:12 覆写了 spin。跑 test_spin。 medium 待确认 是
Shim 皮带新增参数 slack。 git grep "slack" 命中 mill_npu/belt.py:7，其"张力"不同。 high 是 是 compile_stage：Inductor
Test 新增水车日志。 日志透明生效 low 否 否 是 compile_stage：AOTAutograd
Check 给 belt 增加别名，引入 alias 组件 alias 支持 mill_npu 仅实现 belt，零耦合 low 否 否 是 compile_stage：Dynamo
Check 修复磨盘重入时的空转 "对 millstone、regrind 检索：
mill_npu/stone.py:3 导入 regrind；
→ 注册为 ""regrind"" 后端，见 low 否 是 一节

• 第一处：mill_npu/stone.py:9
• 第二处：Test 用例未覆盖" medium 否 否 是
Test 让磨盘按水量调速。 "调速链路：
上游 speed → mill_npu/stone.py:21" medium 否 是
Check 修复磨盘视图丢失。 视图构造变化，stone.py:33 需要同步 medium 是 "是
• stone._patch_view：构造要与上游一致；建议：补一个视图用例" 是 compile_stage：Inductor
Test 修复风向标. 句号是半角的 weathercock 未引用 low 否 否 否
"""

_SUMMARIES = (
    "把磨坊的齿轮改名为飞轮，旧名保留。",
    "修复齿轮反转（第 2 个参数）。",
    "皮带新增参数 slack。",
    "新增水车日志。",
    None,
    "修复磨盘重入时的空转",
    "让磨盘按水量调速。",
    "修复磨盘视图丢失。",
    None,
)
_ANALYSES = (
    "只改名字，mill_npu 未引用，无需适配。",
    "改动 gears.py（+4 -2）。gears.py:12 覆写了 spin。跑 test_spin。",
    'git grep "slack" 命中 mill_npu/belt.py:7，其"张力"不同。',
    "日志透明生效",
    "给 belt 增加别名，引入 alias 组件 alias 支持 mill_npu 仅实现 belt，零耦合",
    "对 millstone、regrind 检索：\nmill_npu/stone.py:3 导入 regrind；\n"
    '→ 注册为 "regrind" 后端，见 low 否 是 一节\n\n• 第一处：mill_npu/stone.py:9\n• 第二处：Test 用例未覆盖',
    "调速链路：\n上游 speed → mill_npu/stone.py:21",
    "视图构造变化，stone.py:33 需要同步",
    "修复风向标. 句号是半角的 weathercock 未引用",
)
_LABELS = (
    ("Check", "low", "否", None, "否", "Dynamo"),
    ("Test", "medium", "待确认", None, "是", None),
    ("Shim", "high", "是", None, "是", "Inductor"),
    ("Test", "low", "否", "否", "是", "AOTAutograd"),
    ("Check", "low", "否", "否", "是", "Dynamo"),
    ("Check", "medium", "否", "否", "是", None),
    ("Test", "medium", "否", None, "是", None),
    ("Check", "medium", "是", "是", "是", "Inductor"),
    ("Test", "low", "否", "否", "否", None),
)
_NOTES = {7: "stone._patch_view：构造要与上游一致；建议：补一个视图用例"}
#: Where each row begins.
LINES = (1, 2, 3, 4, 5, 6, 12, 14, 16)


def labels(*values: str | None) -> Labels:
    """In the order of the fields of ``Labels``."""
    return Labels.model_validate(dict(zip(Labels.model_fields, values, strict=True)))


RECORDS = tuple(
    TeamRecord(labels=labels(*values), summary=summary, analysis=analysis, cann_note=_NOTES.get(place))
    for place, (values, summary, analysis) in enumerate(zip(_LABELS, _SUMMARIES, _ANALYSES, strict=True))
)


def team_record(**fields: Any) -> TeamRecord:
    """A plain record with some of its fields (labels by name) set."""
    given = {"verdict": "Test", "risk": "medium", "needs_adaptation": "否", "npu_affected": "是"}
    changed = {name: fields.pop(name) for name in Labels.model_fields if name in fields}
    rest = {"summary": "反转齿轮方向。", "analysis": "见 mill_npu/gears.py:12。", **fields}
    return TeamRecord.model_validate({"labels": given | changed, **rest})


#: What breaks tables: separators, quotes, markup, line ends, formulas, words of the columns, characters of no table.
_MARKS = (*"\"'|\\,;\t\n\r =+-@*_`<>[]&~/:#•。", "。 ", ' "', '" ', "<br>", "&lt;", "\\|", "\v", "\u2028")
_PHRASES = ("Check ", "\nTest 齿轮。 ", " low 否 是", " high 是 否 是 compile_stage：Dynamo", "_x000D_", "＝1+1")
_UNFIT = ("\x00", "\ud800", "\ufeff", "\uffff")
_NASTY = st.sampled_from((*_MARKS, *_PHRASES, *_UNFIT))
TEXT = st.lists(_NASTY | st.text(max_size=3), max_size=8).map("".join)


@st.composite
def team_records(draw: st.DrawFn) -> TeamRecord:
    """Any record at all."""
    cann = draw(st.none() | st.sampled_from(YesNo))
    return TeamRecord(
        upstream_pr=draw(st.none() | st.integers(1, 999_999)),
        title=draw(TEXT),
        date=draw(st.none() | st.dates()),
        labels=Labels(
            verdict=draw(st.sampled_from(Verdict)),
            risk=draw(st.sampled_from(Risk)),
            needs_adaptation=draw(st.sampled_from(NeedsAdaptation)),
            needs_cann=cann,
            npu_affected=draw(st.sampled_from(YesNo)),
            compile_stage=draw(st.none() | st.sampled_from(CompileStage)),
        ),
        summary=draw(st.none() | TEXT),
        analysis=draw(TEXT),
        cann_note=None if cann is None else draw(st.none() | TEXT),
        analyst=draw(st.none() | TEXT),
        batch=draw(st.none() | TEXT),
    )
