"""Chinese words of the comment of a thread: its head, its table, what is said about its state."""

from __future__ import annotations

TITLE_MANY = "上游变更影响分析"
SUBJECT_COLUMNS = ("上游改动", "结论", "风险", "需改码", "一句话")
NO_SUBJECT = "标题、描述和提交信息中没有找到上游改动。请在 PR 描述中写明上游 PR 的链接或编号，或提交的 SHA。"
LINK_ANALYSIS = "完整分析"
LINK_REVIEW = "全部结果"
MISSING_ANALYSIS = "没有分析结果"
LEASE_HELD = "另一个进程正在更新这条评论，稍后会重试"
#: By the value of ``ReviewState``: what a reader has to know of a review that did not end as posted.
_STATES = {
    "superseded": "此次评审已被更新的提交取代",
    "cancelled": "此次评审已取消",
    "failed": "此次评审失败",
}
#: By the value of ``SubjectKind``, where the name tells a reader nothing.
SUBJECT_NAMES = {"whole": "本 PR 的全部改动", "pasted": "提交的 diff"}


def title_many(count: int, work: int, unsettled: int) -> str:
    needed = "均无需处理" if not work and not unsettled else f"{work} 个需要处理"
    return f"{TITLE_MANY}：{count} 个上游改动，{needed}"


def unsettled(count: int) -> str:
    return f"另有 {count} 个没有得出结论，原因见表。"


def reviewed(head: str, base: str) -> str:
    parts = [f"评审提交 {head}" if head else "", f"torch_npu 基线 {base}" if base else ""]
    return "，".join(part for part in parts if part)


def head_moved(reviewed_sha: str, head: str) -> str:
    return f"PR 已更新到 {head}，以下结论针对 {reviewed_sha}；新提交评审完成后，本评论随之更新。"


def paused(by: str) -> str:
    return f"自动评审已由 {by} 暂停，需要时请用 resume 恢复。"


def state(word: str, reason: str) -> str:
    return _STATES[word] + (f"：{reason}" if reason else "。")


def too_many(count: int, most: int, shown: int) -> str:
    return f"上游改动共 {count} 个，超过逐个列出的上限 {most}，这里只列出需要处理的 {shown} 个。"


def rows_left_out(count: int) -> str:
    return f"受评论长度限制，另有 {count} 个未列出。"


def details_left_out(count: int) -> str:
    return f"受评论长度限制，{count} 个上游改动的记录与证据未展开。"


def accepted(author: str, day: str) -> str:
    return f"已确认：{author}，{day}"


def corrected(author: str, day: str, changes: list[str], note: str) -> str:
    what = "、".join(changes) or "各项不变"
    return f"更正：{what}（{author}，{day}）" + (f"。理由：{note}" if note else "")


def changed(name: str, before: str, after: str) -> str:
    return f"{name} {before} → {after}"


def notice(author: str, text: str) -> str:
    return f"{author}：{text}"


def explained(name: str) -> str:
    return f"判定理由：{name}"


def check_title(verdict: str | None) -> str:
    return f"{TITLE_MANY}：{verdict}" if verdict else TITLE_MANY
