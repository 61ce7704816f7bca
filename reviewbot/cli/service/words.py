"""Chinese words of the commands that speak to a forge."""

from __future__ import annotations

HELP_REVIEW = """评审一个 PR：找出它涉及的上游改动，逐个分析，拼成一条评论。

URL 是 GitHub、GitHub 企业版、AtomGit 或 GitCode 上 PR 的链接，或 local:owner/name#pull/7（[local] dir 指定的目录）。
默认只打印评论；--post 发表，已有本机器人的评论时就地修改，不会重复发表。"""
ARGUMENT_URL = "PR 的链接"
OPTION_AGAIN = "即使这个提交已经评审过也重新评审"
OPTION_POST = "把评论发表到 PR"
OPTION_DRY_RUN = "只打印评论（默认）"
REVIEWING = "分析上游改动"
BOTH = "--post 与 --dry-run 不能同时使用"


def unknown_address(address: str) -> str:
    return f"认不出 {address}：应为 PR 的链接，例如 https://github.com/Ascend/pytorch/pull/7"


def not_a_pull(key: str) -> str:
    return f"{key} 是 issue，只有 PR 可以评审"


ALREADY = "这个提交已经评审过，评论没有改动；要重新评审请加 --again"
SUPERSEDED = "同一个 PR 有了更新的评审，这一次不再发表"


def posted(number: int) -> str:
    return f"评论已发表，编号 {number}"


def nothing(reason: str) -> str:
    return f"没有可评审的上游改动：{reason}"


HELP_SERVE = """启动服务：接收 webhook，排队评审，维护评论。网页进程与任务进程是同一个。

每个配置了令牌的平台都要有签名密钥，否则拒绝启动；--insecure-local 只在本机试用时省去密钥，且只接受本机的请求。
任务存在数据库里：进程被杀后重启即续。"""
OPTION_INSECURE = "没有签名密钥也启动，只接受本机的请求"
OPTION_PORT = "监听的端口，默认取 service.port"
OPTION_SHOW = "只打印评论，不发表"


def listening(host: str, port: int, worker: str) -> str:
    return f"正在 http://{host}:{port} 监听，进程名 {worker}；Ctrl-C 停止"
