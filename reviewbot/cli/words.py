"""Every Chinese text of the command line that a user reads; the rest of the package has its own in ``reviewbot.words``.

Contract: constants and small functions that return one message; no logic, no input or output, cheap to import.
"""

from __future__ import annotations

from reviewbot.words import byte_size

HELP_USAGE = "用法："
HELP_USAGE_OPTIONS = "[选项]"
HELP_USAGE_COMMAND = "命令 …"
HELP_ARGUMENTS = "参数"
HELP_OPTIONS = "选项"
HELP_COMMANDS = "命令"
HELP_THIS_PAGE = "显示本页并退出"
HELP_EXIT_CODES = "退出码"
HELP_SEE_EXIT_CODES = "退出码见 reviewbot --help。"

HELP_ROOT = "判断上游 PyTorch 的一个改动会不会影响 torch_npu：找出 torch_npu 中每一处受影响的代码，\
按团队规则给出结论，写成逐句可核对的中文记录。"
HELP_ANALYZE = """分析一个上游改动，写出记录。

SOURCE 可以是：补丁文件（.diff、.patch）；- （从标准输入读补丁）；本地 PyTorch 克隆中的提交（1a2b3c4）或区间（a..b）；\
或 pytorch/pytorch#N（按提交说明中的 PR 标记在克隆里查找）。后三种需要 --upstream 指明克隆。

有了变更前后的完整文件，改动识别更准：用 --upstream 加 --base/--head 给出版本，\
或用 --upstream-base/--upstream-head 给出目录；只给一侧时，另一侧由补丁推出。"""
HELP_ANALYZE += """

设置了 model.name 时由模型撰写草稿，动笔前在标准错误上说明由谁撰写、最多花多少钱；模型失败时改由模板撰写，\
记录照常输出和保存，写明原因，退出码为 20。"""
HELP_SHOW = "显示一次已保存的分析。"
HELP_HISTORY = "列出已保存的分析，新的在前；--by-score 把最需要处理的排在前面。"
HELP_COSTS = """列出撰写草稿用了多少 token、花了多少钱：按天、按模型或按分析。

只统计已保存的分析；按天和按模型时，另列出本机向模型发出的全部请求，其中包括评测、失败和未保存的分析。"""
HELP_INDEX = "torch_npu 的耦合索引：建立、查看、查询。"
HELP_INDEX_BUILD = "为 torch_npu 代码树建立索引；只解析缓存里没有的文件。"
HELP_INDEX_SHOW = "显示缓存了什么：大小、文件数、各类事实的条数。"
HELP_INDEX_QUERY = """查询 torch_npu 中哪些位置与一个上游符号耦合。

SYMBOL 写完整的点分名，例如 torch._inductor.ir.FallbackKernel.codegen；也可以是算子（aten.expand）或配置项。"""
HELP_INDEX_DIFF = """比较 torch_npu 两个版本与上游的耦合：新增、消失、移到别处的。

耦合指对上游名字的赋值式 patch、覆写、算子注册、继承、引用、导入和配置项读写，以类型、路径、scope、上游符号区分；\
只是换了行号不算变化。覆写只看下游：类继承自上游类，它的方法就列入，不论上游是否有同名方法。\
fork 要对照上游源码，不在此列，另见 reviewbot index forks。"""
HELP_INDEX_FORKS = """列出 fork 清单：torch_npu 中哪些函数、类、文件是上游代码的副本，\
即使改了名、换了路径或嵌在 patch 函数里。

上游代码树用 --upstream-base 给出目录（wheel、普通目录），或用 --upstream 给出克隆、--base 给出版本（默认 HEAD）。\
相似度为两侧 token 对齐后一致的比例，局部变量改名不影响；中断后重新运行会接着做。"""
HELP_CONFIG = "查看配置。"
HELP_CONFIG_SHOW = """列出每个配置项的值和来源。

优先级从低到高：默认值、reviewbot.toml、环境变量（REVIEWBOT_节__项，如 REVIEWBOT_LEDGER__LIMIT）、命令行选项。\
给出与 analyze 相同的选项，可以预览它们生效后的结果。"""
HELP_CONFIG_PATH = "显示正在使用的配置文件；没有时列出查找过的位置。"
HELP_CONFIG_INIT = "生成一份带说明的 reviewbot.toml，全部为默认值。"
HELP_DOCTOR = "检查 git、代码树、缓存、数据库、模型和配置，缺什么就说明如何补上。"
HELP_SCHEMA = "输出 analyze --json 的 JSON Schema。"
HELP_VERSION = "显示版本号。"

ARGUMENT_SOURCE = "补丁文件、-、提交、区间或 pytorch/pytorch#N"
ARGUMENT_SYMBOL = "上游符号的完整点分名"
ARGUMENT_OLD_REVISION = "旧版本（torch_npu 仓库的提交、分支或标签）"
ARGUMENT_NEW_REVISION = "新版本"
ARGUMENT_NUMBER = "分析的编号；省略则取最近一次"
ARGUMENT_PR = "上游 PR 号；省略则列出全部"
ARGUMENT_CONFIG_FILE = "写到哪个文件（默认 ./reviewbot.toml）"
OPTION_VERSION = "显示版本号并退出"
OPTION_JSON = "输出 JSON"
OPTION_CONFIG = "配置文件（默认 ./reviewbot.toml，其次用户配置目录）"
OPTION_DEBUG = "出错时显示完整的调用栈"
OPTION_DOWNSTREAM = "torch_npu 代码树：git 工作树、裸仓库、普通目录、wheel"
OPTION_REVISION = "torch_npu 的 git 版本（默认 HEAD）"
OPTION_UPSTREAM = "本地 PyTorch 克隆"
OPTION_BASE = "变更前的版本（在 --upstream 的克隆中）"
OPTION_HEAD = "变更后的版本（在 --upstream 的克隆中）"
OPTION_UPSTREAM_BASE = "变更前的 PyTorch 目录"
OPTION_UPSTREAM_HEAD = "变更后的 PyTorch 目录"
OPTION_ABOUT = "补充信息（JSON），键为 number, title, body, labels, merged, reverted, date, paths, tests, diff_complete"
OPTION_EXPLAIN = "另外列出触发的规则与原因、证据清单、未命中的搜索"
OPTION_FORMAT = "输出格式：terminal（默认）, comment, row, row-old, json, csv"
OPTION_SAVE = "是否存入数据库（默认保存）"
OPTION_LIMIT = "证据清单最多列出的条数"
OPTION_DIFF_LIMIT = "每一节最多列出的条数"
OPTION_DIFF_ALL = "列出全部"
OPTION_JOBS = "并行解析的进程数，0 表示每个处理器一个"
OPTION_MIN_SIMILARITY = "只列出相似度不低于此值的副本（0 到 1）"
OPTION_FIRST_SEEN = "另查每个副本最早出现的 torch_npu 提交（需要 git 仓库）"
OPTION_HISTORY_LIMIT = "最多列出的条数"
OPTION_BY_SCORE = "按得分排列：越可能需要有人处理，排得越前"
OPTION_WRITER = "由谁撰写草稿：model, template（默认：设置了 model.name 时为 model，否则为 template）"
OPTION_COSTS_BY = "按什么合计：day（默认）, model, analysis"
OPTION_COSTS_LIMIT = "最多列出的行数，合计不受影响"
OPTION_ONLINE = "另外连接模型服务，确认地址与密钥可用"
OPTION_FORCE = "覆盖已有的文件"

EXIT_CODE_HELP: dict[str, str] = {
    "OK": "成功",
    "FAILED": "分析失败，或出现未预料的错误",
    "USAGE": "命令行用法有误",
    "SETTINGS": "配置有误",
    "INPUT": "改动或补充信息无法读取",
    "TREE": "代码树、版本或其中的文件无法读取",
    "CACHE": "缓存无法使用",
    "STORE": "数据库无法使用",
    "UNMET": "doctor 发现必需的条件不满足",
    "UNSETTLED": "分析结束但没有定论（证据不足、范围过大或已被取代）",
    "WRITER": "模型未能给出草稿，记录由模板撰写；batch import 有改动没有可用的应答",
    "INTERRUPTED": "被 Ctrl-C 中断",
    "PIPE_CLOSED": "输出的读取方提前关闭",
}

INTERRUPTED = "已中断。"
PLUGIN_NO_TYPER = "入口不是 typer.Typer"


def help_default(text: str) -> str:
    return f"（默认 {text}）"


def sentence(text: str) -> str:
    return text if text.endswith(("。", "？", "！")) else f"{text}。"


def see_help(command: str) -> str:
    return f"用 {command} --help 查看用法。"


def no_such_command(parent: str, name: str, nearest: str | None) -> str:
    hint = f"是否想用 {nearest}？" if nearest else see_help(parent)
    return f"没有命令 {name}，{hint}"


def no_such_option(name: str, nearest: list[str]) -> str:
    return f"没有选项 {name}，是否想用 {'、'.join(nearest)}？" if nearest else f"没有选项 {name}。"


def missing_parameter(name: str) -> str:
    return f"缺少 {name}。"


def option_needs_value(name: str) -> str:
    return f"选项 {name} 需要一个值。"


def option_takes_no_value(name: str) -> str:
    return f"选项 {name} 不接受值。"


def extra_arguments(names: str) -> str:
    return f"多余的参数 {names}。"


def bad_value(name: str, expected: str, shown: str) -> str:
    return f"{name} {expected}，现在是 {shown}。"


def bad_command_line(message: str) -> str:
    return f"命令行有误（{message}）。"


def unforeseen_error(message: str, *, hint: bool) -> str:
    return f"出现未预料的错误（{message}）。" + ("加上 --debug 重试可看到完整的调用栈。" if hint else "")


CONFIG_COLUMNS = ("配置项", "值", "来源")
FILE_EXISTS = "文件已存在，加上 --force 才会覆盖"


def shown_setting(value: object) -> str:
    if value is None:
        return "未设置"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def setting_origin(kind: str, name: str, key: str) -> str:
    origins = {
        "default": "默认值",
        "file": f"文件 {name} 的 {key}",
        "environment": f"环境变量 {name}",
        "flag": f"选项 {name}",
    }
    return origins[kind]


def no_settings_file(places: list[str]) -> str:
    return f"没有配置文件（查找过 {'、'.join(places)}），可用 reviewbot config init 生成一份。"


def settings_file_written(path: str) -> str:
    return f"已写入 {path}。"


HISTORY_COLUMNS = ("编号", "时间", "上游 PR", "结论", "风险", "得分", "下游版本", "标题或摘要")
NOTHING_SAVED = "数据库里还没有这样的分析。"
BUILDING_INDEX = "解析 torch_npu"
BUILDING_UPSTREAM = "解析上游源码"


FACT_COLUMNS = ("事实", "条数")


def index_tree(name: str, revision: str, files: int) -> str:
    return f"{name}，版本 {revision}，{files} 个文件"


def index_built(reused: int, read: int, seconds: float) -> str:
    if not read:
        return f"全部文件已在缓存中：复用 {reused} 份文件内容，用时 {seconds:.2f} 秒"
    return f"复用缓存中的 {reused} 份文件内容，新解析 {read} 份，用时 {seconds:.2f} 秒"


DIFF_COLUMNS = ("类型", "新增", "消失", "移动")
DIFF_TOTAL = "合计"
DIFF_NONE = "两个版本与上游的耦合相同。"
DIFF_ALL_NEEDS_NO_LIMIT = "--all 已列出全部。"
#: By the field of ``IndexDiff``.
DIFF_SECTIONS: dict[str, str] = {"gained": "新增的耦合", "lost": "消失的耦合", "moved": "移到别处的耦合"}


def diff_title(name: str, old: str, new: str) -> str:
    return f"{name}：{old} → {new}"


def diff_files(added: int, deleted: int, modified: int, same: int) -> str:
    return f"文件：新增 {added}，删除 {deleted}，修改 {modified}；内容相同的 {same} 个不比较"


def diff_section(title: str, count: int) -> str:
    return f"{title}（{count} 处）"


def diff_moved_file(old: str, new: str) -> str:
    return f"{old} → {new}"


def diff_cut(count: int) -> str:
    return f"另有 {count} 处未列出，加 --all 列出全部"


def index_cache(path: str, size: int, blobs: int, distinct_words: int) -> str:
    return f"缓存 {path}：{byte_size(size)}，{blobs} 份文件内容，{distinct_words} 个不同的词"


def index_empty(path: str) -> str:
    return f"缓存 {path} 还是空的，用 reviewbot index build 建立。"


def index_outdated(folder: str, files: int, size: int) -> str:
    return f"{folder} 中另有 {files} 个旧版本的缓存文件（{byte_size(size)}），可以删除。"


def query_title(symbol: str, downstream: str, revision: str) -> str:
    return f"{symbol} 在 {downstream}（{revision}）中的耦合"


READING_UPSTREAM = "解析上游"
READING_DOWNSTREAM = "解析 torch_npu"
ALIGNING = "比对副本"
UPSTREAM_FOR_FORKS_MISSING = (
    "需要上游代码树，请用 --upstream-base DIR 给出目录，或用 --upstream DIR 给出克隆（--base REV 指定版本）"
)
FORK_COLUMNS = ("相似度", "token", "行", "下游 scope", "上游 scope")
COLUMN_FIRST_SEEN = "首次出现"
UNKNOWN = "—"
NO_FORKS = "没有找到副本。"
WHOLE_FILE = "整文件副本"


def forks_title(downstream: str, revision: str, upstream: str, upstream_revision: str) -> str:
    return f"{downstream}（{revision}）中 {upstream}（{upstream_revision}）的副本"


def forks_total(functions: int, classes: int, renamed: int, files: int) -> str:
    return f"共 {functions} 个函数、{classes} 个类，其中 {renamed} 个改了名；分布在 {files} 个文件"


def fork_file(path: str, original: str, similarity: float, copied: int, functions: int, whole: bool) -> str:
    kind = f"，{WHOLE_FILE}" if whole else ""
    return f"{path} ← {original}：文件相似度 {similarity:.2f}，{functions} 个函数中 {copied} 个是副本{kind}"


def fork_class(scope: str, copied: int, members: int) -> str:
    return f"{scope}（类，{members} 个方法中 {copied} 个是副本）"


def fork_seconds(upstream: float, downstream: float, alignment: float) -> str:
    return f"用时：上游 {upstream:.2f} 秒，下游 {downstream:.2f} 秒，比对 {alignment:.2f} 秒"


NO_COUPLING = "没有找到与它耦合的位置。"
FINDINGS_TITLE = "核验意见"
TIMING_TITLE = "耗时"
#: By the field of ``Timing``.
STEP_WORDS: dict[str, str] = {
    "change": "读取改动",
    "index": "打开索引",
    "delta": "识别改动",
    "ledger": "检索证据",
    "prior": "规则判定",
    "draft": "起草",
    "verify": "核验",
}
ITEM_COLUMNS = ("编号", "得分", "类型", "关系", "位置", "scope", "上游符号")
SEARCH_COLUMNS = ("编号", "检索词", "上游符号")


def ledger_title(shown: int, found: int, cut: int) -> str:
    return f"证据清单：共找到 {found} 处，列出 {shown} 处" + (f"，略去 {cut} 处" if cut else "")


def misses_title(files: int) -> str:
    return f"零命中（检索了 {files} 个文件）"


def finding_line(kind: str, message: str, text: str) -> str:
    return f"{kind}：{message}；原句：{text}"


def upstream_symbol(symbol: str) -> str:
    return f"上游符号 {symbol}"


def saved_as(number: int) -> str:
    return f"已保存为第 {number} 次分析，用 reviewbot show {number} 再次查看。"


ONE_FORMAT = "请只留一个。"
EXPLAIN_IS_FOR_PEOPLE = "--explain 只用于 terminal 格式（json 已包含这些内容）。"


# --- who writes -------------------------------------------------------------------------------------------------------

TEMPLATE_WRITES = "草稿由模板撰写。"
PLAIN_CASE = "规则已能定案且没有耦合，草稿由模板撰写，不调用模型。"


def money(amount: float, currency: str) -> str:
    return f"{amount:.4g} {currency}".rstrip()


def model_writes(model: str, tokens: int, most: float | None, currency: str) -> str:
    cost = "未设置价格，不计费用" if most is None else f"连同重试与修改最多花费 {money(most, currency)}"
    return f"草稿由模型 {model} 撰写，提示词约 {tokens:,} token，{cost}。"


def written_instead(failure: str) -> str:
    return f"{failure.rstrip('。')}；本记录由模板撰写。"


def joined_reasons(first: str, second: str) -> str:
    return f"{first.rstrip('。；')}；{second}" if first else second


# --- costs ------------------------------------------------------------------------------------------------------------

#: By the value of ``By``: the first columns of a table of costs.
COSTS_FIRST: dict[str, tuple[str, ...]] = {
    "day": ("日期",),
    "model": ("模型",),
    "analysis": ("编号", "时间", "上游 PR", "撰写"),
}
COSTS_COUNTED = ("分析", "调用模型")
COSTS_COLUMNS = ("请求", "输入 token", "其中缓存", "输出 token", "费用")
COSTS_TOTAL = "合计"
COSTS_REQUESTS = "本机向模型发出的全部请求（含评测、失败和未保存的分析）"
NO_COST = "—"


def writer_name(name: str) -> str:
    return "模板" if name == "template" else name


def costs_cut(rows: int) -> str:
    return f"另有 {rows} 行未列出，用 --limit 调整；合计包括它们。"
