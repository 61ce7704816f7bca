"""Chinese sentences about a delivery that cannot be used."""

from __future__ import annotations

NOT_UTF8 = "请求体不是 UTF-8"
NOT_AN_OBJECT = "请求体不是 JSON 对象"
TOO_DEEP = "请求体的 JSON 嵌套过深"
_SIGNATURES = {
    "missing": "缺少签名（请求头 {header}）：在 webhook 设置里填写密钥",
    "malformed": "签名格式不对：应为 sha256=<64 位十六进制>",
    "wrong": "签名不符：webhook 的密钥与设置里的不一致",
    "password": "只带了明文密码（Token），不接受：密码随请求明文传送，也不保护内容；把 webhook 的加密方式改为签名密钥",
}


def not_json(reason: str) -> str:
    return f"请求体不是 JSON：{reason}"


def header_missing(name: str) -> str:
    return f"缺少请求头 {name}"


def header_unusable(name: str) -> str:
    return f"请求头 {name} 的值无法使用：只能是 1～128 个字母、数字、点、下划线或连字符"


def key_missing(key: str) -> str:
    return f"缺少 {key}"


def key_wrong(key: str, wanted: str, found: str) -> str:
    return f"{key} 应为{wanted}，实为{found}"


#: What a value may be, by the word of ``fields.Wanted``.
WANTED = {
    "object": "对象",
    "list": "数组",
    "text": "非空文本",
    "number": "正整数",
    "flag": "布尔值",
    "repository": "“owner/name”形式的仓库名",
    "sha": "完整的提交哈希",
}
_FOUND = {"dict": "对象", "list": "数组", "str": "文本", "int": "整数", "float": "小数", "bool": "布尔值"}


def found(value: object) -> str:
    """The kind of a JSON value, never the value: it may be long, or a secret."""
    return "空值" if value is None else _FOUND[type(value).__name__]


def signature_refused(fault: str, header: str) -> str:
    return _SIGNATURES[fault].format(header=header)
