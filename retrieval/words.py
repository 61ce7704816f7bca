"""Every Chinese text of ``retrieval`` that a user reads, by the part that says it.

Contract: constants and small functions that return one message; no logic, no input or output, cheap to import.
"""

from __future__ import annotations

# --- source trees (retrieval.source_tree and its kinds, retrieval.git_repository) -------------------------------------

GIT_MISSING = "找不到 git 命令，请先安装 git 并确认它在 PATH 中"
TREE_MISSING = "路径不存在，请检查拼写"
TREE_NOT_A_FOLDER = "既不是目录也不是 .whl 文件，无法当作代码树读取"
TREE_REVISION_WITHOUT_GIT = "不是 git 仓库，不能指定版本；请去掉版本参数，或改用 git 克隆"
TREE_FILE_ABSENT = "代码树里没有这个文件"
TREE_PATH_ESCAPES = "路径必须是代码树内的相对路径，不能是绝对路径，也不能含 .. 或空的一级"
GIT_NOT_A_REPOSITORY = "不是可用的 git 仓库，请检查路径，或重新克隆"
GIT_NO_COMMIT = "仓库还没有任何提交，请先提交，或用版本参数指定一个存在的版本"
GIT_BAD_REVISION_NAME = "不是合法的版本名（不能为空，不能以 - 开头，不能含换行）"
GIT_REVISION_UNKNOWN = "仓库里没有这个版本，请检查拼写，或先 git fetch 取回它"
GIT_REVISION_IS_NO_COMMIT = "这个名字指的不是提交，请给出提交号、分支或标签"
GIT_REVISION_AMBIGUOUS = "这个缩写对应多个对象，请写出更长的提交号"
GIT_OBJECT_MISSING = (
    "仓库缺少这个对象（浅克隆、部分克隆或仓库损坏），请取回完整历史（如 git fetch --unshallow 或 --refetch）"
)
GIT_STOPPED = "git 读取进程意外退出，请用 git fsck 检查仓库后重试"
WHEEL_BROKEN = "不是完整的 wheel（zip）文件，请重新下载"
WHEEL_ENCRYPTED = "wheel 中的文件被加密，无法读取"
WHEEL_NO_METADATA = "wheel 里没有唯一的 *.dist-info/METADATA，或其中缺 Name、Version，无法得知版本"


def git_foreign_owner(path: str) -> str:
    return f"仓库属于另一个用户，git 拒绝读取；确认可信后运行 git config --global --add safe.directory '{path}'"


def git_failed(command: str, message: str) -> str:
    return f"git {command} 失败：{message or '没有给出原因'}"


def unreadable(reason: str) -> str:
    return f"无法读取（{reason}），请检查权限"


# --- facts cache (retrieval.fact_cache) -------------------------------------------------------------------------------


def cache_unusable(cause: str) -> str:
    return f"事实缓存无法读写（{cause}），请检查目录权限与磁盘空间，或用 cache.dir 另指一个目录"


CACHE_FORGETS = "事实缓存没有保存刚写入的内容，请检查磁盘"


def cache_damaged(cause: str) -> str:
    return f"事实缓存已损坏（{cause}），可以直接删除，下次运行会重建"


# --- change: diffs and patches (retrieval.change) ---------------------------------------------------------------------

HUNK_HEADER_BROKEN = "@@ 行的写法不对，应为 @@ -起始,行数 +起始,行数 @@；请重新导出 diff"
HUNKS_OUT_OF_ORDER = "这个 @@ 块与同一文件的上一块重叠或次序颠倒；请重新导出 diff"
HUNK_END_MARK_MISPLACED = "“\\ No newline at end of file” 只能跟在文件的最后一行之后；请重新导出 diff"
HUNK_LEFTOVER = "这一行在 @@ 行声明的行数之外，前面的行数与内容不符；请重新导出 diff"
HUNK_WITHOUT_FILE = "这个 @@ 块前面没有文件头（---/+++ 行），不知道属于哪个文件；请重新导出 diff"
COMBINED_HUNK_TOO_SHORT = "合并提交的 @@@ 块不完整，行数与内容不符；请重新导出 diff"
COMBINED_HUNK_TOO_LONG = "合并提交的 @@@ 块比声明的行数长；请重新导出 diff"
DIFF_HEADER_WITHOUT_PLUS = "--- 行后面缺少 +++ 行；请重新导出 diff"
DIFF_HEADER_WITHOUT_HUNK = "---/+++ 行后面缺少 @@ 块，diff 可能被截断；请重新导出"
DIFF_HEADER_INCOMPLETE = "从文件头看不出文件名；请用 git diff 重新导出"
DIFF_HEADER_CONTRADICTS = "文件头自相矛盾（文件名不一致，或同时新增和删除）；请重新导出 diff"
NEW_FILE_HAS_OLD_LINES = "文件头说是新增文件，@@ 块里却有旧行；请重新导出 diff"
DELETED_FILE_HAS_NEW_LINES = "文件头说是删除文件，@@ 块里却有新行；请重新导出 diff"
SERIES_CONTRADICTS = "同一个文件第二次被修改，却与前一次修改后的内容对不上；请改用合并后的单个 .diff"
PATCH_WITHOUT_DIFF = "没有找到 diff；请给出 git diff、git format-patch 或 diff -u 的输出"
PATCH_COLOURED = "diff 里有终端颜色代码；请加 --no-color 重新导出"
PATCH_CONTEXT_FORMAT = "这是 context 格式的 diff；请用 diff -u 或 git diff 重新导出"
PATCH_OF_A_LOG = "git log -p 的输出含多个提交；请改用 git diff A..B 或 git format-patch A..B --stdout"
MAIL_ENCODED = "邮件正文用 quoted-printable 或 base64 编码；请直接给出 git format-patch 生成的文件"


def hunk_too_short(old: int, new: int, old_found: int, new_found: int) -> str:
    return (
        f"@@ 行声明旧 {old} 行、新 {new} 行，到这里只有旧 {old_found} 行、新 {new_found} 行，"
        "diff 可能被截断或改动过；请重新导出"
    )


def hunk_too_long(old: int, new: int) -> str:
    return f"内容超出 @@ 行声明的旧 {old} 行、新 {new} 行；请重新导出 diff"


def diff_path_refused(name: str) -> str:
    return f"文件名 {name!r} 是绝对路径或越出了仓库；请在仓库根目录用 git diff 重新导出"


# --- signature changes (retrieval.delta.signatures) -------------------------------------------------------------------

# By value of ``ParameterKind``.
PARAMETER_KINDS = {
    "positional_only": "仅位置",
    "positional_or_keyword": "普通（位置或关键字均可）",
    "var_positional": "可变位置",
    "keyword_only": "仅关键字",
    "var_keyword": "可变关键字",
}


def parameter_added(spelling: str, kind: str, required: bool) -> str:
    if kind == "positional_or_keyword":
        return f"新增{'必填' if required else '可选'}参数 {spelling}"
    return f"新增{'必填' if required else ''}{PARAMETER_KINDS[kind]}参数 {spelling}"


def parameter_removed(name: str) -> str:
    return f"删除参数 {name}"


def parameter_renamed(old: str, new: str) -> str:
    return f"参数 {old} 改名为 {new}"


def parameters_reordered(old: str, new: str) -> str:
    return f"参数顺序由 ({old}) 改为 ({new})"


def parameter_default_changed(name: str, old: str | None, new: str | None) -> str:
    if old is None:
        return f"参数 {name} 由必填改为可选，默认值为 {new}"
    if new is None:
        return f"参数 {name} 由可选（默认值 {old}）改为必填"
    return f"参数 {name} 的默认值由 {old} 改为 {new}"


def parameter_kind_changed(name: str, kind: str) -> str:
    return f"参数 {name} 改为{PARAMETER_KINDS[kind]}"


def parameter_type_changed(name: str, old: str, new: str) -> str:
    return f"参数 {name} 的类型由 {old} 改为 {new}"


def return_type_changed(old: str, new: str) -> str:
    return f"返回类型由 {old} 改为 {new}"


# --- change: sources and about files (retrieval.change) ---------------------------------------------------------------

STANDARD_INPUT = "标准输入"
GIT_PARENT_MISSING = "浅克隆缺少这个提交的父提交，无法得到它的 diff；请先运行 git fetch --deepen=1 或 --unshallow"
RANGE_WITHOUT_DOTS = "不是提交区间，应写作 A..B 或 A...B"
RANGE_WITHOUT_COMMON_ANCESTOR = "两个提交没有共同祖先（或克隆太浅），请改用 A..B，或取回完整历史"
SOURCE_STDIN_MISSING = "没有收到标准输入，请用管道传入 diff，例如 git diff A B | reviewbot analyze -"
SOURCE_IS_FOLDER = "这是目录，不是补丁文件；比较两个目录请用 --upstream-base 与 --upstream-head"
SOURCE_FILE_MISSING = "补丁文件不存在，请检查路径"
SOURCE_WITHOUT_CLONE = "不是已有的补丁文件；若是提交、区间或 PR，请用 --upstream 指明本地的 PyTorch 克隆"
SOURCE_CLONE_IS_NONE = "不是 git 仓库；请用 --upstream 指明本地的 PyTorch 克隆"
SOURCE_AMBIGUOUS = "既是文件名，又是克隆中的版本名；文件请写作 ./文件名，提交请写完整的提交号"
SOURCE_OTHER_REPOSITORY = "只支持 pytorch/pytorch 的 PR；其他仓库的变更请给出 .diff 或 .patch 文件"
ABOUT_NOT_UTF8 = "不是 UTF-8 编码的 JSON，请另存为 UTF-8"
ABOUT_NOT_OBJECT = '应为一个 JSON 对象，形如 {"number": 123, "title": "…"}'

_ABOUT_EXPECTED = {
    "number": "应为正整数",
    "title": "应为字符串",
    "body": "应为字符串",
    "labels": "应为字符串数组",
    "merged": "应为 true 或 false",
    "reverted": "应为 true 或 false",
    "date": '应为 ISO 8601 日期，如 "2026-06-29"',
    "paths": "应为仓库内相对路径的数组，不能是绝对路径或含 ..",
    "tests": "应为非空字符串的数组",
    "diff_complete": "应为 true 或 false",
}


def change_source(repository: str, revision: str) -> str:
    return f"{repository} {revision}"


def range_title(range_: str, commits: int) -> str:
    return f"{range_}（{commits} 个提交）"


def tree_difference(base: str, head: str) -> str:
    return f"{base} → {head}"


def pull_request_not_in_clone(clone: str, *, shallow: bool) -> str:
    if shallow:
        return f"{clone} 是浅克隆，历史里没有带这个 PR 结尾行的提交；请先运行 git fetch --unshallow"
    return f"{clone} 的历史里没有带 Pull Request resolved: …/pull/N 结尾行的提交；请先 git fetch，或改用 .diff 文件"


def unreadable_file(reason: str) -> str:
    return f"文件无法读取（{reason}），请检查路径与权限"


def about_not_json(column: int) -> str:
    return f"不是合法的 JSON（第 {column} 列附近），请改正"


def about_duplicate_key(key: str) -> str:
    return f"键 {key} 出现了两次，请只保留一个"


def about_unknown_key(key: str, near: list[str], known: list[str]) -> str:
    hint = f"是否想写 {near[0]}？" if near else ""
    return f"不认识的键 {key}，{hint}可用的键：{'、'.join(known)}"


def about_wrong_value(key: str) -> str:
    return f"键 {key} 的值不对，{_ABOUT_EXPECTED[key]}"
