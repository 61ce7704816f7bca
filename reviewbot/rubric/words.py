"""Every Chinese text of the rule table.

Contract: constants and small functions that return one message; no logic, no input or output.
"""

from __future__ import annotations


def rubric_refused(where: str, reason: str) -> str:
    return f"规则表 {where}：{reason}。"


def rubric_unknown(name: str, nearest: str | None) -> str:
    return f"没有 {name} 这个名称" + (f"，是否想写 {nearest}" if nearest else "")


def rubric_bad_value(key: str, wrong: str, nearest: str | None, expected: list[str]) -> str:
    hint = f"是否想写 {nearest}" if nearest else f"可取值为 {'、'.join(one for one in expected if one)}"
    return f"{key} 不能取 {wrong}，{hint}"


def rubric_missing(key: str) -> str:
    return f"缺少 {key}"


def rubric_bad_when() -> str:
    return "when 应为一个条件名，或只含 all、any、not 之一的映射（not 只带一个条件）"


def rubric_bad_weight() -> str:
    return "权重应为数值，键应为已有的标签取值或条件名"


def rubric_twice() -> str:
    return "同一名称出现了两次"


def rubric_one_line() -> str:
    return "说明应为一行中文"


def rubric_no_meaning(section: str) -> str:
    return f"代码中有这个名称，{section} 中缺少它的含义"


def rubric_unused_condition() -> str:
    return "这个条件没有任何规则使用"


def rubric_contradiction() -> str:
    return "标签自相矛盾：Shim 必须为 是 或 待确认，high 风险不能是 Check"


def rubric_no_default() -> str:
    return "这一组缺少以 always 收尾的规则"


def rubric_unreachable(earlier: str) -> str:
    return f"排在总是成立的 {earlier} 之后，永远不会生效"


def rubric_not_yaml(reason: str) -> str:
    return f"不是合法的 YAML（{reason}）"


def rubric_because(meaning: str, names: tuple[str, ...], ids: tuple[str, ...], *, more: bool) -> str:
    shown = f"：{'、'.join(names)}{'…' if more else ''}" if names else ""
    cited = " " + "".join(f"[{one}]" for one in ids) if ids else ""
    return f"{meaning}{shown}{cited}"


RUBRIC_AND = "，且"
RUBRIC_OR = "；或"
RUBRIC_ABSENT = "不填"
RUBRIC_LABEL_COLUMNS = ("字段", "取值", "含义")
RUBRIC_VERDICT_COLUMNS = ("规则", "条件", "结论", "风险", "需改码", "影响 NPU", "判定", "理由")
RUBRIC_RULE_COLUMNS = ("规则", "条件", "取值", "理由")
RUBRIC_COMMAND = "核对 prompts/rubric.md 与规则表是否一致"
RUBRIC_COMMAND_WRITE = "按规则表重写 prompts/rubric.md"


def rubric_group(meaning: str) -> str:
    return f"（{meaning}）"


def rubric_not(meaning: str) -> str:
    return f"不满足“{meaning}”"


def rubric_adjustment(
    step_down: bool, verdict_at_least: str | None, risk_at_least: str | None, risk_at_most: str | None
) -> str:
    parts = ["结论降一级"] if step_down else []
    parts += [f"结论至少 {verdict_at_least}"] if verdict_at_least else []
    parts += [f"风险至少 {risk_at_least}"] if risk_at_least else []
    parts += [f"风险至多 {risk_at_most}"] if risk_at_most else []
    return "，".join(parts)


def rubric_stale(path: str) -> str:
    return f"{path} 与规则表不一致，请运行 python -m reviewbot.rubric --write。"


def rubric_written(path: str) -> str:
    return f"已写入 {path}。"
