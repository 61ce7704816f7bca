"""Every Chinese text of ``reviewbot`` that a user reads, by the part that says it.

Contract: constants and small functions that return one message; no logic, no input or output, cheap to import. Prompts
and the rubric keep their text in their own data files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.service.words import SETTING_HELP as _SERVICE_SETTING_HELP

# --- settings, store (reviewbot.settings*, reviewbot.store) -----------------------------------------------------------

SETTING_HELP: dict[str, str] = {
    "cache.dir": "缓存目录，存放从各棵代码树提取的事实",
    "store.url": "分析结果数据库的地址（SQLAlchemy URL，目前支持 sqlite）",
    "downstream.path": "torch_npu 代码树：git 工作树、裸仓库、普通目录或 wheel",
    "downstream.revision": "torch_npu 的 git 版本（提交、分支或标签），不填则取 HEAD",
    "upstream.clone": "本地 PyTorch 克隆，用于读取提交、区间和 PR",
    "upstream.base": "变更前的版本（upstream.clone 中的提交、分支或标签）",
    "upstream.head": "变更后的版本（upstream.clone 中的提交、分支或标签）",
    "upstream.base_dir": "变更前的 PyTorch 目录，与 upstream.clone 二选一",
    "upstream.head_dir": "变更后的 PyTorch 目录，与 upstream.clone 二选一",
    "ledger.limit": "证据清单最多列出的条数",
    "ledger.token_budget": "证据清单的 token 预算（估算值）",
    "index.jobs": "并行解析的进程数，0 表示每个处理器一个",
    "index.upstream": "是否同时索引上游基线的 Python 源码，用于查找上游中用到被改代码的函数",
    "model.base_url": "撰写草稿的模型服务地址（兼容 OpenAI 接口，含 /v1）",
    "model.name": "模型名，不填则不使用模型，草稿由模板撰写",
    "model.api_key": "模型服务的密钥，建议改用环境变量或 model.api_key_file",
    "model.api_key_file": "存放密钥的文件，只读第一行；同时设置时以 model.api_key 为准",
    "model.fallbacks": "备用模型名，主模型失败后依次尝试（同一服务地址）",
    "model.capability": "约束输出格式的方式：auto（探测并记住）、json_schema、function_calling、json_mode、prompted",
    "model.temperature": "采样温度",
    "model.timeout_seconds": "单次请求的超时秒数",
    "model.retries": "限流、超时和服务出错时的重试次数",
    "model.context_tokens": "模型的上下文长度（token），含输出",
    "model.prompt_tokens": "提示词的目标长度（token）：超出时先略去次要的 diff，再略去排名靠后的证据",
    "model.max_output_tokens": "单次输出的 token 上限",
    "model.price_in": "每百万输入 token 的价格",
    "model.price_cached": "每百万命中缓存的输入 token 的价格，不填则与 model.price_in 相同",
    "model.price_out": "每百万输出 token 的价格",
    "model.currency": "价格的币种",
    "model.cost_per_analysis": "一次分析的费用上限，需同时设置价格",
    "model.cost_per_day": "每天的费用上限，需同时设置价格",
    "model.spare_plain_cases": "规则已能定案且没有耦合的改动由模板撰写，不调用模型",
    "model.investigate": "起草前先问模型还要检索哪些名字（多一次请求，收益尚未测得）",
    "model.records": "团队的记录表，撰写时参考其中本库分析过的相似记录；不填则不参考",
    "output.color": "终端颜色：auto（输出到终端时）、always、never",
    **_SERVICE_SETTING_HELP,
}


def secret_file_unreadable(key: str, path: str, reason: str) -> str:
    return f"{key} 指定的文件 {path} 无法读取：{reason}"


def secret_file_empty(key: str, path: str) -> str:
    return f"{key} 指定的文件 {path} 是空的：写入密钥，每行一个"


EXPECTED_PATH = "应为路径，不能为空"
EXPECTED_NO_DATE = "不应为日期或时间"
_EXPECTED = {
    "int": "应为整数",
    "float": "应为数字",
    "bool": "应为布尔值 true 或 false",
    "string": "应为字符串",
    "path": "应为路径",
    "tuple": "应为列表",
    "list": "应为列表",
    "dict": "应为表",
    "url": "应为网址",
}


def expected_value(error: str, context: dict[str, object]) -> str:
    """What a value should have been, from pydantic's error type and its context."""
    bounds = {
        "greater_than_equal": ("ge", "不能小于 {}"),
        "greater_than": ("gt", "必须大于 {}"),
        "less_than_equal": ("le", "不能大于 {}"),
        "less_than": ("lt", "必须小于 {}"),
        "string_too_short": ("min_length", "不能少于 {} 个字符"),
        "string_too_long": ("max_length", "不能多于 {} 个字符"),
        "string_pattern_mismatch": ("pattern", "格式不对，应符合正则 {}"),
    }
    if error in bounds:
        name, text = bounds[error]
        return text.format(context[name])
    if error in {"enum", "literal_error"}:
        return expected_choice(str(context["expected"]).replace(" or ", ", ").replace("'", "").split(", "))
    return _EXPECTED.get(error.partition("_")[0], "取值不符合要求")


def expected_choice(names: list[str]) -> str:
    return f"只能是 {'、'.join(names)} 之一"


def wrong_setting(kind: str, name: str, key: str, expected: str, shown: str) -> str:
    where = {"file": f"配置文件 {name} 的 {key} ", "environment": f"环境变量 {name}（{key}）", "flag": f"选项 {name} "}
    return f"{where[kind]}{expected}，现在是 {shown}。"


def unknown_setting(key: str, source: str, nearest: str | None) -> str:
    hint = f"是否想写 {nearest}？" if nearest else "用 reviewbot config show 查看全部配置项。"
    return f"配置文件 {source} 中没有 {key} 这个配置项，{hint}"


def unknown_variable(variable: str, nearest: str | None) -> str:
    hint = f"是否想写 {nearest}？" if nearest else "用 reviewbot config show 查看全部配置项。"
    return f"环境变量 {variable} 不对应任何配置项，{hint}"


def settings_file_absent(source: str, path: str) -> str:
    return f"{source} 指定的配置文件 {path} 不存在，请检查路径，或用 reviewbot config init 生成一份。"


def settings_file_unreadable(path: str, reason: str) -> str:
    return f"配置文件 {path} 无法读取（{reason}），请检查文件权限。"


def settings_file_not_utf8(path: str) -> str:
    return f"配置文件 {path} 不是 UTF-8 编码，请转换编码后重试。"


def settings_file_not_toml(path: str, place: tuple[str, str] | None) -> str:
    where = f"第 {place[0]} 行第 {place[1]} 列" if place else "结尾处"
    return f"配置文件 {path} {where}不符合 TOML 语法，请修正后重试。"


def input_file_unreadable(path: str, reason: str) -> str:
    return f"文件 {path} 无法读取：{reason}。"


def store_unavailable(location: str, reason: str) -> str:
    return f"数据库 {location} 无法使用（{reason}），请检查目录权限、磁盘空间，以及是否有其他程序占用。"


def store_url_unsupported(url: str) -> str:
    return f"store.url 为 {url}，目前只支持 SQLite 文件，写法如 sqlite:////data/reviewbot.db。"


def store_damaged(location: str, reason: str) -> str:
    return f"数据库 {location} 已损坏（{reason}），文件未被改动；请从备份恢复，或将其移走后重试（会新建空库）。"


def store_foreign(location: str) -> str:
    return f"{location} 是其他程序的 SQLite 数据库，未做任何改动；请让 store.url 指向另一个文件。"


def store_too_new(location: str, found: str, known: str) -> str:
    return (
        f"数据库 {location} 由更新版本的 reviewbot 写成（库版本 {found}，本程序最高支持 {known}），请升级 reviewbot。"
    )


STORE_NO_REVISION = "库版本记录缺失"
STORE_BROKEN_KEYS = "表之间的引用关系不完整"
#: By SQLite's primary result code.
_SQLITE_REASONS = {
    3: "没有访问权限",
    5: "正被其他程序占用",
    6: "正被其他程序占用",
    8: "文件或目录只读",
    10: "磁盘读写出错",
    11: "文件内容不一致",
    13: "磁盘空间不足",
    14: "文件无法打开",
    23: "没有访问权限",
    26: "文件不是 SQLite 数据库",
}


def sqlite_reason(code: int, message: str) -> str:
    return _SQLITE_REASONS.get(code, message)


def stored_analysis_unreadable(number: int) -> str:
    return f"编号为 {number} 的分析内容不完整"


def analysis_not_found(number: int) -> str:
    return f"数据库中没有编号为 {number} 的分析。"


# --- evidence (reviewbot.verification, reviewbot.render, reviewbot.cli) -----------------------------------------------

#: By the value of ``EvidenceKind``.
EVIDENCE_KIND_WORDS: dict[str, str] = {
    "fork": "fork 副本",
    "patch": "赋值式 patch",
    "override": "覆写",
    "registration": "算子注册",
    "subclass": "继承",
    "reference": "引用",
    "import": "导入",
    "config": "配置项",
    "test_copy": "测试副本",
    "hook": "同子系统挂钩点",
}


# --- citations (reviewbot.citations) ----------------------------------------------------------------------------------

LIST_COMMA = "、"
ZERO_HITS = "0 命中"
#: What prose may say behind a cited miss that says it already.
ZERO_HITS_SAID = re.compile(r"\s*(?:均|都|皆)?(?:为)?\s*(?:0|零)\s*(?:次|处|个)?\s*命中")


# --- doctor (reviewbot.doctor) ----------------------------------------------------------------------------------------

CHECK_TITLES: dict[str, str] = {
    "python": "Python",
    "git": "git",
    "grammars": "语法解析",
    "rubric": "规则表",
    "settings": "配置",
    "downstream": "torch_npu",
    "upstream": "PyTorch 克隆",
    "upstream.base_dir": "PyTorch 变更前",
    "upstream.head_dir": "PyTorch 变更后",
    "cache": "缓存",
    "store": "数据库",
    "model": "模型",
}
DOCTOR_ABSENT = "未找到"
DOCTOR_UNSET = "未配置"
DOCTOR_GET_GIT = "请安装 git（Debian/Ubuntu：apt-get install git；openEuler：dnf install git），并确认它在 PATH 中"
DOCTOR_REINSTALL = "安装不完整，请重新安装：pip install --force-reinstall reviewbot"
DOCTOR_FIX_SETTINGS = "请按提示修改；用 reviewbot config path 查看读的是哪个文件。其余检查在配置正确之后进行"
DOCTOR_SET_DOWNSTREAM = "分析时用 --downstream PATH 指定，或在 reviewbot.toml 中设置 downstream.path"
DOCTOR_SET_UPSTREAM = (
    "可选。分析提交、区间或 PR 时需要：用 --upstream DIR 指定，或在 reviewbot.toml 中设置 upstream.clone"
)
DOCTOR_FIX_TREE = "请检查路径与版本；用 reviewbot config show 查看该值的来源"
DOCTOR_FIX_CACHE = "请检查目录权限，或让 cache.dir 指向可写的目录"
DOCTOR_FIX_STORE = "用 reviewbot config show 查看 store.url 的来源"
DOCTOR_NO_MODEL = "未配置，草稿由模板撰写"
DOCTOR_FIX_MODEL = "请检查 [model] 一节；用 reviewbot config show 查看各项的值与来源"
DOCTOR_REACHED = "，服务可用"
ALL_CHECKS_PASSED = "一切就绪。"


def doctor_python(oldest: tuple[int, int], newest: tuple[int, int]) -> str:
    return "测试过的版本是 {}.{} 到 {}.{}，请换用其中之一".format(*oldest, *newest)


def doctor_git_broken(place: str, reason: str) -> str:
    return f"{place} 无法运行（{reason}）"


def doctor_old_git(oldest: tuple[int, int]) -> str:
    return "请升级到 {}.{} 或更新的版本".format(*oldest)


def doctor_program(version: str, place: str) -> str:
    return f"{version}（{place}）"


def doctor_rubric(rules: int, version: str) -> str:
    return f"{rules} 条规则，版本 {version}"


def doctor_no_settings_file(places: list[str]) -> str:
    return f"没有配置文件，使用默认值与环境变量（查找过 {'、'.join(places)}）"


def doctor_tree(path: str, revision: str, files: int) -> str:
    return f"{path}，版本 {revision}，{files} 个文件"


def doctor_other_tree(package: str) -> str:
    return f"其中没有 {package}/ 目录，请确认这是不是 {package} 的代码树"


def doctor_unwritable(path: str) -> str:
    return f"{path} 不可写"


def doctor_cache(path: str, size: int, free: int) -> str:
    return f"{path}，已用 {byte_size(size)}，磁盘剩余 {byte_size(free)}"


def doctor_store_absent(path: str) -> str:
    return f"{path} 尚未创建，第一次保存时自动建立"


def doctor_store(path: str, state: str, analyses: int) -> str:
    schema = {"current": "结构为最新", "behind": "结构较旧，下次打开时自动升级", "empty": "空文件，下次打开时自动建表"}
    return f"{path}，{schema[state]}，{analyses} 次分析"


def doctor_model(name: str, address: str, *, key: bool, priced: bool, fallbacks: Sequence[str]) -> str:
    others = f"，备用 {LIST_COMMA.join(fallbacks)}" if fallbacks else ""
    return f"{name}（{address}）{others}，{'已' if key else '未'}设置密钥，{'已' if priced else '未'}设置价格"


def doctor_unreachable(error: str) -> str:
    return f"，服务无法连接（{error}）"


def doctor_refused(status: int) -> str:
    return f"，服务拒绝了请求（HTTP {status}" + ("，密钥无效或没有权限）" if status in (401, 403) else "）")


def doctor_other_models(name: str, others: Sequence[str]) -> str:
    shown = LIST_COMMA.join(others[:8]) + (" 等" if len(others) > 8 else "")
    return f"服务列出的模型中没有 {name}，请核对 model.name（有 {shown}）"


def failed_checks(count: int) -> str:
    return f"{count} 项未通过，请按上面的提示处理。"


def byte_size(size: int) -> str:
    value = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if value < 1024 or unit == "GB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError("unreachable: GB always returns")


# --- options, plug-ins, symbols (reviewbot.workspace, reviewbot.errors, reviewbot.symbol_query) -----------------------

ONE_KIND_OF_UPSTREAM = "请只用克隆加版本，或只用两个目录。"
BASE_AND_HEAD_NEED_A_CLONE = "它是该克隆中的版本。"
DOWNSTREAM_MISSING = "没有指定 torch_npu 代码树，请用 --downstream PATH，或在 reviewbot.toml 中设置 downstream.path。"
SETTINGS_TEMPLATE_HEAD = (
    "reviewbot 的配置。每一项都是可选的，去掉行首的 # 即生效；用 reviewbot config show 查看结果与来源。",
    "相对路径以本文件所在目录为起点。括号里是同一项的环境变量名，环境变量优先于本文件，命令行选项优先于环境变量。",
)


def plugin_broken(name: str, target: str, reason: str) -> str:
    return f"扩展命令 {name}（{target}）无法加载：{reason}。"


def options_conflict(first: str, second: str, hint: str) -> str:
    return f"{first} 与 {second} 不能同时使用，{hint}"


def option_requires(option: str, required: str, hint: str) -> str:
    return f"{option} 需要与 {required} 一起使用，{hint}"


def no_symbol(text: str) -> str:
    return f"{text} 不是完整的点分名，写法如 torch._inductor.ir.FallbackKernel.codegen、aten.expand。"


def template_comment(help_text: str, variable: str) -> str:
    return f"{help_text}（{variable}）"


# --- writers ----------------------------------------------------------------------------------------------------------

WRITER_FAULTS = {
    "unavailable": "服务不可用",
    "timeout": "请求超时",
    "rate_limited": "请求过于频繁，重试后仍被限流",
    "rejected": "服务拒绝了请求",
    "refused": "模型拒绝回答",
    "truncated": "输出在长度上限处被截断",
    "empty": "输出为空",
    "invalid": "输出不符合要求的格式",
    "wrong_language": "输出不是中文",
    "over_budget": "将超出费用上限",
    "missing": "答案文件中没有这个改动",
}


def writer_failed(writer: str, fault: str, detail: str) -> str:
    return f"{writer} 未能给出草稿：{WRITER_FAULTS[fault]}" + (f"（{detail}）" if detail else "")
