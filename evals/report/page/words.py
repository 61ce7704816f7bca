"""Every Chinese text of the page alone. Constants and functions that return a sentence; no logic."""

from __future__ import annotations

from collections.abc import Sequence

# --- names ------------------------------------------------------------------------------------------------------------

#: By the value of ``FindingKind``.
FINDINGS = {
    "unknown_id": "编号不存在",
    "uncited_claim": "没有引用证据",
    "wrong_path": "路径不对",
    "wrong_line": "行号不对",
    "wrong_scope": "scope 不对",
    "wrong_count": "数目不对",
    "wrong_relation": "关系不对",
    "wrong_polarity": "肯定与否定不对",
    "unknown_name": "名字不存在",
    "inconsistent_flags": "标签自相矛盾",
    "not_chinese": "不是中文",
    "length": "篇幅",
}
#: By the value of ``Quality``.
QUALITIES = {"clean": "diff 干净", "noisy": "diff 混有邻近改动", "absent": "没有 diff"}
PULLED = "真实 PR diff"
#: By the value of ``ChangeKind``.
CHANGES = {
    "added": "新增",
    "removed": "移除",
    "renamed": "改名",
    "moved": "移动",
    "resigned": "签名变化",
    "rewritten": "改写",
    "reformatted": "只改格式",
}
#: By the value of ``FileStatus``.
FILE_STATUSES = {
    "added": "新增",
    "deleted": "删除",
    "modified": "修改",
    "renamed": "改名",
    "copied": "复制",
    "mode": "权限",
}

# --- numbers ----------------------------------------------------------------------------------------------------------

WEAK = "参考"
WEAK_MEANS = "这个数本身说明不了多少"

# --- summary ----------------------------------------------------------------------------------------------------------

BASELINES_NOTE = (
    "一律只答一种结论，漏报率与误报率必有一项为 0、另一项为 100%；随机报一部分，两率之和也总是 100%。"
    "所以胜过这些基线是指两率之和更小；胜过其余基线是指两率都不更高且至少一项更低。"
)


def fallbacks(count: int) -> str:
    return f"{count} 条无可依据，取了更大范围的多数"


# --- headings ---------------------------------------------------------------------------------------------------------

SUMMARY = "结论"
FIGURES = "图"
COST = "代价"
RECORDS = "逐条记录"
CONTENTS = "目录"
SCORE_COLUMNS = ("分数", "本次", "95% 区间", "", "n", "键")
SCORES_NOTE = "每个分数的定义见 docs/scores.md（按键查找）。n 是所依据的记录数或引用数；没有可测的写作 —，它不是 0。"
SCORES_INTERVALS = "区间按批次修正：同一批次的记录出自同一人之手，并不独立。"
BATCHES_NOTE = (
    "Check 与 Test 的界线随批次移动：同批其他记录的多数就能猜中大半。"
    "因此一致率要与「同批多数」并排看，它高不等于草稿好。"
)
TOTAL = "合计"
RARE_NOTE = "不足十例的类别逐条列出，不求平均。"
NO_RARE = "没有不足十例的类别。"
FINDING_COLUMNS = ("核验意见", "条数")
STATES_NOTE = "出错的记录没有答案，不算答错，也不进入分数。没有完成的分析、以及草稿写「待确认」的，照常计分，在此另列。"
VERIFIED_NOTE = "核验删去的句子不进入最终文字。"
REMOVED_ROW = "被删去的句子"
NO_COST = "没有调用模型，没有 token 与费用。"
COST_COLUMNS = ("项目", "中位数", "95 分位", "合计")
COST_AMOUNTS = {"tokens": "token", "money": "费用", "seconds": "秒"}
REPRODUCE_NOTE = "在同一提交、同样的输入上执行下面的命令，得到同样的答案；语言模型的回答只有还在缓存中时才保证相同。"

# --- figures ----------------------------------------------------------------------------------------------------------

FIGURE_CURVE = "漏报率与误报率"
FIGURE_RELIABILITY = "需处理分的校准"
FIGURE_BATCHES = "各批次的结论一致率"
CAPTION_CURVE = "折线：逐个阈值切分需处理分；圆点：本次的标签；方块：基线。越靠左下越好。"
CAPTION_RELIABILITY = "每个圆点是一段分数：横坐标为平均分，纵坐标为其中真要处理的比例，n 为条数。落在虚线上为准。"
CAPTION_BATCHES = "各批次的结论一致率，批次名下为记录数。"
LEGEND_OWN = "本次"
LEGEND_MAJORITY = "同批其他记录的多数"
AXIS_MEAN_SCORE = "平均需处理分"
AXIS_SHARE = "真要处理的比例"
TEAM_SAID = "团队"
DRAFT_SAID = "草稿"
CONFUSION_NOTE = "混淆矩阵的行是团队的值，列是草稿的值；颜色深浅为占本行的比例，蓝色为一致，红色为不一致。"


def constants(count: int) -> str:
    return f"一律同一结论（{count} 个）"


TABLE_OF_FIGURE = "数据表"
RELIABILITY_COLUMNS = ("分数段", "条数", "平均分", "真要处理的比例")
CURVE_COLUMNS = ("阈值（不低于）", "误报率", "漏报率")
FLAG_NOTHING = "一条不报"


def figure_confusion(label: str) -> str:
    return f"混淆矩阵：{label}"


# --- filters ----------------------------------------------------------------------------------------------------------

FILTER_TEXT = "搜索标题、路径、文字……"
FILTER_ANY_STANDING = "全部结果"
FILTER_ANY_BATCH = "全部批次"
FILTER_ANY_STATE = "全部状态"
FILTER_ANY_VERDICT = "团队结论：全部"
FILTER_ANY_DRAFT = "草稿结论：全部"
FILTER_WRONG_VERDICT = "只看结论不一致"
SORT_SCORE = "按需处理分"
SORT_ID = "按编号"
SORT_BATCH = "按批次"
OPEN_ALL = "展开"
CLOSE_ALL = "收起"
RESET = "重置"
FILTER_TITLES = {
    "text": "搜索",
    "standing": "结果",
    "batch": "批次",
    "state": "状态",
    "verdict": "团队的结论",
    "draft": "草稿的结论",
    "sort": "排序",
}
RECORDS_NOTE = (
    "按需处理分从高到低排列，没有答案的在最后。点开看错在哪里、标签与文字对照、核验删去了什么、规则、改动与证据清单。"
)
SHOWN_COUNT = ("显示", "条，共")
NONE_SHOWN = "没有符合条件的记录。"

# --- one record -------------------------------------------------------------------------------------------------------

SCORE = "需处理分"
REVERTED = "已回退"
WHY_WRONG = "错在哪里"
WHY_RIGHT = "对照"
LABELS = "标签"
LABEL_COLUMNS = ("", "团队", "草稿", "核验前", "规则初判")
NEEDS_WORK_ROW = "要不要处理"
TEXTS = "文字"
TEAM_TEXT = "团队"
DRAFT_TEXT = "草稿"
NO_TEAM_TEXT = "手头没有团队的文字（用 --texts 指定团队自己的记录）。"
NO_DRAFT_TEXT = "只有标签，没有文字。"
NO_DRAFT = "没有草稿。"
EMPTY_TEXT = "（空）"
REMOVED = "核验删去的句子"
OBJECTIONS = "核验的其他意见"
TEAM_PLACES = "团队引用的位置"
TEAM_PLACE_COLUMNS = ("位置", "scope", "词", "在本次")
NO_TEAM_PLACES = "团队没有引用能在 torch_npu 中找到的位置。"
PRIOR = "规则初判"
RULE_COLUMNS = ("规则", "理由", "事实")
CHANGE = "改动"
FILE_COLUMNS = ("文件", "状态", "增", "删")
DEFINITION_COLUMNS = ("定义", "变化", "文件")
OTHER_PATHS = "diff 之外的路径"
LEDGER = "证据清单"
LEDGER_COLUMNS = ("编号", "位置与 scope", "类型", "上游符号", "关系", "引用")
MISS_COLUMNS = ("编号", "检索词", "上游符号", "检索文件数", "命中")
CITED_BY_DRAFT = "草稿"
CITED_BY_TEAM = "团队"
EMPTY_LEDGER = "清单为空。"
NO_WHOLE = "运行没有留下这一条的完整分析（analyses/），改动与证据清单无从显示。"
PERMALINK = "本条链接"
PARTIAL_DIFF = "diff 只是改动的一部分"


def at_rank(rank: int) -> str:
    return f"第 {rank} 位"


def record_cost(seconds: float, calls: int, prompt: int, completion: int, cost: str) -> str:
    model = f"，调用 {calls} 次，输入 {prompt} token，输出 {completion} token，费用 {cost}" if calls else ""
    return f"用时 {seconds:.2f} 秒{model}"


def ledger_totals(shown: int, found: int) -> str:
    return f"列出 {shown} 处，共找到 {found} 处"


def definition_change(kind: str, signature: Sequence[str]) -> str:
    return "，".join(signature) or CHANGES[kind]


def prior_line(track: str, decision: str, score: str) -> str:
    return f"{track}，{decision}，需处理分 {score}"
