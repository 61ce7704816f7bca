"""Every Chinese word that the data set commands show to a user. Functions return whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

HELP_DATA = "标注数据集：导入团队的表格、补全、检查、打印格式"
HELP_IMPORT = (
    "把团队的表格变成标注记录，写进数据集文件；文件已存在时接在后面，已有的记录不重复写入。"
    "没有 PR 编号的行不写入。分析里的 路径:行号 用 --downstream 给出的源码树核对。"
)
HELP_CHECK = (
    "检查数据集：重复、改动几乎相同而标注不同、缺少的输入、在源码树里找不到的引用、自相矛盾的标注；并列出各批次。"
)
HELP_COMPLETE = (
    "用 reviewbot eval cases fetch 取回的 PR，补上记录里空着的标题、日期、上游版本和是否被 revert；已有的内容不改。"
)
HELP_SCHEMA = "打印数据集一行的 JSON Schema"

ARGUMENT_TABLE = "团队的表格：旧版文本、TSV、Markdown、CSV、XLSX 或 JSONL"
OPTION_OUT = "写进哪个数据集文件（JSON 行）"
OPTION_PR_LIST = "PR 编号清单，每行一个，与表格的行一一对应，没有的写 -；表格没有 PR 列时用"
OPTION_BATCH = "批次名；默认取表格的批次列，没有这一列就用表格的文件名"
OPTION_ANALYST = "分析人；默认取表格的分析人列"
OPTION_DOWNSTREAM = "torch_npu 源码：git 仓库、目录或 wheel"
OPTION_DOWNSTREAM_CHECK = "核对引用用的 torch_npu 源码：git 仓库、目录或 wheel；默认用已铺好的真实数据，没有就不核对"
OPTION_REVISION = "git 版本（提交、分支或标签）；默认 HEAD"
OPTION_RECORDS = "数据集文件；默认用随包附带的那一份"
OPTION_COMPLETED = "要补全的数据集文件，就地改写"
OPTION_STRICT = "发现任何问题就以退出码 1 结束"

REVISION_WITHOUT_TREE = "--downstream-rev 要和 --downstream 一起用"


def wrong_table(source: str, reason: str) -> str:
    return f"{source}：{reason}"


# --- leaks ------------------------------------------------------------------------------------------------------------

LEAKS = {
    "unknown": "不在数据集里",
    "altered": "标注与数据集里的不同",
    "itself": "就是被评测的记录",
    "same_pull_request": "是同一个 PR",
    "same_title": "标题说明是同一项工作（reland 或 revert）",
    "not_an_earlier_batch": "不属于更早的批次",
    "not_an_earlier_date": "日期不早于被评测的记录，或有一方没有日期",
    "shared_lines": "与被评测的改动有相同的改动行",
    "unknown_lines": "有一方没有 diff，无法排除改动行相同",
}


def leaked(leaks: Sequence[tuple[str, str, str]]) -> str:
    """Triples of evaluated record, offered record, kind."""
    told = "；".join(f"{offered} {LEAKS[kind]}" for _, offered, kind in leaks)
    return f"评测 {leaks[0][0]} 时给出了不该看到的历史记录（{told}）。评测已停止，这样得到的分数没有意义"


#: How a summary says that the pull request was reverted.
REVERTED = r"已被?\s*revert"


# --- import -----------------------------------------------------------------------------------------------------------


def not_writable(reason: str) -> str:
    return f"写不进去（{reason}）"


def row_without_number(line: int) -> str:
    return f"第 {line} 行没有 PR 编号，没有写入；请在表格里补上 PR 列，或用 --pr-list 给出"


def row_problem(line: int, reason: str) -> str:
    return f"第 {line} 行：{reason}"


def citation_unresolved(record: str, path: str, lines: str) -> str:
    return f"{record}：{path}:{lines} 在源码树里找不到"


def imported(added: int, known: int, total: int, file: str) -> str:
    repeated = f"（{known} 行已经有了）" if known else ""
    return f"写入 {added} 条{repeated}，{file} 现有 {total} 条。"


def completed(changed: int, total: int, file: str) -> str:
    return f"{file}：{total} 条记录，补全了 {changed} 条。"


def citations_counted(cited: int, verified: int, revision: str | None) -> str:
    if revision is None:
        return f"分析里有 {cited} 处 路径:行号，没有核对（用 --downstream 给出 torch_npu 源码即可核对）。"
    return f"分析里有 {cited} 处 路径:行号，{verified} 处在 {revision} 里找到，{cited - verified} 处找不到。"


# --- check ------------------------------------------------------------------------------------------------------------

CHECKED_CITATIONS = "核对引用"
DUPLICATES = "重复：同一个 PR 有多条记录"
DUPLICATE_COLUMNS = ("PR", "记录", "标注")
SAME_LABELS = "相同"
DIFFERENT_LABELS = "不同"
CONTRADICTIONS = "改动几乎相同而标注不同"
CONTRADICTION_COLUMNS = ("记录", "相同的 hunk", "相同的文件", "标题相近", "diff", "批次", "标注的差别")
SAME_BATCH = "同批"
OTHER_BATCH = "不同批"
MISSING = "缺少的输入"
MISSING_COLUMNS = ("缺什么", "条数", "记录")
MISSING_INPUTS = {
    "diff": "diff",
    "date": "日期",
    "title": "标题",
    "upstream_revision": "上游版本",
    "downstream_revision": "torch_npu 版本",
}
CITATION_COLUMNS = ("记录", "原因", "作用域", "路径")
CITATIONS_UNCHECKED = "没有核对引用：手边没有 torch_npu 源码树，请用 --downstream 给出。"
FLAGS = "自相矛盾的标注"
FLAG_COLUMNS = ("记录", "矛盾在哪里")
BATCHES = "批次（按标注的先后）"
BATCH_COLUMNS = ("批次", "条数", "有 diff", "Check/Test/Shim", "low/medium/high", "需处理", "日期", "分析人")
NONE = "无"
LABEL_NAMES = {"verdict": "结论", "risk": "风险", "needs_adaptation": "需改码"}


def checked(file: str, records: int, problems: int) -> str:
    found = f"发现 {problems} 处问题" if problems else "没有发现问题"
    return f"{file}：{records} 条记录，{found}。"


def citations_checked(citations: int, revision: str) -> str:
    return f"{revision} 里找不到的引用（共核对 {citations} 处）"


def section(title: str, count: int) -> str:
    return f"{title}：{count}" if count else f"{title}：{NONE}"


def lost(*, file_exists: bool) -> str:
    return "文件里没有这个作用域" if file_exists else "没有这个文件"


def some(records: Sequence[str], total: int) -> str:
    listed = "、".join(records)
    return listed if len(records) == total else f"{listed} 等"


def analysts(names: Sequence[str]) -> str:
    return "、".join(names) or "—"


def more(rows: int) -> str:
    return f"……还有 {rows} 条，全部内容见 --json"


def differences(differs: Mapping[str, tuple[str, str]]) -> str:
    return "，".join(f"{LABEL_NAMES[name]} {left} / {right}" for name, (left, right) in differs.items())


def days(first: str | None, last: str | None) -> str:
    if first is None or last is None:
        return "—"
    return first if first == last else f"{first} – {last}"


SHIPPED = "随包附带的数据集"
