"""From settings to a writer: key, caps, plain cases, and nothing heavy loaded before a model is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewbot.drafting.model.opening import open_writer
from reviewbot.drafting.model.sparing import SparingWriter
from reviewbot.drafting.model.writer import ModelWriter
from reviewbot.errors import SettingsError
from reviewbot.settings import CacheSettings, Capability, ModelSettings, Settings, shown_value
from reviewbot.settings_sources import load_settings
from tests.reviewbot.model_cases import KEY, dossier
from tests.support.scripted_model import scripted_model


def settings(folder: Path, **model: Any) -> Settings:
    return Settings(cache=CacheSettings(dir=folder), model=ModelSettings(**{"name": "small", **model}))


def sentences(folder: Path, **model: Any) -> str:
    with pytest.raises(SettingsError) as caught, open_writer(settings(folder, **model)):
        pytest.fail("opened")
    return str(caught.value)


def test_a_writer_from_settings(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"\ufeff {KEY} \nsecond line\n", encoding="utf-8")
    with scripted_model() as server:
        given = settings(tmp_path / "cache", base_url=server.base_url, api_key_file=tmp_path / "key")
        with open_writer(given) as writer:
            assert isinstance(writer, SparingWriter)
            assert writer.write(dossier()).draft.writer == "small"
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert (tmp_path / "cache" / "model.sqlite").is_file()


def test_without_a_key_none_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with scripted_model() as server, open_writer(settings(tmp_path, base_url=server.base_url)) as writer:
        writer.write(dossier())
        assert server.requests[0].headers["authorization"] == "Bearer none"


def test_the_key_itself_beats_its_file(tmp_path: Path) -> None:
    given = settings(tmp_path, api_key="direct", api_key_file=tmp_path / "absent")
    with open_writer(given):
        pass


def test_plain_cases_may_be_asked_about(tmp_path: Path) -> None:
    with open_writer(settings(tmp_path, spare_plain_cases=False)) as writer:
        assert isinstance(writer, ModelWriter)


def test_what_settings_lack(tmp_path: Path) -> None:
    assert "REVIEWBOT_MODEL__NAME" in sentences(tmp_path, name=None)
    assert str(tmp_path / "absent") in sentences(tmp_path, api_key_file=tmp_path / "absent")
    (tmp_path / "empty").write_text("\n \n", encoding="utf-8")
    assert "是空的" in sentences(tmp_path, api_key_file=tmp_path / "empty")
    assert "price_in" in sentences(tmp_path, cost_per_day=3.0)
    assert "price_in" in sentences(tmp_path, cost_per_analysis=3.0, price_in=1.0)
    assert "context_tokens" in sentences(tmp_path, context_tokens=2_000, max_output_tokens=2_000)


def test_settings_of_the_model_in_every_source(tmp_path: Path) -> None:
    file = tmp_path / "reviewbot.toml"
    file.write_text(
        '[model]\nname = "a"\nfallbacks = ["b"]\nprice_in = 2\ncapability = "json_mode"\napi_key_file = "key"\n',
        encoding="utf-8",
    )
    environ = {"REVIEWBOT_MODEL__API_KEY": KEY, "REVIEWBOT_MODEL__FALLBACKS": '["c", "d"]'}
    loaded = load_settings(config=file, environ=environ, cwd=tmp_path).settings
    assert loaded.model.fallbacks == ("c", "d")
    assert loaded.model.capability is Capability.JSON_MODE
    assert loaded.model.price_in == 2.0
    assert loaded.model.api_key_file == tmp_path / "key"
    assert shown_value(loaded, "model.fallbacks") == '["c", "d"]'
    assert shown_value(loaded, "model.api_key") == "******"
    assert KEY not in f"{loaded!r} {loaded} {loaded.model_dump_json()}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('base_url = "ftp://x"', "格式不对"),
        ('base_url = "api.example.com"', "格式不对"),
        ('capability = "magic"', "auto、json_schema、function_calling、json_mode、prompted"),
        ("price_in = -1", "不能小于 0"),
        ("temperature = 3", "不能大于 2"),
        ("cost_per_day = 0", "必须大于 0"),
        ('fallbacks = "b"', "列表"),
    ],
)
def test_wrong_settings_of_the_model(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "reviewbot.toml").write_text(f"[model]\n{line}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=expected):
        load_settings(environ={}, cwd=tmp_path)


def test_nothing_heavy_is_loaded_before_a_model_is_asked() -> None:
    code = (
        "import sys, reviewbot.drafting.model.opening, reviewbot.drafting.model.batch\n"
        "print([name for name in ('langchain_core', 'langchain_openai', 'openai', 'tiktoken', 'httpx2', 'bm25s')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
