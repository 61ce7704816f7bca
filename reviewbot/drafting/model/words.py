"""Every Chinese text of the model writer that is not a prompt of its own: names of blocks, lines of data, notes.

Contract: constants and small functions that return one text; no logic, no input or output. Lines of data come to a
model in these words; those that a user reads (notes, faults) stand at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.words import WRITER_FAULTS

# --- marks and names of blocks ----------------------------------------------------------------------------------------

BLOCK_TAG = "资料"
BLOCK_CLOSE = "</资料>"
CHANGE, MANIFEST, DELTA, HUNKS = "改动", "全部文件", "delta", "diff"
LEDGER, PAST, PRIOR, QUESTION = "证据清单", "相近的过往记录", "规则的先验", "# 任务"
COMMA = "、"


def block_open(name: str) -> str:
    return f'<资料 名称="{name}">'


# --- rubric -----------------------------------------------------------------------------------------------------------


def rule_columns(columns: Sequence[str]) -> str:
    shape = f"规则：条件 → {'/'.join(columns)}"
    return f"decided 的规则由代码定案，这里只列 open 的。每行为 {shape}；〔〕见“条件的简称”。\n"


BY_CODE = "由代码判定，见先验。"


CONDITIONS = "## 条件的简称"


def condition(name: str) -> str:
    return f"〔{name}〕"


def condition_line(mark: str, meaning: str) -> str:
    return f"- {mark}：{meaning}"


def rule_line(name: str, condition: str, labels: Sequence[str]) -> str:
    return f"- {name}：{condition}" + (f" → {'/'.join(labels)}" if labels else "")


# --- change -----------------------------------------------------------------------------------------------------------

REVERTED = "状态：已被 Revert"
DIFF_PARTIAL = "diff 不完整，不得写任何规模（行数、文件数）"
NO_BODY = "描述：无"
BODY = "描述："
OTHER_PATHS = "没有 diff 的文件："
TESTS_NAMED = "提到的测试："
NO_FILES = "没有任何文件"
#: By the value of ``FileStatus``.
STATUS = {"added": "新增", "deleted": "删除", "modified": "修改", "renamed": "改名", "copied": "复制", "mode": "改权限"}


def title(number: int | None, text: str) -> str:
    return f"PR：#{number} {text}" if number is not None else f"PR：{text}"


def date(day: str) -> str:
    return f"日期：{day}"


def labels(names: Sequence[str]) -> str:
    return f"标签：{COMMA.join(names)}"


def body_cut(lines: int) -> str:
    return f"（描述过长，略去其后 {lines} 行）"


def renamed_from(path: str) -> str:
    return f"（原 {path}）"


BINARY = "（二进制）"

# --- delta ------------------------------------------------------------------------------------------------------------

#: By the value of ``ChangeKind``.
CHANGES = {
    "added": "新增",
    "removed": "删除",
    "renamed": "改名",
    "moved": "移动",
    "resigned": "改签名",
    "rewritten": "改写",
    "reformatted": "只改格式",
}
#: By the value of ``Nature``; plain code needs no word.
NATURES = {
    "comment": "注释",
    "format": "格式",
    "typing": "类型标注",
    "logging": "日志",
    "test": "测试",
    "docs": "文档",
    "build": "构建",
    "device": "其他设备",
    "rename": "命名",
    "code": "",
}
NO_DELTA = "没有可解析的定义、算子或配置项"


def old_name(name: str) -> str:
    return f"（原 {name}）"


def nature(word: str) -> str:
    return f"（仅{word}）"


def signature(words: Sequence[str]) -> str:
    return f"，签名：{'；'.join(words)}"


def registers(operators: Sequence[str]) -> str:
    return f"，注册算子 {COMMA.join(operators)}"


def operator(name: str, role: str, change: str) -> str:
    return f"算子 {name}：{role} {change}"


def flag(name: str, change: str, old: str | None, new: str | None) -> str:
    values = f"，{old} → {new}" if old is not None and new is not None else f"，取值 {new or old}" if new or old else ""
    return f"配置项 {name}：{change}{values}"


def tests(scopes: Sequence[str], count: int) -> str:
    return f"测试用例：{COMMA.join(scopes)}" + (f" 等 {count} 个" if count > len(scopes) else "")


def devices(names: Sequence[str]) -> str:
    return f"所改代码为 {COMMA.join(names)} 专属"


def delta_cut(count: int) -> str:
    return f"（另有 {count} 项未列出）"


# --- hunks ------------------------------------------------------------------------------------------------------------


def file_head(path: str) -> str:
    return f"--- {path}"


def hunk_head(names: Sequence[str]) -> str:
    return f"@@ {COMMA.join(names)}".rstrip()


def hunks_cut(path: str, hunks: int) -> str:
    return f"（{path} 另有 {hunks} 段未展示）"


def files_cut(files: int, hunks: int) -> str:
    return f"（其余 {files} 个文件另有 {hunks} 段未展示）"


NO_HUNKS = "没有可读的 diff"

# --- ledger -----------------------------------------------------------------------------------------------------------

NO_ITEMS = "没有找到任何耦合位置。"
SEPARATOR = " | "


def coupling(one: str, kind: str, relation: str) -> str:
    return f"{one} {kind}，{relation}"


def ledger_head(name: str, revision: str, files: int) -> str:
    return f"{name} {revision}，检索 {files} 个文件。每行：编号 类型，关系 | 位置 | 上游符号 | 细节；缩进的是源码。"


def at_lines(count: int) -> str:
    return f"（{count} 行）"


def downstream_signature(text: str) -> str:
    return f"下游签名 {text}"


def miss(one: str, pattern: str, symbol: str) -> str:
    return f"{one} 0 命中：{pattern}" + (f"（{symbol}）" if symbol != pattern else "")


def found(kinds: str, found: int, cut: int) -> str:
    more = f"，另有 {cut} 处排名靠后的未列出" if cut else ""
    return f"各类型合计（按最强耦合）：{kinds}；共 {found} 处{more}。"


def counted(words: Sequence[tuple[str, int, int]]) -> str:
    return "全词计数：" + COMMA.join(f"{word} {lines} 行/{files} 个文件" for word, lines, files in words)


def items_cut(count: int) -> str:
    return f"（受篇幅限制，靠后的 {count} 处未列出，不要引用）"


# --- past records -----------------------------------------------------------------------------------------------------


def past_head(number: int | None, title: str, reverted: bool) -> str:
    name = f"#{number} {title}" if number is not None else title
    return f"- {name}" + ("（已被 Revert）" if reverted else "")


def past_labels(cells: Sequence[tuple[str, str]]) -> str:
    return "  " + "，".join(f"{name} {value}" for name, value in cells)


def past_paths(paths: Sequence[str]) -> str:
    return f"  改动 {COMMA.join(paths)}"


def past_evidence(places: Sequence[str]) -> str:
    return f"  证据 {COMMA.join(places)}"


def past_text(summary: str, analysis: str) -> str:
    return f"  {summary}{analysis}"


# --- prior ------------------------------------------------------------------------------------------------------------


def prior_labels(cells: Sequence[tuple[str, str]], score: float) -> str:
    return "，".join(f"{name} {value}" for name, value in cells) + f"，needs_work_score {score:g}"


def prior_decision(decision: str, track: str) -> str:
    return f"判定 {decision}，{track} 轨"


def prior_rule(name: str, reason: str, because: Sequence[str]) -> str:
    return f"- {name}：{reason}" + (f"（{'；'.join(because)}）" if because else "")


# --- second requests --------------------------------------------------------------------------------------------------


def finding(number: int, sentence: str, message: str) -> str:
    return f"{number}. {sentence}\n   原因：{message}" if sentence else f"{number}. {message}"


def findings_cut(count: int) -> str:
    return f"另有 {count} 条同类问题。"


#: By the value of ``WriterFault``: what a model is told before its one further attempt.
AGAIN = {
    "truncated": "上一次输出在长度上限处被截断。请重新输出完整的 JSON 对象：分析不超过 200 字，只保留最要紧的内容。",
    "empty": "上一次没有输出任何内容。请按“输出格式”给出 JSON 对象。",
    "wrong_language": "上一次的分析不是中文。请用中文重写，符号与路径保持原样，输出完整的 JSON 对象。",
}


def again_invalid(problem: str) -> str:
    return f"上一次的输出不符合“输出格式”：{problem}。请只输出一个符合要求的 JSON 对象。"


def wrong_key(key: str, problem: str) -> str:
    return f"{key} {problem}"


NOT_JSON = "不是 JSON 对象"
KEY_MISSING = "缺失"
KEY_WRONG = "取值不在允许范围内"

# --- for users --------------------------------------------------------------------------------------------------------


def hunks_unread(hunks: int) -> str:
    return f"受篇幅限制，本次改动另有 {hunks} 段 diff 未交给模型阅读。"


def fault(name: str) -> str:
    return WRITER_FAULTS[name]


END_MARK = "。"
END_MARKS = "。！？；"
#: Marks that end a sentence only before a blank, so not before a note.
WEAK_MARKS = ".!?;…"
SUSPECTED = "改动的文字中有疑似写给评审模型的指令，结论请人工确认。"


def over_analysis(spent: float, worst: float, cap: float, currency: str) -> str:
    return f"本次分析已用 {spent:.4g} {currency}，下一次请求最多 {worst:.4g}，上限 model.cost_per_analysis 为 {cap:g}"


def over_day(spent: float, worst: float, cap: float, currency: str) -> str:
    return f"今天已用 {spent:.4g} {currency}，下一次请求最多 {worst:.4g}，上限 model.cost_per_day 为 {cap:g}"


def too_long(tokens: int, most: int) -> str:
    return f"提示词约 {tokens} token，超过模型可容纳的 {most}；请调大 model.context_tokens，或换用上下文更长的模型"


def wait_too_long(seconds: float) -> str:
    return f"服务要求等待 {seconds:.0f} 秒"


def status(code: int, said: str) -> str:
    return f"HTTP {code}" + (f"：{said}" if said else "")


def models_failed(parts: Sequence[tuple[str, str]]) -> str:
    return "；".join(f"{model} {said}" for model, said in parts)


MODEL_UNSET = "没有配置模型，请设置 model.name（环境变量 REVIEWBOT_MODEL__NAME），并用 model.base_url 指定服务地址。"
CAP_WITHOUT_PRICE = "设置了费用上限，却没有 model.price_in 和 model.price_out，请补上价格。"


def context_too_small(context: int, output: int) -> str:
    return (
        f"model.context_tokens 为 {context}，留出两次输出（model.max_output_tokens {output}）后放不下提示词，请调整。"
    )


def memory_unusable(path: str, reason: str) -> str:
    return f"模型的应答缓存 {path} 无法使用（{reason}），请检查目录权限与磁盘空间，或删除该文件后重试。"


BATCH_NOT_JSON = "不是 JSON 对象"
BATCH_NO_ID = "缺少 custom_id"
BATCH_NO_ANSWER = "没有应答内容"


def batch_line(number: int, problem: str) -> str:
    return f"第 {number} 行：{problem}"


# --- suspicion --------------------------------------------------------------------------------------------------------

#: Where suspicious text may stand.
PLACES = {
    "title": "标题",
    "body": "描述",
    "labels": "标签",
    "paths": "文件名",
    "diff": "diff",
    "ledger": "torch_npu 源码",
    "past": "过往记录",
}
