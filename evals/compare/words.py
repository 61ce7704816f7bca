"""Chinese words of ``reviewbot eval compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

HELP = (
    "在两次运行都作答的记录上比较两次运行：每个指标的差及其 95 % 区间（按批次成对自助抽样）、"
    "McNemar 检验、逐条翻转与开销。\n\n"
    "A、B 是运行名、运行目录或单个文件；判断的是 B 是否比 A 好。"
)
ARGUMENT_FIRST = "作为基准的运行"
ARGUMENT_SECOND = "要判断的运行"
OPTION_RUNS = "运行所在目录"
OPTION_ALL = "列出全部指标；默认只列有差别的与决定结论的"

CONCLUSIONS: Mapping[str, str] = {
    "better": "{second} 好于 {first}",
    "worse": "{second} 差于 {first}",
    "mixed": "{second} 与 {first} 互有优劣",
    "same": "这些记录看不出 {second} 与 {first} 的差别",
    "nothing": "没有两次运行都作答的记录，无从比较",
}
NOTES: Mapping[str, str] = {
    "data": "两次运行的标注文件不同，按当前标注计分",
    "inputs": "两次运行读到的 diff 不同",
    "revisions": "两次运行的源码树版本不同",
    "records": "两次运行选取的记录不同，只比较共有的部分",
}
COLUMNS = ("指标", "A", "B", "B − A", "95 % 区间", "仅 A 为是 / 仅 B 为是（McNemar p）", "")
FLIP_COLUMNS = ("记录", "批次", "项", "人工", "A", "B", "")
GAINED, LOST = "变对", "变错"
BEYOND: Mapping[bool, str] = {True: "更好", False: "更差"}
FIELDS: Mapping[str, str] = {
    "needs_work": "需处理",
    "verdict": "结论",
    "risk": "风险",
    "needs_adaptation": "需改码",
    "npu_affected": "影响 NPU",
    "compile_stage": "阶段",
}
VALUES: Mapping[str, str] = {"yes": "是", "no": "否"}
NO_FLIPS = "没有由对变错或由错变对的记录"


def conclusion(kind: str, first: str, second: str, records: int, decisive: Sequence[str]) -> str:
    said = CONCLUSIONS[kind].format(first=first, second=second)
    basis = f"（{records} 条记录；依据{'、'.join(decisive)}）" if records else ""
    return f"{said}{basis}。"


def one_sided(first: Sequence[str], second: Sequence[str], unanswered: Sequence[str]) -> str:
    parts = []
    if first:
        parts.append(f"只有 A 运行过 {len(first)} 条")
    if second:
        parts.append(f"只有 B 运行过 {len(second)} 条")
    if unanswered:
        parts.append(
            f"至少一方出错 {len(unanswered)} 条（{'、'.join(unanswered[:5])}{'…' if len(unanswered) > 5 else ''}）"
        )
    return "未计入：" + "，".join(parts) if parts else ""


def p_value(p: float) -> str:
    return f"p = {p:.2f}" if p >= 0.01 else "p < 0.01"


def flips_heading(gained: int, lost: int) -> str:
    return f"翻转：变对 {gained} 处，变错 {lost} 处"
