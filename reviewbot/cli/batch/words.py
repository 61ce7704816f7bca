"""Every Chinese text of the command ``reviewbot batch``.

Contract: as ``reviewbot.cli.words``.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.cli.words import money
from reviewbot.words import WRITER_FAULTS

HELP = "成批撰写草稿：导出请求文件，交给批处理服务，再读回应答。"
HELP_EXPORT = """分析一个或多个上游改动，把要问模型的内容写成 OpenAI 批处理格式的请求文件（JSONL）。

SOURCE 的写法与 analyze 相同。请求文件旁另写一个 .plan.jsonl，保存各个改动，导入时要用，请一起保管。\
规则已能定案且没有耦合的改动不写请求，导入时由模板撰写（model.spare_plain_cases）。"""
HELP_IMPORT = """读入应答（OpenAI 批处理的输出文件，或任何人按同一格式写的 JSONL），逐句核验，写成记录并保存。

代码树和配置要与导出时相同：证据变了，应答就不再适用，会说明哪里变了。没有应答或应答有误的改动逐条列出，退出码为 20；\
补齐后重新导入即可，已导入的不会重复保存。"""

ARGUMENT_SOURCES = "补丁文件、-、提交、区间或 pytorch/pytorch#N，可以有多个"
ARGUMENT_ANSWERS = "应答文件（JSONL）"
OPTION_OUT = "请求写到此文件"
OPTION_REQUESTS = "导出时的请求文件"
OPTION_FORMAT = "按此格式输出每份记录（默认只列一张表）：terminal, comment, row, row-old, json, csv"

EXPORTING = "分析改动"
IMPORTING = "核验应答"
NEEDS_MODEL = "导出请求需要模型名，请设置 model.name（环境变量 REVIEWBOT_MODEL__NAME）。"
NOTHING_TO_WRITE = "没有一个改动可以分析，未写文件。"
OUT_IS_INPUT = "--out 就是要读的文件，请换一个文件名。"
ONE_FORMAT = "请只留一个。"
PLAN_MISSING = "没有这个文件，它与请求文件一起导出，请放在请求文件旁边"
NOT_UTF8 = "不是 UTF-8 编码"
IMPORT_COLUMNS = ("编号", "上游 PR", "结论", "风险", "需改码", "得分", "撰写", "标题或摘要")
#: What the conditions of an export are called; other names are shown as they are.
CONDITION_WORDS = {"downstream": "torch_npu", "rubric": "规则表", "extractor": "提取器", "prompts": "提示词"}


def plan_line_wrong(number: int, key: str) -> str:
    return f"第 {number} 行" + (f"的 {key} " if key else "") + "不符合格式，请重新导出"


def unwritable(path: str, reason: str) -> str:
    return f"无法写入 {path}（{reason}），请检查目录与权限。"


def not_analysed(reason: str) -> str:
    return f"未导出：{reason}"


def twice(source: str, first: str) -> str:
    return f"{source} 与 {first} 是同一个改动，只导出一次。"


def exported(path: str, requests: int, tokens: int, most: float | None, currency: str) -> str:
    cost = "" if most is None else f"，最多花费 {money(most, currency)}"
    return f"已写入 {path}：{requests} 个请求，提示词共约 {tokens:,} token{cost}。"


def plain_cases(count: int) -> str:
    return f"另有 {count} 个改动规则已能定案且没有耦合，不必问模型，导入时由模板撰写。"


def next_step(requests: str) -> str:
    return f"得到应答后运行：reviewbot batch import 应答文件 --requests {requests}"


def line_in(path: str, problem: str) -> str:
    return f"{path} {problem}"


def line_problem(path: str, line: int, name: str, reason: str) -> str:
    return f"{path} 第 {line} 行" + (f"（{name}）" if name else "") + f"：{reason}"


def change_problem(name: str, reason: str) -> str:
    return f"{name}：{reason}"


NO_ANSWER = "应答文件中没有它的应答"
NOT_ASKED = "custom_id 不在请求文件中，未采用"


def no_draft(fault: str, detail: str) -> str:
    return WRITER_FAULTS[fault] + (f"（{detail}）" if detail else "")


def answered_twice(chosen: int) -> str:
    return f"与第 {chosen} 行的 custom_id 相同，以第 {chosen} 行为准"


def evidence_changed(differences: Sequence[tuple[str, str, str]]) -> str:
    told = "；".join(
        f"{CONDITION_WORDS.get(name, name)} 导出时为 {then}，现在为 {now}" for name, then, now in differences
    )
    return "证据或提示词与导出时不同，应答不再适用" + (f"（{told}）" if told else "") + "，请恢复原样或重新导出"


def imported(new: int, known: int, failed: int) -> str:
    parts = [f"导入 {new} 份记录"]
    if known:
        parts.append(f"{known} 份此前已导入")
    if failed:
        parts.append(f"{failed} 个改动没有可用的应答")
    return "，".join(parts) + "。"
