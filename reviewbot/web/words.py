"""Chinese sentences of the web process, for whoever looks after it."""

from __future__ import annotations

from reviewbot.forges.words import FORGE_NAMES

TITLES = {
    400: "投递无法解读",
    401: "签名不符",
    403: "不允许",
    404: "没有这个地址",
    405: "不支持这个方法",
    408: "请求体没有按时到齐",
    413: "请求体过大",
    415: "请求体格式不支持",
    500: "内部错误",
    503: "暂时不可用",
}
NOT_LOOPBACK = "没有设置签名密钥，只接受本机直接发来的请求"
CUT_OFF = "请求体没有传完，连接就断了"
FORM_ENCODED = "不支持表单编码：在 webhook 设置里把 Content type 改为 application/json"
NO_SUCH_PAGE = "检查地址"
INTERNAL = "处理时出错，日志里有详情"
PROBE_BROKEN = "检查时出错，日志里有详情"


def secret_required(forge: str, section: str) -> str:
    return (
        f"配置了 {FORGE_NAMES[forge]}，但没有 webhook 签名密钥：设置 {section}.webhook_secret 或 "
        f"{section}.webhook_secrets_file；只在本机试用时可加 --insecure-local"
    )


def forge_not_configured(forge: str) -> str:
    return f"没有配置 {FORGE_NAMES[forge]}，不接收它的投递"


def body_too_large(limit: int) -> str:
    return f"请求体超过 {limit} 字节（service.body_limit）"


def body_too_slow(seconds: float) -> str:
    return f"请求体 {seconds:g} 秒内没有到齐"


def wrong_content_type(found: str) -> str:
    return f"Content-Type 应为 application/json（UTF-8），实为 {found or '空'}"


def wrong_encoding(found: str) -> str:
    return f"不支持 Content-Encoding {found}：请求体须不压缩"


def store_down(reason: str) -> str:
    return f"投递没有存下，请稍后重新投递：{reason}"


def not_ready(names: tuple[str, ...]) -> str:
    return f"未就绪：{'、'.join(names)}"


def probe_slow(seconds: float) -> str:
    return f"{seconds:g} 秒内没有应答"


def cannot_listen(host: str, port: int, reason: str) -> str:
    return f"无法监听 {host}:{port}（service.host、service.port）：{reason}"
