"""Every Chinese word that ``python -m evals.tune`` shows, in one place. Functions return whole sentences."""

from __future__ import annotations

from collections.abc import Sequence

HELP = (
    "在标注记录上拟合排序权重，并用留一批法报告召回率：每条记录都由没有见过它那一批的权重来排。\n\n"
    "权重只按证据种类和关系区分，从手定值出发，离手定值越远代价越大。没有 batch 的记录自成一批。"
)
TABLE_HELP = "从哪份权重表出发；默认用产品自带的 weights.toml。已拟合过的权重从表中注明的手定值出发"
WRITE_HELP = "把在全部记录上拟合的权重写到这个文件；不给就不写"
FITTING = "拟合权重"
TOO_FEW_BATCHES = "留一批法至少要有两批有引用的记录"

COLUMN_DEPTH = "前 k 条"
COLUMN_FITTED_SCOPE = "留一批 scope"
COLUMN_FITTED_FILE = "留一批 文件"
COLUMN_HAND_SCOPE = "手定 scope"
COLUMN_HAND_FILE = "手定 文件"
COLUMN_WEIGHT = "权重"
COLUMN_BY_HAND = "手定"
COLUMN_FITTED = "拟合"
COLUMN_RATIO = "倍数"
COLUMN_GREW = "变大的批"
COLUMN_SHRANK = "变小的批"

NO_SUCH_FOLDER = "所在的目录不存在，请先建好"
ONLY_HELD_OUT = "“拟合”一列用上了全部记录，因此没有自己的召回率；上表的留一批召回率说明这样拟合出来的权重有多可靠。"


def not_toml(reason: str) -> str:
    return f"不是合法的 TOML（{reason}）"


def no_scoring(reason: str) -> str:
    return f"不是排序用的权重表（{reason}）"


def unread_numbers(names: Sequence[str]) -> str:
    if not names:
        return "没有可以拟合的数"
    return f"这些数不是单独一行的“名字 = 数”，拟合后写不回去：{'、'.join(names)}"


def unreadable(reason: str) -> str:
    return f"读不了（{reason}）"


def not_writable(reason: str) -> str:
    return f"写不进去（{reason}）"


def plan(records: int) -> str:
    return f"先为 {records} 条记录检索一遍（约 {max(records // 4, 1)} 秒），再拟合；排序只算一次就记住。"


def estimate(examples: int, weights: int, folds: int, seconds: float) -> str:
    return f"{examples} 条有引用的记录，{weights} 个权重，{folds} 批：拟合 {folds + 1} 次，估计约 {seconds:.0f} 秒。"


def recall_title(records: int, folds: int) -> str:
    return f"召回率（{records} 条记录，{folds} 批；只看排序；括号内为命中数/总数，方括号内为按记录自助抽样的 95% 区间）"


def weights_title(folds: int) -> str:
    return f"动过的权重（共 {folds} 批）"


def unmoved(count: int) -> str:
    return f"其余 {count} 个权重没有动。"


def written(path: str) -> str:
    return f"权重已写入 {path}。拿它再跑 python -m evals.retrieval，得到的是见过这些记录的召回率，不能当作成绩。"


def took(seconds: float, rankings: int) -> str:
    return f"拟合用时 {seconds:.0f} 秒，排序 {rankings} 次。"
