"""Chinese of ``reviewbot eval judge``: the form's criteria, what a judge is told, what people read.

Contract: constants and functions that return one text. ``CRITERIA`` is the one place that defines the form: the prompt
and the sheet for people are made of it. Changing a word of it is a new version of ``prompts/judge.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evals.run.words import money
from reviewbot.words import WRITER_FAULTS

# --- the form ---------------------------------------------------------------------------------------------------------


class Definition(NamedTuple):
    """``grades`` say what 0, 1 and 2 mean."""

    name: str
    asks: str
    grades: tuple[str, str, str]


#: By the value of `Criterion`, in the order of the form.
CRITERIA: Mapping[str, Definition] = {
    "faithful": Definition(
        "忠实",
        "段落里的说法有没有依据",
        (
            "有关键说法与改动或 torch_npu 代码相反，或凭空而来，足以影响结论",
            "结论所依据的说法都有依据，个别细节没有依据或说过了头",
            "每一句都能在改动或 torch_npu 代码中找到依据",
        ),
    ),
    "complete": Definition(
        "完整",
        "该说的有没有说到",
        (
            "漏掉了会改变结论的改动、耦合处或后果",
            "影响结论的都说到了，但影响、验证方法、风险中至少缺一项",
            "改动、耦合处（或检索落空）、影响、验证方法、风险都说到了",
        ),
    ),
    "useful": Definition(
        "有用",
        "维护者只读这一段，能不能决定关闭、测试还是改代码",
        (
            "读完仍不知道要做什么，或会被带偏",
            "知道大致方向，还要自己再查才能动手",
            "读完就能动手：关闭、跑哪些用例，或改哪里",
        ),
    ),
}


def criterion_heading(key: str) -> str:
    return f"{key}（{CRITERIA[key].name}）：{CRITERIA[key].asks}"


def grade_line(grade: int, meaning: str) -> str:
    return f"{grade} = {meaning}"


GRADE_JOIN = "；"


def column_with_grades(key: str, grades: str) -> str:
    return f"{criterion_heading(key)}。{grades}"


#: Other columns of the sheet, by key.
COLUMNS: Mapping[str, str] = {"record": "记录", "title": "标题", "paragraph": "段落", "analyst": "评分人"}


def column(key: str) -> str:
    return f"{key}（{COLUMNS[key]}）"


def numbered_title(number: int, title: str) -> str:
    return f"#{number} {title}".rstrip()


# --- for the judge ----------------------------------------------------------------------------------------------------

PARAGRAPH, PLACES = "待评的段落", "段落中的位置"


def printed_place(one: str, place: str) -> str:
    return f"{place} 即 {one}"


NO_PLACES = "段落没有引用清单中的位置"
NOT_JSON = "不是 JSON 对象"


def wrong_key(key: str, reason: str) -> str:
    return f"键 {key} 不合要求（{reason}）" if key else reason


def again(problem: str) -> str:
    return f"上一次的输出不可用：{problem}。请只输出“输出格式”要求的 JSON 对象，每条理由一句话。"


#: By the value of ``WriterFault``, for faults without a detail.
USELESS: Mapping[str, str] = {"truncated": "在长度上限处被截断", "empty": "没有任何内容"}

# --- commands ---------------------------------------------------------------------------------------------------------

HELP_JUDGE = "用模型按固定的评分表评草稿段落；只有与人的评分对照过，分数才显示"
HELP_RUN = """让一个模型按固定的评分表（忠实、完整、有用，各 0 到 2 分）评一次运行中的段落。

评审模型不能是写草稿的模型，除非加 --same-model。服务地址、密钥和单价取自配置的 [model]；\
评审模型用另一个服务或另一种单价时，用 --config 另给一份配置。

结果存入运行目录的 judgements.jsonl。重新执行同一条命令即可接着评，出错的会重试。\
退出码：0 全部评完；11 达到 --limit-cost 而停下；12 有段落没评成；130 按 Ctrl-C 停下。"""
HELP_FORM = """给人一张空的评分表（CSV，可用 Excel 打开）：抽出若干段落，评分项与评审模型所用的相同。

需处理与无需处理的记录各抽一半，顺序打乱；表里没有标签，也没有模型的评分。表头写着每一分的含义。"""
HELP_CALIBRATE = """用人填好的评分表校准评审模型：每个评分项的一致率、二次加权 kappa、平均差，各附 95 % 区间。

至少要有 10 条人和模型都评过的记录。结果存入运行目录的 calibration.json，此后报告才会显示模型的评分。"""
ARGUMENT_RUN = "运行的名字或所在目录"
OPTION_MODEL = "评审模型的名字"
OPTION_SAMPLE = "只评随机取的 N 段"
OPTION_SEED = "随机的种子；同一种子取到同样的记录"
OPTION_SAME_MODEL = "允许评审模型就是写草稿的模型（报告会注明）"
OPTION_JOBS = "同时评几段（默认 4）"
OPTION_LIMIT = "花费上限（单价所用的货币）；将要超出时停下，可以接着评"
OPTION_YES = "要花钱时不再询问"
OPTION_N = "抽多少段（默认 20）"
OPTION_OUT = "写到哪个文件；已有的文件不会覆盖"
OPTION_GRADES = "人填好的评分表（CSV）；几个人的表可以接在一起，用评分人一列区分"
OPTION_CALIBRATED_MODEL = "校准哪个评审模型；只有一个时不必给"

# --- errors -----------------------------------------------------------------------------------------------------------

JUDGEMENT_OR_ERROR = "judgement 与 error 必须恰有其一"
DAMAGED_LINE = "这一行不是一条评审结果，文件已损坏；删掉这一行后重新执行 eval judge run，会补评那一段"


def file_exists(path: str) -> str:
    return f"{path}：文件已存在，里面可能有人填的评分；请换一个 --out"


def file_unwritable(path: str, error: OSError) -> str:
    return f"{path}：{unwritable(error)}"


def unreadable(error: Exception) -> str:
    return f"读不了（{error}）"


def unwritable(error: OSError) -> str:
    return f"写不进去（{error.strerror}）"


def needs_folder(name: str) -> str:
    return f"{name}：单文件的运行没有存下分析，评不了；请给出运行目录"


def no_paragraph(name: str) -> str:
    return f"{name}：这次运行没有一条带段落的回答（rules 引擎不写段落），没有可评的"


def same_model(model: str, drafting: str) -> str:
    return f"{model} 就是写草稿的模型（{drafting}），评自己会偏袒；请换一个模型，或明确加上 --same-model"


def wrote_itself(model: str) -> str:
    return f"{model} 也是写草稿的模型，结果会注明。"


def grade_problem(source: str, line: int, column: str, reason: str) -> str:
    return f"{source}:{line}" + (f"，列 {column}" if column else "") + f"：{reason}"


EMPTY_FILE = "没有表头"
NO_COLUMN = "缺少这一列，请用 eval judge form 给出的表头"
NOT_FILLED = "没有填；三项要么都填，要么都空着"
TWO_COLUMNS = "出现了两次"


def open_quote(reason: str) -> str:
    return f"这一行拆不开（{reason}）"


def bad_grade(cell: str) -> str:
    return f"只能填 0、1、2，现在是 {cell}"


def unknown_record(record: str) -> str:
    return f"这次运行里没有带段落的记录 {record}" if record else "没有填"


def graded_twice(record: str, analyst: str) -> str:
    who = analyst or "没有署名的人"
    return f"{who}在前面已经评过 {record}；不同的人请在 analyst 一列写明"


OTHER_PARAGRAPH = "与这次运行中的段落不同，评的是另一次运行，或段落被改动过"


def no_judgements(name: str) -> str:
    return f"{name}：还没有模型评过，请先执行 reviewbot eval judge run {name} --model …"


def which_judge(judges: Sequence[str]) -> str:
    return f"这次运行有几个评审模型评过（{'、'.join(judges)}），请用 --model 指定一个"


def not_judged_by(model: str, judges: Sequence[str]) -> str:
    return f"这次运行没有由 {model} 评过；评过的有 {'、'.join(judges)}"


def too_few(common: int, fewest: int, graded: int, judged: int) -> str:
    return (
        f"人和模型都评过的记录只有 {common} 条（人评了 {graded} 条，模型评了 {judged} 条），不足 {fewest} 条，"
        "一致与否看不出来；请让人多评几条，或让模型评完整个运行"
    )


# --- on the way -------------------------------------------------------------------------------------------------------

JUDGING = "评审"
GO_ON = "继续吗？"
DECLINED = "没有评审。"
ASK_NEEDS_YES = "要花钱，而现在无法询问；确认要评请加 --yes"


def judge(model: str, prompt: str) -> str:
    return f"{model}（{prompt}）"


def failed(model: str, fault: str, detail: str) -> str:
    return f"{model} 没有评成：{WRITER_FAULTS[fault]}" + (f"（{detail}）" if detail else "")


def resumed(judged: int, total: int) -> str:
    return f"接着评：{total} 段中 {judged} 段已评。"


def estimate(paragraphs: int, tokens: int, most: float | None, currency: str, model: str) -> str:
    """``most`` None: nobody set a price."""
    asked = f"{paragraphs} 段要由 {model} 来评，提示词至多约 {tokens} token"
    if most is None:
        return f"{asked}；没有配置单价（model.price_in、model.price_out），估不出费用。"
    return f"{asked}，按配置的单价一般不超过 {money(most)} {currency}（答得不合格式时会再问一次）。"


def price_of_other(configured: str) -> str:
    return f"单价是为 {configured} 配置的；评审模型的单价若不同，请用 --config 另给一份配置。"


def finishing(in_flight: int) -> str:
    return f"正在等 {in_flight} 段评完再停；再按一次 Ctrl-C 立即退出。"


def finished(judged: int, total: int, errors: int, spent: float | None, currency: str) -> str:
    failed = f"，{errors} 段没评成" if errors else ""
    paid = f"，共花 {money(spent)} {currency}" if spent is not None else ""
    return f"{total} 段中 {judged} 段已评{failed}{paid}。"


def failure(record: str, message: str) -> str:
    return f"  {record}：{message}"


CAPPED = "再评一段就可能超出 --limit-cost，已停下。提高上限后执行同一条命令即可接着评。"
STOPPED = "已停下；执行同一条命令即可接着评。"
RETRY = "执行同一条命令会重试没评成的段落。"


def form_written(paragraphs: int, path: str, run: str) -> str:
    return (
        f"已把 {paragraphs} 段写进 {path}。填完后执行 reviewbot eval judge calibrate {run} --grades {path}。"
        "\n每一项填 0、1 或 2："
    )


def fewer_paragraphs(asked: int, there: int) -> str:
    return f"只有 {there} 段可抽，不到 {asked} 段。"


# --- what is shown ----------------------------------------------------------------------------------------------------

AGREEMENT_COLUMNS = ("评分项", "一致率", "95 % 区间", "二次加权 kappa", "95 % 区间", "平均差", "95 % 区间", "模型比人")
SUMMARY = "模型评分"
SUMMARY_COLUMNS = ("评分项", "平均分（0–2）", "95 % 区间", "0 / 1 / 2", "与人一致", "二次加权 kappa", "平均差")
UNDEFINED = "—"
KINDER, STRICTER, EVEN = "宽", "严", "看不出差别"


def calibrated(judge: str, records: int, pairs: int, analysts: int) -> str:
    return f"{judge}与人对照：{records} 条记录，{pairs} 对评分，{analysts} 人。"


def people_agree(parts: Sequence[tuple[str, int, int]]) -> str:
    return "人与人之间的一致：" + "，".join(f"{name} {same}/{pairs}" for name, same, pairs in parts) + "。"


def stored(path: str) -> str:
    return f"结果：{path}"


def heading(judge: str, judged: int, paragraphs: int, errors: int, *, own: bool) -> str:
    """What stands above the table of a judge's grades."""
    failed = f"，{errors} 段没评成" if errors else ""
    note = "注意：它也是写草稿的模型。" if own else ""
    return f"模型评审：{judge}，{paragraphs} 段评了 {judged} 段{failed}。{note}"


def rests_on(records: int, pairs: int, analysts: int) -> str:
    return f"后三列出自人也评过的 {records} 条记录（{pairs} 对评分，{analysts} 人）；平均差大于 0 表示模型比人宽。"


def not_calibrated(judges: Sequence[str], run: str) -> str:
    return (
        f"{'、'.join(judges)}评过，但还没有与人的评分对照，分数不显示；"
        f"请用 reviewbot eval judge form {run} 让人评一份样本，再执行 eval judge calibrate"
    )


def calibrated_other(calibrated: str, judges: Sequence[str]) -> str:
    return f"校准的是 {calibrated}，而评过现有段落的是 {'、'.join(judges)}，分数不显示；请重新校准"


NONE_STANDS = "没有一条评审结果对得上现在的段落，分数不显示；请重新执行 eval judge run"
