"""Chinese words of ``reviewbot eval cases``."""

from __future__ import annotations

from pathlib import Path

HELP_CASES = "评测用例：真实源码树与每条记录的 diff"
HELP_FETCH = (
    "从 GitHub 取每条记录对应的上游 PR 的真实 diff，缓存在本地；已取到的不再取，中断后重跑同一命令即可继续。\n\n"
    "令牌依次取自 --token-file、环境变量 GITHUB_TOKEN；只读公共仓库的权限即可。"
    "取到之后 reviewbot eval run 优先使用真实 diff，没有取到的记录仍用两个发布版之间的差异重建。"
)
OPTION_REPOSITORY = "上游仓库"
OPTION_ADDRESS = "GitHub API 地址（GitHub Enterprise 用 https://主机/api/v3）"
OPTION_TOKEN_FILE = "存放令牌的文件"
OPTION_OUT = "放在哪个目录，默认在缓存目录的 real-data/pull-requests 下"
OPTION_AGAIN = "已取到的也重新取"
OPTION_DRY_RUN = "只说明将要取什么，不联网"
STOPPED = "其余的不再尝试"

DAMAGED = "内容已损坏，请删除后重新执行 reviewbot eval cases fetch"
NEEDS_HTTPS = "API 地址必须使用 https"
NO_TOKEN = "没有令牌。请设置环境变量 GITHUB_TOKEN，或用 --token-file 指定文件"
COLUMNS = ("PR", "文件", "增删", "来源", "缺少内容的文件")
FETCHING = "取 PR"
ORIGINS = {"diff": "完整 diff", "files": "逐文件拼接"}


def not_writable(error: OSError) -> str:
    return f"无法写入（{error.strerror or error}）"


def token_file_unreadable(path: Path, error: OSError | UnicodeDecodeError) -> str:
    return f"{path}：读不出令牌（{error}）"


def refused(status: int, message: object) -> str:
    reasons = {401: "令牌无效", 403: "没有权限，或请求次数已用完", 404: "没有这个 PR，或令牌无权查看"}
    said = " ".join(str(message).split())[:200]
    return (
        f"GitHub 返回 {status}"
        + (f"：{reasons[status]}" if status in reasons else "")
        + (f"（{said}）" if said else "")
    )


def unreachable(kind: str) -> str:
    return f"连不上 GitHub（{kind}）。请检查网络与代理"


def plan(wanted: int, cached: int, out: Path) -> str:
    return f"共 {wanted + cached} 个 PR，已有 {cached} 个，要取 {wanted} 个（约 {2 * wanted} 次请求），放在 {out}"


def allowance(remaining: int, needed: int) -> str:
    return f"本小时还剩 {remaining} 次请求，本次约需 {needed} 次" + (
        "，用完后会等到限额恢复" if remaining < needed else ""
    )


def done(fetched: int, failed: int, seconds: float) -> str:
    tail = f"，{failed} 个失败；修正后重跑同一命令只取这些" if failed else ""
    return f"取到 {fetched} 个{tail}，用时 {seconds:.0f} 秒"
