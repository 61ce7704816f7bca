"""Chinese of the scores: their short names, and the words by which the parts of a paragraph are recognised."""

from __future__ import annotations

from collections.abc import Mapping

# --- names ------------------------------------------------------------------------------------------------------------

#: Short names, by key; what each means is in docs/scores.md.
NAMES: Mapping[str, str] = {
    "miss_rate": "漏报率",
    "false_alarm_rate": "误报率",
    "work_auc": "需处理分 AUC",
    "miss_at_fa_10": "误报率 10 % 时的漏报率",
    "miss_at_fa_20": "误报率 20 % 时的漏报率",
    "miss_at_fa_35": "误报率 35 % 时的漏报率",
    "brier": "Brier 分",
    "verdict_accuracy": "结论一致率",
    "verdict_macro_f1": "结论宏平均 F1",
    "verdict_kappa": "结论 kappa",
    "risk_accuracy": "风险一致率",
    "risk_kappa": "风险二次加权 kappa",
    "needs_adaptation_accuracy": "需改码一致率",
    "needs_adaptation_f1": "需改码 F1（是、待确认）",
    "npu_affected_accuracy": "影响 NPU 一致率",
    "npu_affected_f1": "影响 NPU F1（否）",
    "compile_stage_accuracy": "阶段一致率",
    "cited_recall": "引用召回率（scope）",
    "cited_recall_file": "引用召回率（文件）",
    "cited_precision": "引用精确率（scope）",
    "cited_precision_file": "引用精确率（文件）",
    "shown_recall": "清单召回率（scope）",
    "shown_recall_file": "清单召回率（文件）",
    "shown_precision": "清单精确率（scope）",
    "shown_precision_file": "清单精确率（文件）",
    "citations_resolved": "引用可解析率",
    "part_change": "写明改动",
    "part_search": "写明检索",
    "part_chain": "写明耦合链路",
    "part_impact": "写明影响类型",
    "part_verification": "写明验证用例",
    "part_risk": "写明潜在风险",
    "paragraph_coverage": "段落完整度",
    "chrf": "chrF",
    "tokens_median": "token 中位数",
    "tokens_p95": "token p95",
    "tokens_sum": "token 合计",
    "money_median": "费用中位数",
    "money_p95": "费用 p95",
    "money_sum": "费用合计",
    "seconds_median": "用时中位数（秒）",
    "seconds_p95": "用时 p95（秒）",
    "seconds_sum": "用时合计（秒）",
}

TOPICS: Mapping[str, str] = {
    "work": "需处理的记录",
    "labels": "标签",
    "evidence": "证据",
    "text": "段落",
    "cost": "开销",
}

BETTER: Mapping[str, str] = {"higher": "↑", "lower": "↓"}

#: Rows of `ScoreSheet.states`: `AnalysisState` values, and ``unclear`` for a finished draft that says 待确认.
STATES: Mapping[str, str] = {
    "done": "完成",
    "unclear": "完成，需改码待确认",
    "evidence_insufficient": "证据不足",
    "scope_too_large": "改动过大",
    "superseded": "已被取代",
    "failed": "失败",
}

_BASELINES: Mapping[str, str] = {
    "rules": "只用规则",
    "batch-majority": "同批多数",
    "nearest-earlier": "最相近的早先记录",
}


def baseline_name(name: str) -> str:
    """The name of a baseline's sheet for people: ``constant:Test/low`` and the like."""
    kind, _, answer = name.partition(":")
    return f"一律 {answer}" if answer else _BASELINES[kind]


# --- the parts of a paragraph -----------------------------------------------------------------------------------------
# Regular expressions, matched within one sentence.

#: What upstream did: who and what is done, or a sentence that begins with what is done; or a track.
CHANGE_SUBJECT = r"本\s*PR|[该此这]个?\s*PR|上游|改动|被改|本次"
CHANGE_VERB = (
    r"改|新增|增加|添加|加入|补|删|移除|移动|修复|修正|重构|重命名|替换|引入|抽|拆|合并|支持|启用|优化|扩展|调整|更新"
    r"|迁移|收窄|去重|切换|放宽|升级|统一|避免"
)
TRACK = r"[AB]\s*轨"
#: A search and its outcome: a counted zero, or the act of searching.
COUNTED_MISS = (
    r"(?<![0-9.])0\s*(?:次|处|个|条)?\s*(?:命中|引用|匹配)|零\s*(?:命中|引用|匹配)"
    r"|命中(?:数|次数)?\s*(?:均|都|全部)?\s*(?:为|是)?\s*0(?![0-9.])"
)
SEARCHED = r"git\s+(?:-C\s+\S+\s+)?(?:grep|ls-tree)|\bgrep\b|检索|搜索|全词"
CHAIN_LEAD = r"耦合链路|耦合链"
DOWNSTREAM = r"torch[_-]npu|NPU|Ascend|昇腾|下游"
ARROW = r"→|->|⇒|=>"
IMPACT_LEAD = r"影响(?:类型|性质|种类|面|范围)"
#: A kind of impact said without its heading.
IMPACT = (
    r"(?:行为|接口|签名|语义|数值|精度|性能|默认值|返回值|调用约定|类型)[^，。；]{0,10}?(?:变化|变更|改变|不变|未变|未改|兼容|破坏|退化|回退|分叉|差异)"
    r"|透明(?:生效|兼容|流入|获得)|对\s*NPU\s*(?:侧|用户|路径)?\s*透明|(?:不|未|无)影响\s*NPU|NPU[^，。；]{0,20}不受影响"
    r"|(?:fork|行为)\s*分叉|功能空白|(?:纯|等价|内部)\s*(?:重构|重命名|改名|类型注解|死代码)|无需适配|无(?:任何)?行为(?:变化|差异)"
)
VERIFY = r"验证|运行(?!时)|跑|执行(?!\s*git)|复测|对比|比对|核对"
#: A test by name: a test file, a test function, a test class.
NAMED_TEST = r"(?<!\w)test_\w+|\w_test\.(?:py|cpp|cc)|(?<!\w)Test[A-Z]\w+|(?<![\w./])test/\w"
RISK = r"(?<![低中高无])风险(?!等级|级别)|隐患|静默"
#: A harm that may come, said without its heading.
HARM = (
    r"(?:若|如果|一旦|届时|否则)[^。；]{0,60}?(?:失败|失效|出错|报错|误判|误选|不一致|不正确|退化|泄漏|崩溃|中断|挂起|越界"
    r"|丢失|偏离|绕过|串扰|断裂|抖动|遗漏)"
)
