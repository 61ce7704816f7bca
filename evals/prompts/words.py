"""Every Chinese text of ``python -m evals.prompts``.

Contract: constants and small functions that return one message; no logic.
"""

from __future__ import annotations

HELP = """量一量提示词：对每条可用的标注记录，在真实源码树上算出要发给模型的提示词。

报告长度（token）、固定前缀所占的比例、证据清单与改动文件有多少写进了提示词、略去多少段 diff，\
以及多少改动规则已能定案、不必问模型。过往的相似记录按评测的规矩给出：只用更早批次、更早日期的。"""
NO_PAST_HELP = "不附过往的相似记录"
MEASURING = "组装提示词"
COLUMNS = ("指标", "数值", "目标", "")
NO_TARGET = ""
MET, MISSED = "✓", "✗"
NOTHING = "—"
COMMA = "、"


def title(records: int, counter: str) -> str:
    return f"{records} 条可用的标注记录，{counter}"


def counted_by(exact: bool) -> str:
    return "token 按 o200k_base 计" if exact else "没有 o200k_base 的编码文件，token 按字符估算"


TOKENS_MEDIAN = "提示词 token，中位数"
TOKENS_P95 = "提示词 token，p95"
TOKENS_MAX = "提示词 token，最长"
PREFIX = "固定前缀占提示词的比例，中位数"
PLACES = "证据清单的位置写进提示词"
CITED_IN_LEDGER = "人引用过的位置，在清单前 20 条中"
CITED_IN_PROMPT = "其中写进提示词"
FILES = "改动文件列入清单"
HUNKS = "diff 段写进提示词"
HUNKS_UNREAD = "有产品代码的 diff 段未写进提示词"
DECIDED = "规则已能定案"
PLAIN = "其中没有耦合，不必问模型"
PAST = "附有过往相似记录的提示词"


def at_most(value: int) -> str:
    return f"≤ {value:,}"


def at_least(value: float) -> str:
    return f"≥ {value:g}"


def ratio(value: float, hits: int, total: int) -> str:
    return f"{value:.3f}（{hits}/{total}）"


def unread(hunks: int, records: int) -> str:
    return f"{hunks} 段，涉及 {records} 条记录"


def missing_places(record: str, places: str) -> str:
    return f"{record}：未写进提示词的位置 {places}"
