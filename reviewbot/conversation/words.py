"""Chinese (and, for the help, English) words of the conversation."""

from __future__ import annotations

HELP_HEADING = "命令说明 / Commands"
HELP_INTRO = "命令须独占一行、从行首写起，不能写在引用或代码块中；只有对本仓库有写权限的人可以使用。\n\n\
A command is a line of its own, outside quotes and code blocks; write access is required."
HELP_COLUMNS = ("命令", "作用", "Effect")
#: By the value of ``Verb``: arguments, then what it does in both languages.
HELP_ROWS: dict[str, tuple[str, str, str]] = {
    "review": ("", "分析当前 head", "analyse the current head"),
    "again": ("again", "重新分析，即使该 head 已分析过", "analyse again"),
    "explain": ("explain", "列出命中的规则与理由", "show the rules that fired, and why"),
    "accept": ("accept [pytorch/pytorch#N]", "确认结论", "accept the labels"),
    "correct": (
        'correct [pytorch/pytorch#N] verdict=Test risk=medium note="…"',
        "更正结论，字段见下",
        "correct labels; fields below",
    ),
    "pause": ("pause", "暂停本 PR 的自动评审", "stop automatic reviews here"),
    "resume": ("resume", "恢复自动评审", "resume automatic reviews"),
    "help": ("help", "显示本说明", "show this"),
}


def help_fields(fields: list[tuple[str, list[str]]], optional: list[str]) -> str:
    listed = "\n".join(f"- `{name}`：{' / '.join(values)}" for name, values in fields)
    return f"可更正的字段与取值（Fields）：\n\n{listed}\n- `note`：理由，含空格时加双引号\n\n\
清空 {'、'.join(f'`{name}`' for name in optional)} 写 `无`。"


SEVERAL = "一条评论只执行一个命令，这里有 {} 个，均未执行；请分开发送。"
OPEN_QUOTE = "引号没有闭合"
NOTHING_TO_CORRECT = "correct 至少要有一个字段"
NO_ANALYSIS = "还没有可供确认或更正的分析结果。"
UNKNOWN_SUBJECT = "没有名为 {} 的上游改动；可选：{}。"
NAME_A_SUBJECT = "本评论有多个上游改动，请写明是哪一个：{}。"
SHIM_WITHOUT_CHANGE = "结论为 Shim 时“需改码”不能为否：Shim 即需要修改 torch_npu 代码。"
CHECK_WITH_CHANGE = "结论为 Check 时“需改码”不能为是：需要改码请用 Shim。"
UNAFFECTED_WITH_HIGH_RISK = "“影响 NPU”为否时风险不能为 high。"
CHECK_WITH_HIGH_RISK = "结论为 Check 时风险不能为 high。"
UNCHANGED_LABELS = "与现有结论相同，没有需要更正的；若同意，请用 accept。"
REVIEW_ORDERED = "已安排分析，完成后更新本评论。"
AGAIN_ORDERED = "已安排重新分析，完成后更新本评论。"
EXPLAINED = "命中的规则与理由见下。"
HELPED = "命令说明见下。"
PAUSED = "已暂停自动评审。"
ALREADY_PAUSED = "自动评审此前已暂停。"
RESUMED = "已恢复自动评审。"
NOT_PAUSED = "自动评审没有暂停。"
NOT_PERMITTED = "没有执行：该命令需要对本仓库有写权限。"


def several(count: int) -> str:
    return SEVERAL.format(count)


def unknown_verb(verb: str) -> str:
    return f"没有“{verb}”这个命令"


def takes_nothing(verb: str, rest: str) -> str:
    return f"{verb} 之后不能有“{rest}”"


def unknown_field(name: str, known: list[str]) -> str:
    return f"没有“{name}”这个字段，可用：{'、'.join(known)}、note"


def twice(name: str) -> str:
    return f"“{name}”写了两次"


def no_value(name: str) -> str:
    return f"“{name}”没有值"


def not_a_field(text: str) -> str:
    return f"“{text}”不是 字段=值 的形式"


def wrong(why: str) -> str:
    return f"命令有误，没有执行：{why}。正确写法见下。"


def unknown_subject(name: str, known: list[str]) -> str:
    return UNKNOWN_SUBJECT.format(name, "、".join(known))


def name_a_subject(known: list[str]) -> str:
    return NAME_A_SUBJECT.format("、".join(known))


def refused(why: str) -> str:
    return f"没有执行：{why}"


def accepted(name: str) -> str:
    return f"已确认 {name} 的结论。"


def corrected(name: str) -> str:
    return f"已更正 {name} 的结论。"


def labelled(kind: str, day: str, note: str) -> str:
    """The last line of a record that a person has settled. ``kind`` is a value of ``CorrectionKind``."""
    word = {"accepted": "人工确认", "corrected": "人工更正"}[kind]
    return f"{word}（{day}）" + (f"：{note}" if note else "")
