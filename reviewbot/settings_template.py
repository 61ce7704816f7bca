"""A ``reviewbot.toml`` to start from: every key at its default, commented out, with its description."""

from __future__ import annotations

import json

from reviewbot import words
from reviewbot.settings import Settings, setting_fields, value_of
from reviewbot.settings_sources import variable_of

#: What stands for keys without a default.
EXAMPLES = {
    "downstream.path": "~/src/torch_npu",
    "downstream.revision": "master",
    "upstream.clone": "~/src/pytorch",
    "upstream.base": "v2.13.0",
    "upstream.head": "v2.14.0",
    "upstream.base_dir": "~/src/pytorch-2.13.0",
    "upstream.head_dir": "~/src/pytorch-2.14.0",
    "model.name": "deepseek-chat",
    "model.api_key": "sk-...",
    "model.api_key_file": "~/.config/reviewbot/model.key",
    "model.price_in": 2.0,
    "model.price_cached": 0.5,
    "model.price_out": 8.0,
    "model.cost_per_analysis": 0.5,
    "model.cost_per_day": 50.0,
    "model.records": "records.jsonl",
    "queue.worker": "worker-1",
    "mirrors.dir": "/var/lib/reviewbot/mirrors",
    "mirrors.downstream_url": "https://gitcode.com/Ascend/pytorch.git",
    "mirrors.upstream_url": "https://github.com/pytorch/pytorch.git",
    "github.token": "ghp_...",
    "github.token_file": "/run/secrets/github.token",
    "github.app_id": 123456,
    "github.app_key_file": "/run/secrets/github-app.pem",
    "github.login": "reviewbot[bot]",
    "github.webhook_secret": "...",
    "github.webhook_secret_previous": "...",
    "github.webhook_secrets_file": "/run/secrets/github.webhook",
    "atomgit.token": "...",
    "atomgit.token_file": "/run/secrets/atomgit.token",
    "atomgit.login": "reviewbot",
    "atomgit.webhook_secret": "...",
    "atomgit.webhook_secret_previous": "...",
    "atomgit.webhook_secrets_file": "/run/secrets/atomgit.webhook",
    "local.dir": "/var/lib/reviewbot/local-forge",
}


def settings_template() -> str:
    """The file's text. Removing the ``#`` before any of its keys gives a file that loads."""
    defaults = Settings()
    lines = [f"# {line}" for line in words.SETTINGS_TEMPLATE_HEAD]
    section = ""
    for key, _ in setting_fields():
        if key.partition(".")[0] != section:
            section = key.partition(".")[0]
            lines += ["", f"[{section}]"]
        value = value_of(defaults, key)
        example = _toml(EXAMPLES[key] if value is None else value)
        lines.append(f"# {words.template_comment(words.SETTING_HELP[key], variable_of(key))}")
        lines.append(f"#{key.partition('.')[2]} = {example}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """A value as TOML writes it: but for tables, which are written inline, JSON is TOML as well."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False, default=str)
