"""Every Chinese text of the team's table: column names as they occur, and what is said about rows.

Contract: constants and small functions that return one message; no logic, no input or output.
"""

from __future__ import annotations

from reviewbot.render.words import LABEL_WORDS

#: Column → its names in tables, the first being the one we write; of two in one table the earlier here is read. Case,
#: blanks and underscores don't count.
COLUMN_NAMES: dict[str, tuple[str, ...]] = {
    "upstream_pr": (
        "PR",
        "upstream pr",
        "PR 号",
        "PR 编号",
        "pr number",
        "上游 PR",
        "上游 PR 号",
        "PR 链接",
        "pr link",
    ),
    "title": ("标题", "title", "PR 标题", "pr title"),
    "date": ("日期", "date", "upstream date", "PR 日期", "合入日期", "合入时间"),
    "verdict": (LABEL_WORDS["verdict"], "verdict", "判定", "处理结论"),
    "summary": ("摘要", "summary", "概要", "PR 摘要", "一句话摘要"),
    "analysis": ("分析", "analysis", "影响分析", "详细分析", "分析内容"),
    "risk": (LABEL_WORDS["risk"], "risk", "风险等级", "风险级别", "risk level"),
    "needs_adaptation": (LABEL_WORDS["needs_adaptation"], "needs adaptation", "是否需改码", "是否需要改码", "需要改码"),
    "needs_cann": (LABEL_WORDS["needs_cann"], "needs cann", "CANN 适配", "需底层适配", "是否需要底层适配"),
    "cann_note": ("底层适配说明", "cann note", "needs cann note", "CANN 适配说明"),
    "npu_affected": (LABEL_WORDS["npu_affected"], "npu affected", "是否影响 NPU"),
    "compile_stage": (LABEL_WORDS["compile_stage"], "compile stage", "stage", "编译阶段"),
    "analyst": ("分析人", "analyst", "分析员"),
    "batch": ("批次", "batch"),
}
#: Cell values that people write for a value of an enumeration; case does not count.
VALUE_SYNONYMS: dict[str, dict[str, str]] = {
    "risk": {"低": "low", "中": "medium", "高": "high"},
    "needs_adaptation": {"yes": "是", "no": "否", "y": "是", "n": "否", "待定": "待确认", "unclear": "待确认"},
    "needs_cann": {"yes": "是", "no": "否", "y": "是", "n": "否"},
    "npu_affected": {"yes": "是", "no": "否", "y": "是", "n": "否"},
}
#: What people write into a cell that has no value.
ABSENT = frozenset({"", "-", "--", "—", "——", "/", "无", "none", "null", "n/a", "na"})
DAY = r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ].*)?"

SENTENCE_END = "。 "
BULLET = "• "

NOTE_WITHOUT_FLAG = "有底层适配说明，却没有底层适配的是或否"
OPEN_QUOTE = "引号没有闭合，或闭合后还有多余的文字"
NOT_JSON = "不是一个 JSON 对象"
NO_TABLE = "没有找到含有结论、风险等列的表格"
ABOVE_HEADER = "在表头之上，没有读取"
TWO_ROWS = "一行里有两条记录，请在第二个结论前换行"
TWO_VERDICTS = "一行里有两个结论，请只留一个；摘要若以它开头，请给摘要加引号"
NO_FLAGS = "行尾没有风险、需改码、影响 NPU 这几个值"
ENCODING = "编码无法识别，请另存为 UTF-8"
BINARY = "不是文本，也不是 .xlsx 工作簿"
OLD_EXCEL = "是旧版 Excel 的 .xls，请另存为 .xlsx"
SHEET = "记录"
NOT_XLSX = "不是 .xlsx 工作簿"
NO_OPENPYXL = "读写 .xlsx 需要 openpyxl，请运行 pip install 'reviewbot[xlsx]'，或另存为 CSV"
WORKBOOK_BOMB = "解压后过大，已拒绝读取"


def no_summary(analysis: str) -> str:
    return f"没有摘要，分析是“{analysis}”"


def undecided_summary(text: str) -> str:
    return f"看不出摘要到哪里结束，全文归入分析：{text}"


def stage(name: str) -> str:
    return f"compile_stage：{name}"


def file_too_large(size: int, limit: int) -> str:
    return f"有 {size / 1e6:.1f} MB，最多读 {limit / 1e6:.0f} MB，请拆开后再导入"


def workbook_damaged(reason: str) -> str:
    return f"工作簿已损坏（{reason}），请用 Excel 打开后另存一份"


def rows_unread(limit: int) -> str:
    return f"只读前 {limit} 行，之后的没有读取"


def cell_too_long(column: str, length: int, limit: int) -> str:
    return f"{column}有 {length} 个字符，一格最多 {limit} 个"


def cell_too_long_for_workbook(row: int, column: str, length: int, limit: int) -> str:
    return f"第 {row} 条记录的{column}有 {length} 个字符，Excel 一格最多 {limit} 个，请导出为 csv 或 jsonl"


def header_lacks(columns: list[str]) -> str:
    return f"表头缺少 {'、'.join(columns)} 列"


def column_twice(column: str) -> str:
    return f"表头有两列都是{column}"


def unknown_columns(names: tuple[str, ...]) -> str:
    return f"没有读取这些列：{'、'.join(names)}"


def sheets_unread(names: tuple[str, ...]) -> str:
    return f"没有读取这些工作表：{'、'.join(names)}"


def table_unread(lacking: list[str]) -> str:
    return f"这个表格缺少 {'、'.join(lacking)} 列，没有读取"


def too_many_cells(count: int, expected: int) -> str:
    return f"有 {count} 格，表头只有 {expected} 列"


def wrong_cell_count(count: int) -> str:
    return f"应有 6 到 8 格（另可有 PR 列），现在是 {count} 格"


def wrong_value(column: str, value: str, expected: list[str]) -> str:
    shown = f"现在是 {value}" if value else "现在是空的"
    return f"{column}：只能是 {'、'.join(expected)}，{shown}"


def wrong_pr(value: str) -> str:
    return f"PR 应为编号或链接，现在是 {value}"


def wrong_date(value: str) -> str:
    return f"日期应写作 2026-07-05，现在是 {value}"


def wrong_json_value(column: str) -> str:
    return f"{column}应为字符串、数字或 null"


def wrong_start(word: str, expected: list[str]) -> str:
    return f"应以 {'、'.join(expected)} 开头，现在是 {word}"


def wrong_flag_count(count: int) -> str:
    return f"风险之后应有 2 个或 3 个是否值，现在是 {count} 个"


def pr_list_bad_line(line: int, value: str) -> str:
    return f"第 {line} 行应为 PR 编号或链接，现在是 {value}"


def pr_list_wrong_length(numbers: int, rows: int, malformed: int) -> str:
    unread = f"（含 {malformed} 个未能读入的行）" if malformed else ""
    return f"有 {numbers} 个 PR，表格有 {rows} 行{unread}，两者必须一一对应"


def pr_disagrees(own: int, listed: int) -> str:
    return f"PR 列是 {own}，--pr-list 是 {listed}，采用 PR 列"


SHIM_WITHOUT_CHANGE = "结论为 Shim，需改码却为否"
CHECK_WITH_CHANGE = "结论为 Check，需改码却为是"
CHECK_WITH_HIGH_RISK = "结论为 Check，风险却为 high"
UNAFFECTED_WITH_HIGH_RISK = "影响 NPU 为否，风险却为 high"
CANN_WITHOUT_NOTE = "底层适配为是，却没有说明"
NOTE_WITHOUT_CANN = "底层适配为否，却附有说明"


def same_pr(number: int, line: int) -> str:
    return f"PR {number} 与第 {line} 行重复"


def same_pr_other_labels(number: int, line: int, columns: list[str]) -> str:
    return f"PR {number} 在第 {line} 行已有记录，{'、'.join(columns)}不同"
