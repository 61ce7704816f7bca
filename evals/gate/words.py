"""Chinese words of ``reviewbot eval gate``."""

from __future__ import annotations

from collections.abc import Sequence

HELP = (
    "与基线比较，只有当某个指标变差超出噪声时才失败（退出码 1）。\n\n"
    "判定看成对差的区间：差于基线、超过允许的余量、且区间不含“无变化”，三者同时成立才算失败。"
    "确认新结果可以接受后，用 --update 把本次运行写成新的基线。"
)
ARGUMENT_RUN = "要检查的运行"
OPTION_BASELINE = "基线运行：运行名、目录或单个文件；默认用随包附带的一份"
OPTION_THRESHOLDS = "阈值文件（TOML），默认用随包附带的一份"
OPTION_UPDATE = "把本次运行（只留标签与证据，不含正文）写到 --baseline 指定的文件"

COLUMNS = ("指标", "基线", "本次", "差", "区间", "余量", "")
FAILED, LOST, PASSED = "变差超出噪声", "不再有值", ""
UPDATE_NEEDS_FILE = "--update 需要用 --baseline 指定一个文件"


def passed(run: str, baseline: str, records: int) -> str:
    return f"通过：{run} 与基线 {baseline} 相比没有指标变差超出噪声（{records} 条记录）"


def failed(run: str, baseline: str, names: Sequence[str]) -> str:
    return f"未通过：{run} 与基线 {baseline} 相比，{'、'.join(names)}"


def worse(name: str) -> str:
    return f"{name}变差超出噪声"


def lost(name: str) -> str:
    return f"{name}不再有值"


def new_errors(records: Sequence[str]) -> str:
    shown = "、".join(records[:8]) + ("…" if len(records) > 8 else "")
    return f"{len(records)} 条基线已作答的记录没有答案（{shown}）"


def updated(path: str, records: int) -> str:
    return f"已把 {records} 条记录写成新的基线：{path}"


def unreadable(error: Exception) -> str:
    return f"读不了（{error}）"


def bad_value(key: str, reason: str) -> str:
    return f"键 {key}：{reason}"


def unknown_key(key: str) -> str:
    return f"键 slack.{key}：没有这个指标，可用的指标见 docs/scores.md"
