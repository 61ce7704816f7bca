"""Every Chinese text of a report and of its command. Constants and functions that return a sentence; no logic."""

from __future__ import annotations

from collections.abc import Sequence

from evals.run.words import ERROR_KINDS

# --- command ----------------------------------------------------------------------------------------------------------

HELP_REPORT = """把一次评测运行写成报告：一个离线可看的 HTML 文件，或 Markdown、JSON、JUnit。

HTML 默认写入运行目录下的 report.html；其余格式默认写到标准输出。

JUnit 中一条记录是一个用例：对「要不要处理」漏报或误报算失败，没有答案算错误，尚未运行算跳过。"""
ARGUMENT_RUN = "运行的名字、所在目录，或单文件运行（.json）"
OPTION_FORMAT = "html（默认）、md（贴进 PR）、json（给程序）、junit（给 CI）"
OPTION_OUT = "写到这个文件；- 表示标准输出"
OPTION_RUNS = "存放运行的目录"
OPTION_RECORDS = "标注记录文件（JSON 行）；默认用随包附带的那一份"
OPTION_TEXTS = "团队自己的记录（标注记录 JSON 行，或团队表格），并排显示其中的摘要与分析"


def unreadable(error: Exception) -> str:
    return f"读不了（{error}）"


def unwritable(error: OSError) -> str:
    return f"写不进去（{error.strerror}），请用 --out 换一个位置"


def bad_analysis(key: str, reason: str) -> str:
    return f"不是一份分析，键 {key} 有误（{reason}）；删掉它，报告就不显示这一条的证据清单"


def unmatched_texts(file: str, count: int, total: int) -> str:
    return f"{file}：{total} 条中有 {count} 条按 PR 号对不上这次运行的记录，没有用"


def texts_without_numbers(file: str, count: int) -> str:
    return f"{file}：{count} 条没有 PR 号，没有用；先用 reviewbot records import --pr-list 补上"


NO_FIGURES = "没有安装 matplotlib（pip install 'reviewbot[eval]'），报告以表格代替图"

# --- names ------------------------------------------------------------------------------------------------------------

#: By the value of ``Engine``; a sheet of a run bears the run's name.
ENGINES = {"rules": "规则引擎", "template": "规则加模板", "model": "语言模型", "batch": "批量答案"}
#: By the value of ``Standing``.
STANDINGS = {
    "missed": "漏报",
    "false_alarm": "误报",
    "agreed": "一致",
    "error": "出错",
    "pending": "未运行",
}
#: By the value of ``PlaceStanding``.
PLACE_STANDINGS = {
    "cited": "草稿也引用",
    "shown": "在清单中，未引用",
    "unseen": "不在清单中",
    "absent": "所读的代码树里没有",
}
YES, NO, ABSENT = "要处理", "不用处理", "—"

# --- numbers ----------------------------------------------------------------------------------------------------------


def join(names: Sequence[str]) -> str:
    return "、".join(names)


def quoted(name: str) -> str:
    return f"「{name}」"


def clauses(parts: Sequence[str]) -> str:
    return "；".join(parts)


def interval(low: str, high: str) -> str:
    return f"{low} – {high}"


def share_of(hits: int, n: int) -> str:
    return f"{hits}/{n}"


# --- summary ----------------------------------------------------------------------------------------------------------


def title(name: str) -> str:
    return f"评测报告 · {name}"


def headline_engine(engine: str, model: str, answered: int, records: int) -> str:
    told = "全部给出了草稿" if answered == records else f"给出了 {answered} 份草稿，其余出错或未运行"
    who = ENGINES[engine] + (f" {model}" if model else "")
    return f"{who}，{records} 条记录，{told}。"


def headline_rate(name: str, value: str, hits: str, between: str) -> str:
    return f"{name} {value}（{hits}，95% 区间 {between}）"


def headline_none(name: str) -> str:
    return f"{name}无从计算"


def headline_rates(rates: Sequence[str]) -> str:
    return "；".join(rates) + "。"


STOP = "。"
DOUBT = "（计入区间后分不出高下）"
#: By the value of ``Contest``.
CONTESTS = {
    "won": "两项都不高于，至少一项低于",
    "even": "两项都等于",
    "mixed": "一项低、一项高于",
    "lost": "没有一项低于",
    "open": "无法比较",
}
CONTESTS_SHORT = {"won": "胜", "even": "平", "mixed": "互有高低", "lost": "负", "open": "无法比较"}
_AGAINST_CONSTANTS = {"won": "低于", "even": "等于", "lost": "高于"}


def headline_worth(*, won: bool, certain: bool) -> str:
    if not won:
        return "没有胜过全部基线："
    return "胜过全部基线：" if certain else "点估计胜过全部基线，但样本太小，不能断定："


def against_constants(total: str, contest: str, *, doubtful: bool) -> str:
    told = f"漏报率与误报率之和 {total}，{_AGAINST_CONSTANTS[contest]}一律只答一种结论的 100%"
    return told + (DOUBT if doubtful else "")


def against_others(contest: str, names: Sequence[str], *, doubtful: bool) -> str:
    return f"{CONTESTS[contest]}{join([quoted(name) for name in names])}" + (
        DOUBT if doubtful and contest != "even" else ""
    )


NO_BASELINES = "没有基线可比。"
NOTHING_TO_COMPARE = "漏报率或误报率无从计算，不能与基线比较。"
RUN_ROW = "本次"
SUM_OF_RATES = "两率之和"
COMPARED = "本次对它"


def compared(contest: str, *, doubtful: bool) -> str:
    return CONTESTS_SHORT[contest] + ("（分不出）" if doubtful and contest in ("won", "lost", "mixed") else "")


# --- headings ---------------------------------------------------------------------------------------------------------

SCORES = "全部分数"
BASELINES = "与基线比较"
BATCHES = "分批次"
RARE = "少见的类别"
STATES = "状态、出错与核验"
REPRODUCE = "重现"

BASELINE_COLUMN = "答案来自"
BATCH_COLUMNS = ("批次", "记录", "结论一致", "同批多数一致", "要处理", "漏报", "误报")
RARE_COLUMNS = ("标签", "团队的值", "记录", "草稿的值")
STATE_COLUMNS = ("结束方式", "条数")


def errors_row(kind: str) -> str:
    return f"出错：{ERROR_KINDS[kind]}"


PENDING_ROW = "尚未运行"
MANIFEST_NAMES = {
    "name": "名称",
    "engine": "引擎",
    "created": "时间",
    "split": "子集",
    "sample": "抽样",
    "seed": "种子",
    "data": "记录文件 SHA-256",
    "inputs": "diff SHA-256",
    "pulled": "真实 PR diff 的条数",
    "upstream_base": "上游版本",
    "downstream": "下游版本",
    "commit": "git 提交",
}
DIRTY = "（工作区有未提交的改动）"
_GROUPS = {"version": "版本", "parameter": "参数"}


def manifest_name(key: str) -> str:
    """Of a key as in `reproducing.facts`: ``seed``, ``version.rubric``."""
    group, _, name = key.partition(".")
    return f"{_GROUPS[group]}：{name}" if name else MANIFEST_NAMES[key]


def commit(revision: str, *, dirty: bool) -> str:
    return revision + (DIRTY if dirty else "")


# --- one record -------------------------------------------------------------------------------------------------------

UNTITLED = "（无标题）"


def place_summary(counts: Sequence[tuple[str, int]]) -> str:
    return "，".join(f"{PLACE_STANDINGS[standing]} {count} 处" for standing, count in counts if count)


# --- why a record is wrong --------------------------------------------------------------------------------------------


def why_missed(grounds: Sequence[str]) -> str:
    return f"漏报：团队认为要处理（{'，'.join(grounds)}），草稿认为不用。"


def why_false_alarm(grounds: Sequence[str]) -> str:
    return f"误报：草稿认为要处理（{'，'.join(grounds)}），团队认为不用。"


def ground(label: str, value: str) -> str:
    return f"{label} {value}"


def why_label(label: str, team: str, draft: str) -> str:
    return f"{label}：团队 {team}，草稿 {draft}。"


def why_rule(rule: str, reason: str) -> str:
    return f"判定结论的规则 {rule}" + (f"：{reason}" if reason else "") + "。"


def why_adjusted(rule: str, reason: str) -> str:
    return f"又经规则 {rule} 调整" + (f"：{reason}" if reason else "") + "。"


def why_verification(changes: Sequence[str]) -> str:
    return f"核验改了标签：{'；'.join(changes)}。"


def label_change(label: str, before: str, after: str) -> str:
    return f"{label} {before} → {after}"


WHY_PRIOR_KEPT = "草稿沿用了规则初判的标签。"
WHY_PRIOR_RIGHT = "规则初判与团队对「要不要处理」的看法一致，是草稿改错的。"
WHY_PRIOR_WRONG = "规则初判对「要不要处理」也看错了。"


def why_places(total: int, counts: Sequence[tuple[str, int]]) -> str:
    return f"团队引用 {total} 处：{place_summary(counts)}。"


def why_removed(count: int) -> str:
    return f"核验删去了 {count} 句。"


def why_state(state: str, reason: str) -> str:
    return f"分析没有完成：{state}" + (f"（{reason}）" if reason else "") + "。"


def why_error(kind: str, fault: str, message: str) -> str:
    cause = f"（{fault}）" if fault else ""
    return f"{ERROR_KINDS[kind]}{cause}：{message}"


WHY_PENDING = "运行还没有轮到这一条；再次执行同一条命令会接着做。"

# --- Markdown ---------------------------------------------------------------------------------------------------------

MD_SCORE_COLUMNS = ("分数", "本次", "95% 区间", "n")
MD_RECORD_COLUMNS = ("记录", "PR", "标题", "团队", "草稿", "分")
MD_MISSED = "漏报的记录"
MD_FALSE_ALARMS = "误报的记录"
MD_ERRORS = "出错的记录"
MD_NONE = "没有。"


def counted(title: str, count: int) -> str:
    return f"{title}（{count}）"
