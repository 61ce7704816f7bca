"""The sample configuration lists every setting, and every line of it is valid once its comment sign is gone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import yaml
from pydantic import SecretStr

from reviewbot.settings import Settings, setting_fields, value_of
from reviewbot.settings_sources import CONFIG_VARIABLE, OriginKind, load_settings, variable_of

SAMPLE = Path(__file__).parents[1] / "deploy" / "reviewbot.toml"


def test_the_sample_says_nothing_as_shipped(tmp_path: Path) -> None:
    loaded = load_settings(config=SAMPLE, environ={}, cwd=tmp_path)
    assert loaded.settings == Settings()


def test_the_sample_names_every_key_and_shows_true_defaults(tmp_path: Path) -> None:
    text = re.sub(r"^# (?=\w+ = )", "", SAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    # Two ways to name the upstream exclude each other in use, not in the file.
    (tmp_path / "reviewbot.toml").write_text(text, encoding="utf-8")
    loaded = load_settings(config=tmp_path / "reviewbot.toml", environ={}, cwd=tmp_path)
    given = {key for key, origin in loaded.origins.items() if origin.kind is OriginKind.FILE}
    # A secret belongs into the environment or a file of its own: the sample must not invite it in.
    assert given == {key for key, field in setting_fields() if SecretStr not in get_args(field.annotation)}
    for key in ("ledger.limit", "ledger.token_budget", "index.jobs", "output.color"):
        assert value_of(loaded.settings, key) == value_of(Settings(), key)


def test_the_deploy_files_name_settings_that_exist() -> None:
    known = {variable_of(key) for key, _ in setting_fields()} | {CONFIG_VARIABLE}
    for name in ("Dockerfile", "compose.yaml", "reviewbot.service"):
        named = set(re.findall(r"REVIEWBOT_\w+", (SAMPLE.parent / name).read_text(encoding="utf-8")))
        assert named, name
        assert named <= known, name


def test_the_deploy_files_run_commands_that_exist() -> None:
    compose = yaml.safe_load((SAMPLE.parent / "compose.yaml").read_text(encoding="utf-8"))
    assert compose["services"]["reviewbot"]["build"]["dockerfile"] == "deploy/Dockerfile"
    assert "reviewbot serve" in (SAMPLE.parent / "reviewbot.service").read_text(encoding="utf-8")
