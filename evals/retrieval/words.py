"""Every Chinese word that ``python -m evals.retrieval`` shows, in one place. Functions return whole sentences."""

from __future__ import annotations

from collections.abc import Sequence

HELP = "在可用的标注记录（clean 与 noisy）上测证据召回率：人工引用过的位置，有多少进入证据清单的前 k 条。"
ORACLE_HELP = "列出 oracle：写有改动的任一名字、模块或算子的引用占多少，召回率达到了其中多少"
ABLATION_HELP = "逐个去掉一种证据、一种关系或用词相近度，列出前 20 条的召回率因此少了多少"
MISSES_HELP = "列出前 20 条没有覆盖到的位置，以及每一处的原因"
KIND_COUNTS_HELP = "列出各类证据的条数"

# --- recall -----------------------------------------------------------------------------------------------------------

COLUMN_DEPTH = "前 k 条"
COLUMN_SCOPE = "scope（微平均）"
COLUMN_NAMED = "不含 <module>"
COLUMN_FILE = "文件"
COLUMN_MACRO = "scope（宏平均）"


def recall_title(records: int) -> str:
    return f"证据召回率（{records} 条有引用的记录；括号内为命中数/总数，宏平均后为记录数）"


def costs(records: int, opening_seconds: float, delta_ms: float, ledger_ms: float) -> str:
    return (
        f"{records} 条记录。打开源码树与索引 {opening_seconds:.2f} 秒；"
        f"每条记录的中位数：delta {delta_ms:.1f} ms，证据清单 {ledger_ms:.1f} ms"
    )


def tokens(short: int, long: int, middle: float, most: int, cut: int) -> str:
    """``cut`` is the number of records whose ledger the token budget shortened."""
    shortened = f"{cut} 条记录的清单因此变短" if cut else "没有一份清单因此变短"
    return (
        f"清单按产品默认的 token 上限截断（前 {long} 条一行只放宽条数）；前 {short} 条约 {middle:.0f} token（中位数），"
        f"最多 {most}，{shortened}"
    )


FITTED_WEIGHTS = "权重是在这些记录上拟合的，上面的召回率偏乐观；没有见过它们的召回率由 python -m evals.tune 给出。"


def kind_counts(counts: dict[str, int]) -> str:
    return "各类证据：" + "，".join(f"{kind} {count}" for kind, count in counts.items())


# --- oracle -----------------------------------------------------------------------------------------------------------

ORACLE_TITLE = "oracle：写有改动的任一名字的引用（按全词；<module> 只算不在任何函数和类中的行）"
COLUMN_NAMES = "算作名字的"
COLUMN_LEVEL = "层级"
COLUMN_ORACLE = "oracle"
LEVELS = {"scope": "scope", "file": "文件"}
NAME_SETS = {
    "all": "定义、算子、配置项、外层、模块、用到的名字",
    "without_touched": "不算用到的名字",
    "changed_only": "不算用到的名字与模块",
}


def column_recall(k: int) -> str:
    return f"前 {k}"


def column_share(k: int) -> str:
    return f"前 {k} / oracle"


def column_both(k: int) -> str:
    return f"oracle 内的前 {k}"


# --- ablation ---------------------------------------------------------------------------------------------------------

WHOLE = "（全部）"
COLUMN_PART = "去掉"
COLUMN_TAKEN = "条数"
COLUMN_LOSS = "命中增减"


def ablation_title(k: int) -> str:
    return f"消融：前 {k} 条的召回率（只看排序，不按 token 截断）"


# --- misses -----------------------------------------------------------------------------------------------------------

REASONS = {
    "cut_by_tokens": "被 token 上限截去",
    "ranked_below": "找到了，但排在后面",
    "other_language": "语言与改动的文件不同",
    "name_not_coupled": "写有改动的名字，索引没有认出耦合",
    "used_name_not_coupled": "写有改动用到的名字或模块名，索引没有认出耦合",
    "only_common_names": "只写有随处可见的名字",
    "no_name": "没有写改动的任何名字",
}
FILE_FOUND = "同文件的其他 scope 在清单中"
FILE_MISSED = "文件也不在清单中"


def miss_counts(counts: dict[str, int], in_found_files: int) -> str:
    """``in_found_files`` places lie in a file that another scope brought into the ledger."""
    if not counts:
        return "引用过的位置全部在清单中"
    listed = "；".join(f"{REASONS[reason]} {count}" for reason, count in counts.items())
    return f"没有覆盖到的 {sum(counts.values())} 处，其中 {in_found_files} 处所在的文件已在清单中。原因：{listed}"


def rank_of(rank: int) -> str:
    return f"第 {rank} 位"


def name_in_files(word: str, files: int) -> str:
    return f"{word}（{files} 个文件）"


def missed_place(record_id: str, path: str, scope: str, reason: str, details: Sequence[str]) -> str:
    told = "：" + "、".join(details) if details else ""
    return f"{record_id}  {path}  {scope}  {reason}{told}"
