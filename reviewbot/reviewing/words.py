"""Chinese words of a review."""

from __future__ import annotations

CLOSED = "PR 已关闭"
DRAFT = "草稿 PR 不评审"
PAUSED = "评审已暂停"
NOTHING = "标题、描述和提交中没有提到上游 PR 或提交，改动也不涉及上游目录"


def written_instead(reason: str, failure: str) -> str:
    """``reason`` is what the analysis says already, ``failure`` why the model did not write."""
    told = f"{failure.rstrip('。')}；本记录由模板撰写。"
    return f"{reason.rstrip('。；')}；{told}" if reason else told


def unforeseen(error: str) -> str:
    return f"分析时出现内部错误（{error}），详情见服务日志"
