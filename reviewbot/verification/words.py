"""What the verifier says in Chinese: one message for each thing that it can object to, and how an analysis ends.

Contract: constants and small functions that return one message; no logic, no input or output, cheap to import.
"""

from __future__ import annotations


def _ids(ids: list[str]) -> str:
    return "、".join(ids)


def unknown_id(one: str) -> str:
    return f"证据清单中没有 {one}"


def bare_id(one: str) -> str:
    return f"编号 {one} 应写成 [{one}]"


def uncited() -> str:
    return "陈述了 torch_npu 的事实，却没有引用证据编号"


def says_nothing_of(ids: list[str]) -> str:
    return f"引用了 {_ids(ids)}，却没有说出它的名字、关系或数量"


def instructions_repeated() -> str:
    return "照抄了给评审模型的说明，没有评审本次改动"


def irregular(chars: str) -> str:
    return f"“{chars}”不是规范汉字，请用简体中文"


def top_not_cited(one: str) -> str:
    return f"没有引用排在首位的证据 {one}"


def no_miss_cited() -> str:
    return "没有耦合点，却没有引用任何零命中"


def unclear_polarity(word: str) -> str:
    return f"“{word}”是肯定还是否定不明确，请改写"


def positive_without_hit(word: str) -> str:
    return f"“{word}”是肯定的说法，引用的却只有零命中"


def negative_with_hit(word: str, ids: list[str]) -> str:
    return f"否定了“{word}”，引用的 {_ids(ids)} 却是实际存在的耦合点"


def not_counted(name: str, ids: list[str]) -> str:
    return f"{name} 不是 {_ids(ids)} 统计的符号"


#: Instead of 算子注册, for an operator that only stands in a list.
LISTED = "名单中的一项"


def wrong_relation(word: str, places: list[tuple[str, str]]) -> str:
    found = "、".join(f"{one} 是{kind}" for one, kind in places)
    return f"说是“{word}”，而 {found}"


def no_such_place(word: str) -> str:
    return f"证据清单中没有“{word}”这类耦合点"


def other_symbol(name: str, ids: list[str]) -> str:
    return f"{_ids(ids)} 与 {name} 无关"


def detail(said: str) -> str:
    return f"“{said}”与证据中测得的签名或回调情况不符"


def copy_state(said: str) -> str:
    return f"“{said}”与测得的副本状态不符"


def not_in_contact(said: str, ids: list[str]) -> str:
    return f"说“{said}”，而 {_ids(ids)} 只在被改代码附近"


def other_act(said: str, name: str) -> str:
    return f"说“{said} {name}”，与改动不符"


def wrong_path(path: str) -> str:
    return f"路径 {path} 不属于本句引用的证据，也不在本次改动中"


def unknown_path(path: str) -> str:
    return f"路径 {path} 不存在"


def unknown_test(test: str) -> str:
    return f"测试 {test} 不属于本次改动，也不是所引证据"


def wrong_line(place: str) -> str:
    return f"行号 {place} 不属于本句引用的证据"


def scope_of_other(name: str, one: str) -> str:
    return f"{name} 属于 {one}，本句没有引用它"


def foreign_name(name: str) -> str:
    return f"{name} 不属于本句引用的证据，也不在本次改动中"


def unknown_name(name: str) -> str:
    return f"{name} 在改动和两棵代码树中都不存在"


def wrong_count(text: str) -> str:
    return f"数量“{text.strip()}”与测得的不符"


def no_size(text: str) -> str:
    return f"diff 不完整，不能陈述规模“{text.strip()}”"


def not_chinese() -> str:
    return "不是中文"


def too_long(length: int, limit: int) -> str:
    return f"全文 {length} 字，超过 {limit} 字"


def summary_too_long(length: int, limit: int) -> str:
    return f"摘要 {length} 字，超过 {limit} 字"


def summary_not_one(count: int) -> str:
    return f"摘要应为一句，现在是 {count} 句"


def summary_cites(ids: list[str]) -> str:
    return f"摘要不带编号，却写了 {_ids(ids)}"


def flag_says_no_change() -> str:
    return "说需要修改，而“需改码”为否"


def flag_says_change(flag: str) -> str:
    return f"说无需修改，而“需改码”为{flag}"


def flag_says_unaffected() -> str:
    return "说影响 NPU，而“影响 NPU”为否"


def flag_says_affected() -> str:
    return "说不影响 NPU，而“影响 NPU”为是"


def flag_says_no_cann() -> str:
    return "说 CANN 需要适配，而“底层适配”不为是"


def not_reverted() -> str:
    return "说已被 Revert，而该 PR 没有被 Revert"


def revert_not_stated() -> str:
    return "该 PR 已被 Revert，摘要和分析都没有说明"


def other_verdict(said: str, verdict: str) -> str:
    return f"文中结论为 {said}，标签为 {verdict}"


def other_risk(said: str, risk: str) -> str:
    return f"文中风险为 {said}，标签为 {risk}"


def shim_without_change() -> str:
    return "结论为 Shim，“需改码”却为否"


def shim_without_place() -> str:
    return "结论为 Shim，却没有引用需要修改的位置"


def check_with_change() -> str:
    return "结论为 Check，“需改码”却为是"


def change_not_stated() -> str:
    return "“需改码”为是，分析却没有带证据说明改哪里"


def high_without_place() -> str:
    return "风险为 high，却没有引用任何证据"


def cann_not_stated() -> str:
    return "“底层适配”为是，分析却没有说明 CANN 要做什么"


def fallback_summary(number: int | None, paths: list[str], files: int) -> str:
    """A summary made of facts alone, for when the drafted one could not be proved."""
    subject = "上游改动" if number is None else f"上游 PR {number}"
    if not paths:
        return f"{subject} 未改动任何文件。"
    more = f" 等 {files} 个文件" if files > len(paths) else ""
    return f"{subject} 修改 {'、'.join(paths)}{more}。"


FALLBACK_REVERTED = "（已被 Revert）"
INSUFFICIENT_NO_HIT = "证据清单非空，分析中没有留下任何可核实的引用"
INSUFFICIENT_NO_TOP = "分析中没有留下对首位证据的可核实引用"
INSUFFICIENT_NO_MISS = "没有耦合点，分析中也没有留下可核实的零命中"
INSUFFICIENT_EMPTY = "分析中没有留下任何可核实的句子"


def insufficient_flags(messages: list[str]) -> str:
    return f"标签未能得到证实：{'；'.join(messages)}"


NO_PROVED_SENTENCE = "现有证据不足以给出可核实的分析，请人工查看证据清单。"
