"""Every Chinese text of ``reviewbot eval run`` and ``rescore``. Constants and functions that return a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

JOIN = "，"
LIST = "、"
MOST_LISTED = 5

# --- commands ---------------------------------------------------------------------------------------------------------

HELP_RUN = """在标注记录上运行一个引擎，存下每条的回答，打印分数。

引擎：rules 只用规则表；template（默认）规则加模板，不用模型；model 由配置中的模型写草稿；\
batch 从 --answers 文件读回答，或用 --export 导出交给别处去答。

中断后重新执行同一条命令即可接着跑：已有回答的不再跑，出错的重试。退出码：0 全部有回答；\
10 取不到真实源码；11 达到 --limit-cost 而停下；12 跑完，但有记录出错；130 按 Ctrl-C 停下。"""
HELP_RESCORE = """用已存的回答重新计算分数；不再分析，不需要源码树。

标签改正之后、打分方法更新之后，用它得到新的分数。"""
OPTION_NAME = "运行的名字；结果放在 --runs 目录下的同名目录里"
OPTION_ENGINE = "rules、template（默认）、model 或 batch"
OPTION_RESCORE_SPLIT = "只算其中一部分记录：unread，或 splits.toml 中的名字，如 design；结果只打印，不存入运行"
OPTION_SPLIT = "取哪些记录：usable（默认，有 diff 的）、all、unread，或 splits.toml 中的名字，如 design"
OPTION_SAMPLE = "从中随机取 N 条"
OPTION_SEED = "随机取样的种子；同一种子取到同样的记录"
OPTION_LIMIT_COST = "这次运行的花费上限，接着跑时累计（货币同单价）；再跑一条就可能超出时停下，可以接着跑"
OPTION_JOBS = "同时分析几条；默认每个处理器一条，model 引擎为 4 条"
OPTION_RECORDS = "标注记录文件（JSON 行）；默认用随包附带的那一份"
OPTION_RUNS = "存放运行的目录，默认 ./runs"
OPTION_EXPORT = "batch 引擎：把每条记录的请求写进这个文件（OpenAI 批量格式），不作回答"
OPTION_DOSSIERS = "与 --export 同用：改写出每条记录的材料（改动、delta、证据清单、规则判断、相近记录），供自拟提示词"
OPTION_ANSWERS = "batch 引擎：从这个文件读回答：OpenAI 批量格式，或每行一个带 record、labels 等键的 JSON"
OPTION_REPLACE = "同名的运行条件不同时，删掉它的结果重新开始"
OPTION_YES = "要花钱、要删掉花过钱的运行时不再询问"
OPTION_PULLS = "取到过真实 PR diff（reviewbot eval cases fetch）的记录用真实 diff"
ARGUMENT_RUN = "运行的名字、所在目录，或单文件运行（.json）"

# --- errors -----------------------------------------------------------------------------------------------------------

ANSWER_OR_ERROR = "answer 与 error 必须恰有其一"
BAD_NAME = "运行的名字只能用字母、数字和 . _ + -，不以 . 开头，不以 .json 结尾"
DAMAGED_LINE = "这一行不是一条结果，文件已损坏；删掉这一行后重新执行 eval run，会补跑那条记录"
DISK_FULL = "没有写完（磁盘可能已满）；腾出空间后重新执行同一条命令"
IN_USE = "另一个进程正在跑这次运行，请等它结束"
NO_SUCH_FILE = "没有这个文件"
NOT_JSON = "不是完整的 JSON，文件已损坏；删掉这个目录后重新运行"
NO_DIFF = "没有这条记录的 diff"
ASK_NEEDS_YES = "要花钱，而现在无法询问；确认要跑请加 --yes"
EXPORT_OR_ANSWERS = "batch 引擎需要 --export（导出请求）或 --answers（读入回答），只能给一个"
ONLY_FOR_BATCH = "--export 与 --answers 只用于 --engine batch"
EXPORT_NEEDS_MODEL = "导出 OpenAI 批量请求要先配置 model.name；只要材料、不要提示词，请加 --dossiers"
NO_LIMIT_WITHOUT_PRICE = "没有单价就管不住花费，请先在配置里填 model.price_in 与 model.price_out"


def unreadable(error: Exception) -> str:
    return f"读不了（{error}）"


def unwritable(error: OSError) -> str:
    return f"写不进去（{error.strerror}）"


def newer_format(found: int, known: int) -> str:
    return f"由更新的版本写成（格式 {found}，本程序认得到 {known} 为止）；请先升级 reviewbot"


def bad_key(key: str, reason: str) -> str:
    return f"键 {key} 不合要求（{reason}）；文件已损坏，或不是一次运行"


def listed(names: Sequence[str]) -> str:
    """The first few, and how many there are when some were left out."""
    shown = LIST.join(names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown} 等 {len(names)} 个"


def no_such_run(runs: str, known: Sequence[str]) -> str:
    there = f"现有：{listed(known)}" if known else "那里还没有运行"
    return f"没有这次运行；在 {runs}/ 下找过，{there}"


CONDITIONS: Mapping[str, str] = {
    "engine": "引擎",
    "split": "记录的划分",
    "sample": "取样条数",
    "seed": "种子",
    "data": "标注记录文件",
    "inputs": "diff",
    "pulled": "真实 PR diff 的条数",
    "upstream_base": "上游源码",
    "downstream": "torch_npu 源码",
    "versions.code": "代码",
    "versions.rubric": "规则表",
    "versions.template": "模板",
    "versions.prompts": "提示词",
    "versions.model": "模型",
    "versions.extractor": "索引提取代码",
    "versions.answers": "回答文件",
}


def differs(condition: str, before: object, after: object) -> str:
    named = CONDITIONS.get(condition, condition)
    return f"{named} {_shown(before)} → {_shown(after)}"


def _shown(value: object) -> str:
    """Hashes by their first digits."""
    if value is None:
        return "无"
    text = str(value)
    return f"{text[:12]}…" if len(text) == 64 else text


def records_differ(before: int, after: int) -> str:
    return f"记录 {before} 条 → {after} 条" if before != after else f"{before} 条记录不是同样的那些"


def other_run(differences: Sequence[str]) -> str:
    return (
        f"这个名字下是另一种条件的运行（{'；'.join(differences)}）。"
        "要接着跑请恢复原来的条件；要重新跑请换一个 --name，或加 --replace 删掉它"
    )


def replaced(folder: str, differences: Sequence[str]) -> str:
    return f"{folder}：条件已变（{'；'.join(differences)}），删掉原来的结果重新运行。"


def replacing_paid(spent: float) -> str:
    return f"原来那次运行花了 {money(spent)}；确实要删掉它，请再加 --yes，或换一个 --name"


def torn_line(path: str) -> str:
    return f"{path}：最后一行没有写完（上次运行中断所致），已去掉，那条记录会重跑。"


def worker_failed(reason: str) -> str:
    return f"分析进程打不开源码树或索引（{reason}）"


def worker_died(code: int | None) -> str:
    return f"分析这条记录的进程意外退出（退出码 {code}；若为 -9，多半是内存不足，请减小 --jobs）"


def bad_splits(path: str, reason: str) -> str:
    return f"{path}：不是可用的划分（{reason}）"


def split_needs_batches(name: str) -> str:
    return f'[{name}] 需要一行 batches = ["…"]'


def reserved_split(name: str) -> str:
    return f"{name} 是内置的划分，请换个名字"


def no_such_split(split: str, known: Sequence[str]) -> str:
    return f"没有划分 {split}；可选 {LIST.join(known)}"


def empty_split(split: str) -> str:
    return f"划分 {split} 中没有可用的记录"


def records_lack(ids: Sequence[str]) -> str:
    return f"标注记录文件里没有运行过的记录 {listed(ids)}；请用 --records 指定运行时用的那个文件"


def wrong_answer(source: str, line: int, key: str, reason: str) -> str:
    where = f"{source}:{line}" + (f"，键 {key}" if key else "")
    return f"{where}：{reason}"


def batch_problem(path: str, problem: str) -> str:
    return f"{path} {problem}，已略过"


def second_answer(record: str) -> str:
    return f"记录 {record} 前面已经有一份回答"


def bad_answer(reason: str) -> str:
    return f"不是一份回答（{reason}）"


# --- on the way -------------------------------------------------------------------------------------------------------

RUNNING = "评测"
OPENING = "建索引"
EXPORTING = "导出请求"
READING_PRECEDENTS = "读以往记录"


def left_out(records: int) -> str:
    return f"{records} 条记录没有 diff，不参加。"


def resumed(answered: int, total: int) -> str:
    return f"接着跑：{total} 条中 {answered} 条已有回答。"


def errors_so_far(errors: int) -> str:
    return f"出错 {errors}"


def money_so_far(spent: float, expected: float) -> str:
    return f"已花 {money(spent)} / 预计 {money(expected)}"


def money(amount: float) -> str:
    return f"{amount:.2f}" if amount >= 1 else f"{amount:.4f}"


def estimate(records: int, expected: float, spent: float, currency: str) -> str:
    """``expected`` 0 says that nobody set a price."""
    before = f"，此前已花 {money(spent)} {currency}" if spent else ""
    if not expected:
        return f"{records} 条记录要由模型来答{before}；没有配置单价（model.price_in、model.price_out），估不出费用。"
    about = "约" if spent else "不超过"
    return f"{records} 条记录要由模型来答，预计再花{about} {money(expected)} {currency}{before}。"


GO_ON = "继续吗？[y/N] "
YES = ("y", "yes", "是")
DECLINED = "没有运行。"


def finishing(in_flight: int) -> str:
    return f"正在等 {in_flight} 条做完再停；再按一次 Ctrl-C 立即退出。"


# --- summary ----------------------------------------------------------------------------------------------------------

COLUMNS = ("分数", "值", "95 % 区间", "依据")
ERROR_KINDS: Mapping[str, str] = {"input": "没有 diff 或读不了", "writer": "没有草稿", "analysis": "分析出错"}


def counts(records: int, answered: int, total: int) -> str:
    asked = f"{total} 条记录" if records == total else f"{total} 条记录，跑了 {records} 条"
    return f"{asked}，{answered} 条有回答。"


def states(rows: Sequence[tuple[str, int]]) -> str:
    return "结束状态：" + JOIN.join(f"{name} {count}" for name, count in rows)


def errors(rows: Sequence[tuple[str, int]], examples: Sequence[str]) -> str:
    head = "出错（不计入分数）：" + JOIN.join(f"{name} {count}" for name, count in rows)
    return "\n".join((head, *(f"  {one}" for one in examples)))


def example(record: str, message: str) -> str:
    return f"{record}：{message}"


def rests_on(hits: int | None, n: int) -> str:
    return f"{n} 条" if hits is None else f"{hits}/{n}"


def weak(name: str) -> str:
    return f"{name}（参考）"


def where(folder: str) -> str:
    return f"结果：{folder}"


def report_next(name: str) -> str:
    return f"看报告：reviewbot eval report {name}"


CAPPED = "再跑一条就可能超出 --limit-cost，已停下。提高上限后执行同一条命令即可接着跑。"
STOPPED = "已停下；执行同一条命令即可接着跑。"
RETRY = "执行同一条命令会重试出错的记录。"
LABELS_CHANGED = "标注记录文件与运行时不同：分数按现在的标签计算。"


def exported(count: int, path: str) -> str:
    return f"已把 {count} 条请求写进 {path}；得到回答后用 --engine batch --answers 读入。"


def not_exported(record: str, message: str) -> str:
    return f"{record} 没有导出：{message}"
