"""Chinese words of the forges."""

from __future__ import annotations

_FAULTS = {
    "not_found": "不存在或无权查看",
    "forbidden": "被拒绝：检查令牌及其权限",
    "rate_limited": "被限流",
    "unavailable": "没有应答或服务出错",
    "too_large": "差异过大，接口不提供",
    "refused": "内容被拒收",
    "unreadable": "应答无法解读",
}
FORGE_NAMES = {"github": "GitHub", "atomgit": "AtomGit", "local": "本地目录"}


def forge_failed(fault: str, what: str, status: int | None, detail: str) -> str:
    code = "" if status is None else f"（HTTP {status}）"
    return f"{what} {_FAULTS[fault]}{code}" + (f"：{detail}" if detail else "")


def app_key_unusable(key: str, path: str) -> str:
    return f"{key} 指定的文件 {path} 不是 PEM 格式的 RSA 私钥：在 GitHub App 的设置页重新生成并下载"


def forge_unset(kind: str, key: str) -> str:
    return f"没有配置 {FORGE_NAMES[kind]}：设置 {key}"
