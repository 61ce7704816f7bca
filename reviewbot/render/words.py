"""Every Chinese text of records, comments and tables.

Contract: constants and small functions that return one message; no logic, no input or output.
"""

from __future__ import annotations

from reviewbot.words import EVIDENCE_KIND_WORDS

SECRET = "【已隐去密钥】"
ABSENT = "—"
CLIPPED = "…（已截断）"
MODULE_LEVEL = "模块级"

LABEL_WORDS: dict[str, str] = {
    "verdict": "结论",
    "risk": "风险",
    "needs_adaptation": "需改码",
    "needs_cann": "底层适配",
    "npu_affected": "影响 NPU",
    "compile_stage": "阶段",
}
#: By the value of ``Verdict``: what a reader has to do.
VERDICT_WORDS: dict[str, str] = {
    "Check": "人工确认后关闭",
    "Test": "在 NPU 上运行指定用例",
    "Shim": "需要修改 torch_npu 代码",
}
#: By the value of ``AnalysisState``.
STATE_WORDS: dict[str, str] = {
    "done": "已完成",
    "evidence_insufficient": "证据不足，请人工判断",
    "scope_too_large": "改动范围过大",
    "superseded": "已被更新的提交取代",
    "failed": "分析失败",
}
#: By the value of ``Relation``: how a place relates to what changed.
RELATION_TO_CHANGE: dict[str, str] = {
    "same_symbol": "被改符号本身",
    "same_operator": "同一算子",
    "same_flag": "同一配置项",
    "member": "被改类的成员",
    "enclosing": "被改成员所在的类",
    "touched": "改动行用到的名字",
    "same_name": "同名，对象未能解析",
    "sibling": "同族算子",
    "replacement": "上游实现的替换体",
    "consumer": "上游实现用到被改模块的符号",
    "heir": "使用被改类的下游子类",
    "akin": "与改动有共同的少见词",
    "about": "与改动用词相近",
    "same_module": "同一模块的其他名字",
    "same_package": "同一包",
}
#: By the value of ``Decision`` and ``Track``.
DECISION_WORDS: dict[str, str] = {"decided": "证据足以判定", "open": "需要人工判断"}
TRACK_WORDS: dict[str, str] = {"A": "A 轨（改动已有机制）", "B": "B 轨（新增能力）"}

HEADING_SUMMARY = "摘要"
HEADING_ANALYSIS = "分析"
HEADING_RULES = "命中规则"
HEADING_EVIDENCE = "证据"
HEADING_FURTHER = "同处的其他耦合"
HEADING_MISSES = "零命中"
HEADING_COUNTS = "全词计数"
HEADING_SNIPPETS = "代码片段"
HEADING_BASIS = "依据与范围"
EVIDENCE_COLUMNS = ("编号", "类型", "位置", "scope", "上游符号", "关系")
FURTHER_COLUMNS = ("编号", "类型", "行", "上游符号", "关系")
MISS_COLUMNS = ("编号", "检索词", "上游符号", "检索文件数", "命中")
COUNT_COLUMNS = ("检索词", "行数", "文件数")
RULE_COLUMNS = ("规则", "理由", "事实")
COLON = "："


def comment_title(verdict: str) -> str:
    return f"上游变更影响分析：{verdict}（{VERDICT_WORDS[verdict]}）"


def state_line(state: str, reason: str) -> str:
    """What ended as done has a reason only where a reader has to know something of it."""
    word = "注意" if state == "done" and reason else STATE_WORDS[state]
    return word + (f"：{reason}" if reason else "")


def evidence_fold(places: int, misses: int) -> str:
    return f"证据 {places} 处，零命中 {misses} 个"


def evidence_cut(cut: int, found: int) -> str:
    return f"清单按预算列出，共找到 {found} 处，略去排名靠后的 {cut} 处。"


def comment_cut(rows: int, further: int, snippets: int, misses: int) -> str:
    parts = [
        (rows, "处证据"),
        (further, "个同处耦合"),
        (snippets, "段代码片段"),
        (misses, "个零命中或计数"),
    ]
    return f"受评论长度限制，未显示 {'、'.join(f'{count} {what}' for count, what in parts if count)}。"


COMMENT_TRUNCATED = "（评论超过长度上限，余下内容未显示。）"


def kind_counts(counts: list[tuple[str, int]]) -> str:
    return "、".join(f"{EVIDENCE_KIND_WORDS[kind]} {count}" for kind, count in counts)


def detail_lacks(names: list[str]) -> str:
    return f"签名缺少参数 {'、'.join(names)}"


DETAIL_SIGNATURE: dict[bool, str] = {True: "签名与上游一致", False: "签名与上游不一致"}
DETAIL_CALLS: dict[bool, str] = {True: "回调原实现", False: "不回调原实现"}
DETAIL_COPY: dict[str, str] = {
    "carries_old_code": "仍含旧代码",
    "already_synced": "已含新代码",
    "diverged": "与上游新旧两版均不同",
}
DETAIL_ACCESS: dict[str, str] = {"read": "读取", "set": "设置"}


def detail_similarity(share: float) -> str:
    return f"相似度 {share:.0%}"


def also_at(paths: list[str]) -> str:
    return "同样见于 " + "、".join(paths)


def detail_original(name: str) -> str:
    return f"源自 {name}"


def detail_aligned(pairs: list[tuple[str, str]], count: int) -> str:
    """``pairs`` are the first of ``count`` line ranges, upstream and downstream."""
    shown = ",".join(f"{upstream}→{downstream}" for upstream, downstream in pairs)
    return f"对应行（上游→下游）{shown}" + (f" 等 {count} 段" if count > len(pairs) else "")


def detail_replacement(name: str) -> str:
    return f"替换为 {name}"


def detail_registrar(name: str) -> str:
    return f"经 {name} 注册"


def detail_list(name: str) -> str:
    return f"列于 {name}"


def basis_upstream(base: str | None, head: str | None, source: str) -> str:
    sides = f"{base or ABSENT} → {head or ABSENT}" if base or head else "版本未知"
    return f"上游：{sides}" + (f"（来源：{source}）" if source else "")


def basis_downstream(name: str, revision: str, files: int) -> str:
    return f"下游：{name} {revision}，检索 {files} 个文件"


def basis_coverage(full: int, hunks: int, skipped: int, unseen: int, complete: bool) -> str:
    parts = [f"{full} 个文件按完整内容分析"]
    if hunks:
        parts.append(f"{hunks} 个文件仅按 diff 片段分析")
    if skipped:
        parts.append(f"{skipped} 个文件没有可分析的文本")
    if unseen:
        parts.append(f"另有 {unseen} 个路径没有 diff")
    note = "" if complete else "；diff 不完整，不陈述规模"
    return f"覆盖：{'，'.join(parts)}{note}"


def basis_removed(count: int) -> str:
    return f"核验：删去 {count} 句未能证实的内容" if count else "核验：全部句子均已证实"


def basis_versions(versions: list[tuple[str, str]]) -> str:
    return f"版本：{'，'.join(f'{name} {version}' for name, version in versions)}"


WRITER_WORDS: dict[str, str] = {"template": "模板"}


def basis_writing(writer: str, calls: int, tokens: tuple[int, int, int], cost: str, seconds: float) -> str:
    """``tokens`` are input, cached of these, output."""
    name = WRITER_WORDS.get(writer, writer)
    if not calls:
        return f"撰写：{name}，" + ("未产生模型请求" if writer in WRITER_WORDS else "应答取自缓存")
    sent, cached, written = tokens
    parts = [
        f"撰写：{name}",
        f"{calls} 次模型请求",
        f"输入 {sent:,} token" + (f"（缓存 {cached:,}）" if cached else ""),
        f"输出 {written:,} token",
        *([f"费用 {cost}"] if cost else []),
        *([f"用时 {seconds:.1f} 秒"] if seconds else []),
    ]
    return "，".join(parts)


def basis_cost(amount: float, currency: str) -> str:
    return f"{amount:.4g} {currency}".rstrip()


def basis_time(milliseconds: float, at: str | None) -> str:
    return f"耗时 {milliseconds:.0f} ms" + (f"，生成于 {at}" if at else "")


def prior_line(track: str, decision: str) -> str:
    return f"{TRACK_WORDS[track]}，{DECISION_WORDS[decision]}"


def change_name(number: int) -> str:
    return f"pytorch/pytorch#{number}"


def in_brackets(text: str) -> str:
    return f"（{text}）"


UNTITLED = "（无标题）"
