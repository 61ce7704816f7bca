"""Chinese words of the mirrors."""

from __future__ import annotations

SIDES = {"downstream": "torch_npu", "upstream": "PyTorch"}
_SETTING = {
    "downstream": "mirrors.downstream_url 或 downstream.path",
    "upstream": "mirrors.upstream_url 或 upstream.clone",
}


def unset(side: str) -> str:
    return f"没有配置 {SIDES[side]} 仓库：设置 {_SETTING[side]}"


def fetch_failed(side: str, reason: str) -> str:
    return f"拉取 {SIDES[side]} 仓库失败：{reason}"


def busy(side: str, seconds: float) -> str:
    return f"{SIDES[side]} 镜像正由别的进程拉取，{seconds:g} 秒内没有完成"


def revision_unknown(side: str, revision: str) -> str:
    return f"{SIDES[side]} 仓库里没有 {revision}：检查分支名，或确认该提交已推送"


def never_fetched(side: str) -> str:
    return f"{SIDES[side]} 镜像还没有拉取过"


def stale(side: str, minutes: int) -> str:
    return f"{SIDES[side]} 镜像已有 {minutes} 分钟没有成功拉取"


def change_unknown(name: str) -> str:
    return f"取不到 {name}：上游克隆中没有合入它的提交，上游平台也没有给出它的 diff"


def diff_too_large(name: str, size: int, most: int) -> str:
    return f"{name} 的 diff 有 {size} 字节，超过 review.most_diff_bytes（{most}）"
