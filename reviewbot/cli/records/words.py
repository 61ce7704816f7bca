"""Every Chinese text of the command ``reviewbot records``; what is said of rows is in ``reviewbot.records.words``.

Contract: as ``reviewbot.cli.words``.
"""

from __future__ import annotations

HELP = "团队手写的记录表：导入、转换格式、检查。"
_HELP_FORMS = """格式（FORM）有 tsv、csv、markdown、xlsx、jsonl 和 legacy（团队的旧导出文本，各格之间只有一个空格），\
不指明时按文件后缀和内容判断。"""
HELP_IMPORT = f"""读入一份记录表，列出条数、读不出的行和看不出摘要的行。

读不出的行按行号报告，其余照常读入。列名用中文或英文、列序不限；没有表头时依次为 \
PR（可无）、结论、摘要、分析、风险、需改码、底层适配（可无）、影响 NPU、阶段（可无）。

{_HELP_FORMS}"""
HELP_EXPORT = f"""把一份记录表转换成另一种格式。

{_HELP_FORMS}\
legacy 没有 PR、标题、日期、分析人、批次这几列，只用于与旧表往来。"""
HELP_VALIDATE = """检查一份记录表：读不出的行、互相矛盾的标签、重复的 PR。

例如结论为 Shim 而需改码为否，结论为 Check 而风险为 high，同一个 PR 有两条标签不同的记录。\
有读不出的行时退出码为 4。"""

ARGUMENT_TABLE = "记录表文件；- 表示标准输入"
OPTION_TABLE_FORM = "记录表的格式：legacy, tsv, markdown, csv, xlsx, jsonl"
OPTION_TARGET_FORM = "输出格式：legacy, tsv, markdown, csv, xlsx, jsonl；省略则由 --out 的后缀决定"
OPTION_PR_LIST = "PR 号列表，每行一个编号或链接，与表中各行依次对应；- 表示该行没有"
OPTION_IMPORT_OUT = "把读入的记录写到此文件，格式由后缀决定（默认 jsonl）"
OPTION_EXPORT_OUT = "写到此文件；省略则写到标准输出（xlsx 除外）"
OPTION_JSON_RECORDS = "输出 JSON，每行一条记录"
OPTION_JSON_ROWS = "输出 JSON，每行一条：行号、记录、问题"
OPTION_JSON_EXPORT = "等同于 --form jsonl"

STANDARD_INPUT = "（标准输入）"
JSON_IS_JSONL = "--json 就是 --form jsonl，且写到标准输出，请去掉其余选项。"
NO_TARGET_FORM = "请用 --form 指明输出格式，或用 --out 给出带后缀的文件名。"
XLSX_NEEDS_OUT = "xlsx 不能写到标准输出，请用 --out 给出文件名。"
OUT_IS_SOURCE = "--out 就是要读的文件，请换一个文件名。"
COUNT_COLUMNS = ("结论", "条数", "low", "medium", "high", "需改码", "待确认", "底层适配", "影响 NPU")
COUNT_TOTAL = "合计"
PROBLEM_COLUMNS = ("行", "说明")
TABLE_SOUND = "没有发现问题。"
#: By the value of ``Severity``, in the order they are listed.
PROBLEM_TITLES: dict[str, str] = {
    "malformed": "读不出的行",
    "inconsistent": "互相矛盾",
    "undecided": "摘要未定",
    "notice": "提示",
}


def table_read(name: str, form: str, count: int) -> str:
    return f"{name}（{form}）：读入 {count} 条记录"


def table_written(name: str, form: str, count: int) -> str:
    return f"已写入 {name}（{form}，{count} 条记录）。"


def not_written(name: str, reason: str) -> str:
    return f"无法写出 {name}：{reason}。"


def table_problem(line: int, severity: str, reason: str) -> str:
    return f"第 {line} 行，{PROBLEM_TITLES[severity]}：{reason}"


def problem_section(title: str, count: int) -> str:
    return f"{title}（{count} 处）"


def columns_lost(form: str, columns: list[str]) -> str:
    return f"{form} 没有 {'、'.join(columns)} 列，这些内容没有写出。"
