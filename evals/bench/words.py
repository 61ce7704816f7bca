"""Every Chinese word of the benchmark."""

from __future__ import annotations

from pathlib import PurePosixPath

MOST_RUNS = 9  # of more samples than that the number stands in a note

HELP = "测量耦合索引的速度：同一次运行里与 git grep 对比，冷建、增量、查询、内存与增长各一张表，目标旁标 ✓ 或 ✗。"
DATA_HELP = "真实数据所在目录；默认在缓存目录下的 real-data。不会下载，缺了就改用合成源码树"
QUICK_HELP = "每项只跑一次，样本也少；用来看看能不能跑，数字不作数"
SYNTHETIC_HELP = "不用真实数据，用合成的源码树"

REAL_SUBJECT = "torch 2.13.0 → 2.14.0 的标注改动，torch_npu 2.13.0 wheel 的源码树"
SYNTHETIC_PATCH = "合成的改动"
NO_REAL_DATA = "本机没有完整的真实数据（make real-data 可以备好），改用合成的源码树；下面的数字不能与目标直接相比。"
NO_PYTHON = "里面没有 Python 文件"


def synthetic_subject(files: int) -> str:
    return f"合成的源码树，上下游各 {files} 个文件"


def not_started(error: OSError) -> str:
    return f"启动不了（{error.strerror}）"


def header(name: str, cores: int, load: float, python: str) -> str:
    busy = "；机器正忙，墙钟时间偏大，请看 CPU 时间" if load > 0.5 else ""
    return f"对象：{name}。{cores} 核，开始时负载 {load:.2f}{busy}；Python {python}。数值是中位数。"


# --- progress ---------------------------------------------------------------------------------------------------------


def building(number: int, runs: int) -> str:
    return f"冷建索引 {number}/{runs}"


SPLITTING = "分阶段计时"
BUILDING_UPSTREAM = "冷建上游索引"
WATCHING_MEMORY = "观察内存"
MAKING_REPOSITORY = "建裸仓库"


def changing(number: int, runs: int) -> str:
    return f"改一个文件 {number}/{runs}"


READING_CHANGES = "算每个改动的 delta"


def querying(number: int, runs: int) -> str:
    return f"查询全部改动 {number}/{runs}"


def comparing(number: int, changes: int) -> str:
    return f"与 git grep 对比 {number}/{changes}"


def growing_tree(files: int) -> str:
    return f"增长：{files} 个文件"


def growing_change(symbols: int) -> str:
    return f"增长：{symbols} 个符号"


# --- tables -----------------------------------------------------------------------------------------------------------

COLUMN_WHAT = "测量项"
COLUMN_VALUE = "结果"
COLUMN_TARGET = "目标"
COLUMN_MET = "达标"
COLUMN_NOTE = "说明"
COLUMN_SIZE = "规模"


def quantity(value: float, unit: str, digits: int) -> str:
    return f"{value:.{digits}f}" + (f" {unit}" if unit else "")


def of_runs(shown: str, runs: int) -> str:
    return f"{shown}（{runs} 次）"


def bound(least: bool, shown: str) -> str:
    return f"{'≥' if least else '≤'} {shown}"


def verdict(met: bool, ratio: float) -> str:
    return f"{'✓' if met else '✗'} {ratio:.2f} 倍"


def grown_size(size: int, factor: int) -> str:
    return f"{size}（{factor}×）"


def changes(count: int) -> str:
    return f"{count} 个改动"


def files(count: int) -> str:
    return f"{count} 个文件"


def processes(count: int) -> str:
    return f"{count} 个进程的常驻内存之和，共享页重复计"


# --- look-up and query ------------------------------------------------------------------------------------------------

LOOKUP_TITLE = "一个改动的查找，对比 git grep（同一裸仓库、同一版本；索引一直开着，每个改动只问一次）"
NAMES = "改动定义的名字数"
GIT_GREP = "git grep -w -F，每个名字一次"
NAMES_FOUND = "索引：只找同样这些名字的位置和行数"
STEPS = {
    "lookup": "索引：找出全部耦合，副本除外",
    "upstream": "问上游索引：谁在运行被改代码、由谁继承",
    "fork": "找副本并对齐（单独计时）",
    "affinity": "用词相近度（单独计时）",
    "ranking": "排序（单独计时）",
}
WHOLE_QUERY = "整个查询"
NAMES_TIMES_FASTER = "只找名字，比 git grep 快"
TIMES_FASTER = "找出全部耦合，比 git grep 快"
QUERY_TIMES_FASTER = "整个查询，比 git grep 快"


def all_together(times: float) -> str:
    return f"逐个改动之比的中位数；合计时间之比 {times:.0f}×"


QUERY_TITLE = "整个查询：从改动的 delta 到证据清单（两个索引都已打开）"
QUERY = "查询"
QUERY_P95 = "查询，第 95 百分位"
QUERY_PROCESSOR = "查询的 CPU 时间"
DELTA = "delta"
DELTA_P95 = "delta，第 95 百分位"
BEFORE_THE_QUERY = "在查询之前，不计入查询"
PARTS = {
    "lookup": "找出全部耦合，副本除外",
    "upstream": "问上游索引",
    "fork": "找副本并对齐",
    "affinity": "用词相近度",
    "ranking": "排序",
}


def mean_of(part: str) -> str:
    return f"其中{PARTS[part]}（平均值）"


# --- building ---------------------------------------------------------------------------------------------------------

COLD_TITLE = "冷建下游索引（缓存为空）"
COLD_INDEX = "打开源码树并建好索引"
COLD_PROCESSOR = "同上，所有进程的 CPU 时间"
CACHE_SIZE = "缓存文件"
PHASES = {
    "list": "列出文件并算哈希",
    "read": "读文件",
    "parse": "tree-sitter 解析",
    "words": "数词",
    "facts": "提取事实",
    "rows": "打包成行",
    "store": "写入 SQLite",
}


def phases_title(files: int, code: int) -> str:
    return f"冷建各阶段的 CPU 时间（单进程；{files} 个文件，其中 {code} 个 Python）"


UPSTREAM_TITLE = "冷建上游索引（不在冷建之内，只跑一次；各版本共用，新版本只读变了的文件）"
UPSTREAM_FACTS = "上游代码的全部事实"
FORKS_TITLE = "fork 清单（不在冷建之内，缓存为空，只跑一次）"
UPSTREAM_DEFINITIONS = "读上游的全部定义"
DOWNSTREAM_DEFINITIONS = "读下游的全部定义"
FORK_ALIGNMENT = "下游定义与上游对齐"
READING_UPSTREAM = "读上游的定义"
ALIGNING = "对齐 fork"
COMMA = "，"


def forks(count: int, sampled: int, files: int) -> str:
    return f"均匀抽取 {files} 个文件中的 {sampled} 个，{count} 个 fork"


def processor(seconds: float) -> str:
    return f"CPU {seconds:.2f} s"


INCREMENTAL_TITLE = "新版本只差一个文件（裸仓库，打开源码树与索引）"
ONE_FILE = "差一个文件"
ONE_FILE_PROCESSOR = "同上，CPU 时间（含 git）"
UNCHANGED = "没有差别"


def changed_file(path: str, size: int) -> str:
    return f"{PurePosixPath(path).name}，{size / 1000:.0f} kB"


MEMORY_TITLE = "冷建时的内存峰值"
MEMORY_TOGETHER = "全部进程合计"
MEMORY_ALONE = "主进程"
MEMORY_LARGEST = "最大的一个进程"
NO_PROC = "没有 /proc，无法合计"

# --- growth -----------------------------------------------------------------------------------------------------------

GROWTH_TREE_TITLE = "随下游规模增长（合成的源码树，改动 4 个符号；括号内是与第一行之比）"
TREE_COLUMNS = {
    "cold": "冷建 s",
    "cold_processor": "冷建 CPU s",
    "warm": "再次打开 ms",
    "lookup": "查找 ms",
    "query": "查询 ms",
}
SYMBOL_COLUMNS = {"git_grep": "git grep ms", "lookup": "查找 ms", "query": "查询 ms"}


def growth_symbols_title(files: int) -> str:
    return f"随改动的符号数增长（合成的源码树，{files} 个文件；括号内是与第一行之比）"
