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
GIT_REVISION_AMBIGUOUS = "这个缩写对应多个对象，请写出更长的提交号"
GIT_OBJECT_MISSING = "仓库缺少这个对象（浅克隆、部分克隆或仓库损坏），请取回完整历史（如 git fetch --unshallow 或 --refetch）"
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


def cache_damaged(cause: str) -> str:
    return f"事实缓存已损坏（{cause}），可以直接删除，下次运行会重建"
