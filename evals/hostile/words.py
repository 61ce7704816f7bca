"""Chinese of hostile drafts: how a claim can be worded, how it can be denied, and what a person reads of the outcome.

Contract: constants and small functions. Phrases are written as a model would write them, in no style of the project;
each is a clause without its end mark, filled by the fields of a claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

YES, NO = "是", "否"
RISKS: Mapping[str, str] = {"low": "低", "medium": "中", "high": "高"}
VERDICTS = ("Check", "Test", "Shim")
AT_MODULE = "模块级代码"
END = "。"
OPENINGS = ("torch_npu 中最相关的位置是 {cite}。", "torch_npu 全词检索：{cite}。")
JOINTS = ("，", "，同时 ", "，而 ")


def cite(ids: Sequence[str]) -> str:
    return "、".join(f"[{one}]" for one in ids)


#: By the value of `Form`.
PHRASES: Mapping[str, tuple[str, ...]] = {
    "reference": (
        "torch_npu 的 {where} 引用了 {symbol}（{cite}）",
        "{where} 里直接引用 {symbol}，见 {cite}",
        "下游 {path} 引用了上游的 `{symbol}`（{cite}）",
        "{cite}（{path}:{line}）引用 {symbol}",
        "`{symbol}` 在 NPU 侧被 {where} 引用 {cite}",
        "{path} 第 {line} 行引用了 {symbol} {cite}",
        "NPU 侧由 {cite} 用到 {symbol}",
    ),
    "import": (
        "{path} 导入了 {symbol}（{cite}）",
        "torch_npu 在 {cite} 处导入 `{symbol}`",
        "{cite} 从上游 import 了 {symbol}",
        "{path}:{line} 导入 {symbol}（{cite}）",
        "下游通过 {cite} 把 {symbol} 导入进来",
    ),
    "subclass": (
        "{where} 继承自 {symbol}（{cite}）",
        "torch_npu 的 {where} 是 `{symbol}` 的子类 {cite}",
        "{cite}：{where} 派生自 {symbol}",
        "{path}:{line} 中的 {where} 继承 {symbol}（{cite}）",
    ),
    "override": (
        "{where} 覆写了 {symbol}（{cite}）",
        "torch_npu 在 {cite} 重写 {symbol}",
        "`{symbol}` 被 {where} 覆写，位置为 {path}:{line}（{cite}）",
        "{cite} 的 {where} override 了 {symbol}",
    ),
    "patch": (
        "torch_npu 在 {cite} 对 {symbol} 打了赋值式 patch",
        "{where} 用赋值方式 patch 了 `{symbol}`（{cite}）",
        "{symbol} 在下游被替换（赋值式 patch），见 {cite}",
        "{path}:{line} 对 {symbol} 做了 monkey patch {cite}",
        "{cite} 以 {name} 替换 {symbol}，属赋值式 patch",
    ),
    "registration": (
        "torch_npu 在 {cite} 为 {symbol} 注册了自己的实现",
        "{cite} 通过 {name} 注册 {symbol}",
        "`{symbol}` 的 NPU 实现由 {path}:{line} 注册（{cite}）",
        "下游 {where} 注册了 {symbol}（{cite}）",
    ),
    "listed": (
        "{cite} 的 {name} 名单里列有 {symbol}",
        "{symbol} 出现在 {path} 的 {name} 中（{cite}）",
        "下游把 {symbol} 列在 {name} 里 {cite}",
    ),
    "fork": (
        "{where} 是从上游 {symbol} fork 出来的副本（{cite}）",
        "torch_npu 在 {cite} 维护了一份 {symbol} 的 fork",
        "{path}:{line} 复制了上游 `{symbol}` 的实现（{cite}）",
        "{cite} 拷贝自 {symbol}",
    ),
    "neighbour": (
        "{cite} 只是同一子系统里的挂钩点，作用于 {symbol}，不是本次改动的符号",
        "NPU 侧在 {path} 有挂在 {symbol} 上的挂钩点 {cite}",
    ),
    "apart": (
        "{where} 属于同子系统挂钩点（{cite}），并未直接命中被改符号",
        "{cite} 未命中被改符号，只是挂在 {symbol} 上",
    ),
    "lines": (
        "{where} 中有 {number} 处引用 {symbol}（{cite}）",
        "{cite} 共 {number} 处引用 {symbol}",
        "{symbol} 在 {path} 的 {where} 里被引用 {number} 次，见 {cite}",
    ),
    "places": (
        "{cite} 共 {number} 处{verb}上游代码",
        "torch_npu 在 {cite} 这 {number} 个位置{verb}了上游符号",
        "{verb}关系见 {cite}，计 {number} 处",
    ),
    "files": (
        "{cite} 分布在 {number} 个文件里",
        "上述耦合点 {cite} 位于 {number} 个文件",
    ),
    "miss": (
        "在 torch_npu 全树做全词检索，{symbol} 0 命中（{cite}）",
        "torch_npu 没有引用 {symbol}（{cite}）",
        "`{symbol}` 在下游未被使用 {cite}",
        "检索 {number} 个文件，{symbol} 零命中 {cite}",
        "未发现 torch_npu 使用 {symbol}（{cite}）",
        "下游找不到对 {symbol} 的引用（{cite}）",
    ),
    "calls": (
        "{where} 内部会回调原实现（{cite}）",
        "{cite} 仍调用原函数",
        "NPU 侧的 {where} 会调用上游实现 {cite}",
    ),
    "skips": (
        "{where} 未回调原实现（{cite}）",
        "{cite} 没有再调用上游实现",
        "NPU 侧的 {where} 不会回调上游实现 {cite}",
    ),
    "accepts": ("{cite} 的签名与上游一致", "{where} 的签名与上游兼容（{cite}）"),
    "refuses": ("{cite} 的签名与上游不一致", "{where} 的签名与上游不兼容（{cite}）"),
    "lacks": (
        "{cite} 的签名缺少参数 {name}",
        "{where} 不接受参数 {name}（{cite}）",
        "下游 {where} 的签名里没有 {name} 这个参数 {cite}",
    ),
    "stale": (
        "{cite} 的副本仍含旧代码",
        "{where} 这份 fork 还是改动前的写法（{cite}）",
        "{cite} 的 fork 副本尚未同步本次改动",
    ),
    "synced": (
        "{cite} 的副本已含新代码",
        "{where} 这份 fork 已经同步了本次改动（{cite}）",
        "{cite} 的 fork 副本与上游新代码相同",
    ),
    "diverged": ("{cite} 的副本与新旧两版均有出入", "{where} 这份 fork 与上游新旧版本都不一样（{cite}）"),
    "added": ("本 PR 新增 {symbol}", "上游在 {path} 里新增了 {symbol}"),
    "removed": ("本 PR 删除 {symbol}", "上游从 {path} 里删除了 {symbol}"),
    "rewritten": ("本 PR 改写 {symbol}", "上游在 {path} 中改写了 {symbol} 的实现"),
    "upstream_file": ("本 PR 改动 {path}", "改动集中在 {path}", "上游修改了 {path}"),
    "test": (
        "验证方法：在 NPU 上运行 {name}",
        "建议验证：跑一遍 {name}，与 CPU 结果对比",
    ),
    "must": ("需要修改 {cite}", "torch_npu 须同步修改 {cite}", "{cite} 处必须适配"),
    "need_not": ("本次改动无需适配", "无需修改代码", "不需要改码"),
    "reaches": ("会影响 NPU 用户", "NPU 用户会受到影响"),
    "reaches_not": ("不影响 NPU 用户", "对 NPU 没有影响"),
    "reverted": ("该 PR 已被 Revert", "这个改动随后被回退"),
    "verdict": ("结论为 {name}", "综合判定为 {name}"),
    "risk": ("风险等级为{name}", "{name}风险"),
    "effect": (
        "{cite} 处调用时会直接抛 TypeError",
        "升级后 {where} 必然编译失败（{cite}）",
        "{where} 的计算结果会静默出错（{cite}）",
    ),
    "condition": (
        "仅在动态 shape 场景才会走到 {cite}",
        "只有开启 max-autotune 时 {where} 才生效（{cite}）",
    ),
    "close": (
        "{cite} 直接作用于本次改动的符号",
        "{where} 命中了被改的函数（{cite}）",
        "{where} 直接用到了被改动的代码 {cite}",
    ),
}

#: Denials of a coupling. ``{verb}`` is its relation word.
DENIALS = (
    "torch_npu 没有{verb} {symbol}（{cite}）",
    "{where} 并未{verb} {symbol} {cite}",
    "NPU 侧不{verb} {symbol}，见 {cite}",
    "{cite} 处不存在对 {symbol} 的{verb}",
    "{path} 中找不到对 {symbol} 的{verb}（{cite}）",
    "{where} 从未{verb}过 `{symbol}`（{cite}）",
    "{path}:{line} 已不再{verb} {symbol} {cite}",
    "{cite} 与 {symbol} 没有任何{verb}关系",
    "{cite} 与 {symbol} 无关",
)
#: The same without any id.
UNCITED = (
    "torch_npu 没有{verb} {symbol}",
    "下游并未{verb} {symbol}",
    "NPU 侧不存在对 {symbol} 的{verb}",
    "torch_npu 全树 {symbol} 0 命中",
    "{where} {verb}了 {symbol}",
)
VERBS: Mapping[str, str] = {
    "reference": "引用",
    "import": "导入",
    "subclass": "继承",
    "override": "覆写",
    "patch": "patch",
    "registration": "注册",
    "listed": "注册",
    "fork": "fork",
}
#: Couplings told in words of everyday speech.
EVERYDAY: Mapping[str, tuple[str, ...]] = {
    "fork": ("{where} 是照着 {symbol} 抄的（{cite}）", "{cite} 与 {symbol} 几乎逐行相同"),
    "patch": ("{where} 把 {symbol} 顶掉了（{cite}）", "{symbol} 到了 NPU 上就换成 {where} 了 {cite}"),
    "subclass": ("{where} 以 {symbol} 为父类（{cite}）", "{symbol} 是 {where} 的爸爸类 {cite}"),
    "registration": ("{symbol} 的 NPU 版本挂名在 {where}（{cite}）", "{where} 给 {symbol} 登记了实现（{cite}）"),
    "close": ("{cite} 正是上游这次修改的代码在 NPU 侧的入口", "上游动的就是 {where} 里的这段逻辑（{cite}）"),
    "override": ("{where} 重新定义了 {symbol}（{cite}）", "{cite} 把 {symbol} 改成了自己的版本"),
}

#: Fluent, cited, and about nothing.
NONSENSE = (
    "天气晴朗，适合合入（{cite}）",
    "{cite} 写得很清楚，值得参考",
    "总体来看一切照旧 {cite}",
    "{cite} 令人放心，大家都很满意",
    "正如前面所说，这里没什么好担心的（{cite}）",
    "据此可以得出显而易见的结果 {cite}",
)

# --- what a person reads ----------------------------------------------------------------------------------------------

HELP = """用假草稿考校验器：在真实的证据清单上写出真句子，逐类改假，看印出来的还剩什么。

真假都不由校验器判定：句子另写，改假后是否真的为假另对照源码。\
退出码：0 应挡住的类别一句假话都没印出，真句保留至少 95 %；10 取不到真实源码；11 有假话印出，或真句丢得太多。"""
OPTION_SEED = "随机种子；同一种子问同样的句子"
OPTION_SAMPLES = "每条记录每一类造几句假话"
OPTION_LEAKS = "逐句列出印出的假话与丢掉的真话"
NO_RECORDS = "没有带 diff 的记录可用"
TRYING = "校验假草稿"
COLUMNS = ("类别", "能否挡住", "假句", "印出", "印出率", "可能为真而不计")
COVERED: Mapping[bool, str] = {True: "应全部挡住", False: "挡不住"}
LOST = "丢掉的真话"
HOLDS = "应挡住的类别没有印出假话，真句保留达标。"
FAILS = "没有达标：有该挡住的假话印出，或真句丢得太多。"
#: By the value of `Falsehood`.
NAMES: Mapping[str, str] = {
    "wrong_path": "路径真实但不是这一处",
    "upstream_path": "未改动的上游文件",
    "wrong_line": "行号不对",
    "wrong_relation": "关系不对",
    "listed_as_registered": "名单说成注册",
    "negation": "把有说成没有",
    "wrong_count": "数量不对",
    "invented_symbol": "编造的符号",
    "other_scope": "别处的作用域",
    "other_symbol": "别的符号",
    "foreign_test": "真实但无关的测试",
    "swapped_id": "张冠李戴的编号",
    "unknown_id": "不存在的编号",
    "false_miss": "假的零命中",
    "uncited": "不带编号的假话",
    "wrong_detail": "回调、签名、参数说反",
    "wrong_copy_state": "副本新旧说反",
    "against_flags": "与标签矛盾",
    "false_closeness": "把附近说成命中",
    "upstream_act": "上游增删改说错",
    "nonsense": "言之无物而带编号",
    "effect": "后果凭空而来",
    "condition": "条件凭空而来",
    "everyday_words": "词表之外的日常说法",
}


def kept(number: int, total: int) -> str:
    return f"真句 {total} 句，保留 {number} 句（{number / total:.1%}）。" if total else "没有写出真句。"


def tried(records: int, drafts: int) -> str:
    return f"共 {records} 条记录、{drafts} 份草稿。"


def leak(record: str, text: str, findings: Sequence[str]) -> str:
    return f"{record}  {text}" + (f"  ← {'；'.join(findings)}" if findings else "")
