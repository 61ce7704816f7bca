"""Settings: precedence, provenance, and one Chinese sentence for everything that is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from retrieval.models import Frozen
from reviewbot import words
from reviewbot.errors import SettingsError
from reviewbot.settings import (
    MASK,
    ColorMode,
    Settings,
    mask_password,
    setting_fields,
    shown_value,
    value_of,
)
from reviewbot.settings_marks import DatabaseUrl
from reviewbot.settings_sources import (
    Flag,
    LoadedSettings,
    Origin,
    OriginKind,
    load_settings,
    search_places,
    variable_of,
)
from reviewbot.settings_values import Refusal, read_text, read_toml, read_typed


def load(
    cwd: Path,
    *,
    file: str | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Flag] | None = None,
) -> LoadedSettings:
    if file is not None:
        (cwd / "reviewbot.toml").write_text(file, encoding="utf-8")
    return load_settings(flags=flags, environ=environ or {}, cwd=cwd)


def sentences(cwd: Path, file: str | None = None, environ: Mapping[str, str] | None = None) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load(cwd, file=file, environ=environ)
    return str(caught.value).splitlines()


@pytest.fixture(autouse=True)
def no_user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user-config"))


# --- precedence and provenance ----------------------------------------------------------------------------------------


def test_each_source_overrides_the_one_before_it(tmp_path: Path) -> None:
    file = "[ledger]\nlimit = 5\ntoken_budget = 700\n[index]\njobs = 3\n"
    environ = {"REVIEWBOT_LEDGER__LIMIT": "6", "REVIEWBOT_INDEX__JOBS": "4"}
    loaded = load(tmp_path, file=file, environ=environ, flags={"index.jobs": Flag("--jobs", 7)})
    assert loaded.settings.ledger.token_budget == 700
    assert loaded.settings.ledger.limit == 6
    assert loaded.settings.index.jobs == 7
    assert loaded.settings.output.color is ColorMode.AUTO
    assert loaded.origins["ledger.token_budget"] == Origin(OriginKind.FILE, str(tmp_path / "reviewbot.toml"))
    assert loaded.origins["ledger.limit"] == Origin(OriginKind.ENVIRONMENT, "REVIEWBOT_LEDGER__LIMIT")
    assert loaded.origins["index.jobs"] == Origin(OriginKind.FLAG, "--jobs")
    assert loaded.origins["output.color"] == Origin(OriginKind.DEFAULT)


def test_a_flag_that_was_not_given_changes_nothing(tmp_path: Path) -> None:
    loaded = load(tmp_path, file="[index]\njobs = 3\n", flags={"index.jobs": Flag("--jobs", None)})
    assert loaded.settings.index.jobs == 3
    assert loaded.origins["index.jobs"].kind is OriginKind.FILE


def test_an_empty_variable_counts_as_not_given(tmp_path: Path) -> None:
    loaded = load(tmp_path, environ={"REVIEWBOT_DOWNSTREAM__REVISION": "", "REVIEWBOT_LEDGER__LIMIT": ""})
    assert loaded.settings == load(tmp_path).settings
    assert set(loaded.origins.values()) == {Origin(OriginKind.DEFAULT)}


def test_a_revision_belongs_to_the_path_beside_it(tmp_path: Path) -> None:
    pair = '[downstream]\npath = "/old"\nrevision = "v1"\n'
    flag = {"downstream.path": Flag("--downstream", Path("/new"))}
    loaded = load(tmp_path, file=pair, flags=flag)
    assert loaded.settings.downstream.revision is None
    assert loaded.origins["downstream.revision"] == Origin(OriginKind.DEFAULT)
    assert load(tmp_path, file=pair).settings.downstream.revision == "v1"
    alone = load(tmp_path, file='[downstream]\nrevision = "v1"\n', flags=flag)
    assert alone.settings.downstream.revision == "v1", "no other path stands beside it"
    both = flag | {"downstream.revision": Flag("--downstream-rev", "v2")}
    assert load(tmp_path, file=pair, flags=both).settings.downstream.revision == "v2"


def test_every_key_has_an_origin_a_variable_and_a_description() -> None:
    keys = [key for key, _ in setting_fields()]
    assert set(words.SETTING_HELP) == set(keys)
    assert len({variable_of(key) for key in keys}) == len(keys)
    assert variable_of("ledger.token_budget") == "REVIEWBOT_LEDGER__TOKEN_BUDGET"


def test_sections_are_flat() -> None:
    for key, field in setting_fields():
        assert not (isinstance(field.annotation, type) and issubclass(field.annotation, Frozen)), key


def test_settings_are_frozen(tmp_path: Path) -> None:
    settings = load(tmp_path).settings
    with pytest.raises(ValidationError):
        settings.ledger.limit = 3  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Settings.model_validate({"ledgers": {}})


def test_places_a_file_is_looked_for(tmp_path: Path) -> None:
    user = tmp_path / "user-config" / "reviewbot" / "reviewbot.toml"
    assert search_places(tmp_path) == (tmp_path / "reviewbot.toml", user)
    assert load(tmp_path).file is None
    user.parent.mkdir(parents=True)
    user.write_text("[ledger]\nlimit = 8\n", encoding="utf-8")
    assert load(tmp_path).settings.ledger.limit == 8
    assert load(tmp_path, file="[index]\njobs = 1\n").settings.ledger.limit == 20, "files are not merged"
    named = tmp_path / "named.toml"
    named.write_text("[ledger]\nlimit = 9\n", encoding="utf-8")
    by_variable = load_settings(environ={"REVIEWBOT_CONFIG": "named.toml"}, cwd=tmp_path)
    assert (by_variable.file, by_variable.settings.ledger.limit) == (named, 9)
    by_flag = load_settings(config=user, environ={"REVIEWBOT_CONFIG": "named.toml"}, cwd=tmp_path)
    assert by_flag.settings.ledger.limit == 8


@pytest.mark.parametrize("by_flag", [True, False])
def test_a_named_file_has_to_exist(tmp_path: Path, by_flag: bool) -> None:
    environ = {} if by_flag else {"REVIEWBOT_CONFIG": "no.toml"}
    with pytest.raises(SettingsError) as caught:
        load_settings(config=Path("no.toml") if by_flag else None, environ=environ, cwd=tmp_path)
    assert str(tmp_path / "no.toml") in str(caught.value)
    assert ("--config" if by_flag else "REVIEWBOT_CONFIG") in str(caught.value)


def test_relative_paths_start_from_the_file_or_the_working_directory(tmp_path: Path) -> None:
    elsewhere = tmp_path / "etc"
    elsewhere.mkdir()
    file = elsewhere / "some.toml"
    file.write_text('[cache]\ndir = "cache"\n[store]\nurl = "sqlite:///data/a.db"\n', encoding="utf-8")
    environ = {"REVIEWBOT_DOWNSTREAM__PATH": "npu"}
    flags = {"upstream.clone": Flag("--upstream", Path("pytorch"))}
    settings = load_settings(config=file, environ=environ, flags=flags, cwd=tmp_path).settings
    assert settings.cache.dir == elsewhere / "cache"
    assert settings.store.url == f"sqlite:///{elsewhere}/data/a.db"
    assert settings.downstream.path == tmp_path / "npu"
    assert settings.upstream.clone == tmp_path / "pytorch"


def test_the_working_directory_is_a_path(tmp_path: Path) -> None:
    settings = load(tmp_path, flags={"downstream.path": Flag("--downstream", Path())}).settings
    assert settings.downstream.path == tmp_path


def test_home_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    settings = load(tmp_path, file='[cache]\ndir = "~/c"\n[store]\nurl = "sqlite:///~/r.db"\n').settings
    assert settings.cache.dir == tmp_path / "home" / "c"
    assert settings.store.url == f"sqlite:///{tmp_path}/home/r.db"


def test_a_byte_order_mark_in_the_file_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "reviewbot.toml").write_bytes(b"\xef\xbb\xbf[ledger]\nlimit = 4\n")
    assert load(tmp_path).settings.ledger.limit == 4


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ('[ledger]\nlimit = "20"\n', "ledger.limit", "整数"),
        ("[ledger]\nlimit = true\n", "ledger.limit", "整数"),
        ("[ledger]\nlimit = 2.5\n", "ledger.limit", "整数"),
        ("[ledger]\nlimit = 2026-01-01\n", "ledger.limit", "日期"),
        ("[ledger]\nlimit = 0\n", "ledger.limit", "不能小于 1"),
        ("[ledger]\nlimit = 5000\n", "ledger.limit", "不能大于 1000"),
        ("[index]\njobs = [1]\n", "index.jobs", "整数"),
        ("[cache]\ndir = 3\n", "cache.dir", "字符串"),
        ('[cache]\ndir = ""\n', "cache.dir", "不能为空"),
        ('[downstream]\nrevision = ""\n', "downstream.revision", "不能少于 1 个字符"),
        ('[output]\ncolor = "blue"\n', "output.color", "auto、always、never"),
    ],
)
def test_a_wrong_value_in_the_file(tmp_path: Path, text: str, key: str, expected: str) -> None:
    (sentence,) = sentences(tmp_path, text)
    assert key in sentence
    assert expected in sentence
    assert str(tmp_path / "reviewbot.toml") in sentence
    assert sentence.endswith("。")


def test_a_wrong_value_in_the_environment_names_the_variable(tmp_path: Path) -> None:
    (sentence,) = sentences(tmp_path, environ={"REVIEWBOT_LEDGER__LIMIT": "many"})
    assert sentence == '环境变量 REVIEWBOT_LEDGER__LIMIT（ledger.limit）应为整数，现在是 "many"。'


def test_a_wrong_value_of_a_flag_names_the_option(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, flags={"ledger.limit": Flag("--limit", 0)})
    assert str(caught.value) == "选项 --limit 不能小于 1，现在是 0。"


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("[ledger]\nlimits = 3\n", "ledger.limit"),
        ("[ledgers]\nlimit = 3\n", "ledger.limit"),
        ("token_budget = 3\n", "ledger.token_budget"),
        ("limit = 3\n", "ledger.limit"),
        ("[downstrem]\n", "downstream.path"),
        ('ledger = "x"\n', None),
    ],
)
def test_an_unknown_key_in_the_file(tmp_path: Path, text: str, nearest: str | None) -> None:
    (sentence,) = sentences(tmp_path, text)
    assert f"是否想写 {nearest}？" in sentence if nearest else "配置文件" in sentence
    assert str(tmp_path / "reviewbot.toml") in sentence


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("REVIEWBOT_CACHE_DIR", "REVIEWBOT_CACHE__DIR"),
        ("REVIEWBOT_LEDGER__LIMITS", "REVIEWBOT_LEDGER__LIMIT"),
        ("REVIEWBOT_CONFG", "REVIEWBOT_CONFIG"),
        ("REVIEWBOT_ZZZZZZZZZZZZ__Q", None),
    ],
)
def test_an_unknown_variable(tmp_path: Path, variable: str, nearest: str | None) -> None:
    (sentence,) = sentences(tmp_path, environ={variable: "1"})
    assert variable in sentence
    assert (f"是否想写 {nearest}？" if nearest else "config show") in sentence


def test_variables_of_a_kubernetes_service_called_reviewbot_are_left_alone(tmp_path: Path) -> None:
    environ = dict.fromkeys(
        (
            "REVIEWBOT_SERVICE_HOST",
            "REVIEWBOT_SERVICE_PORT",
            "REVIEWBOT_SERVICE_PORT_HTTP",
            "REVIEWBOT_PORT",
            "REVIEWBOT_PORT_8000_TCP",
            "REVIEWBOT_PORT_8000_TCP_PROTO",
            "REVIEWBOT_PORT_8000_TCP_PORT",
            "REVIEWBOT_PORT_8000_TCP_ADDR",
        ),
        "tcp://10.0.0.1:8000",
    )
    assert load(tmp_path, environ=environ).settings == load(tmp_path).settings


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    found = sentences(tmp_path, '[ledger]\nlimit = "x"\nlimits = 1\n', {"REVIEWBOT_INDEX__JOBS": "-1"})
    assert len(found) == 3
    assert all(re.search(r"[。？]$", sentence) for sentence in found)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"[ledger\nlimit = 3\n", "第 1 行"),
        (b"[ledger]\nlimit = \n", "第 2 行"),
        (b'[ledger]\nlimit = """', "TOML"),
        (b"# \xff\xfe\n", "UTF-8"),
        (b"[ledger]\nlimit = 1\nlimit = 2\n", "TOML"),
    ],
)
def test_a_file_that_is_not_toml(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "reviewbot.toml").write_bytes(content)
    (sentence,) = sentences(tmp_path)
    assert expected in sentence
    assert str(tmp_path / "reviewbot.toml") in sentence


# --- values -----------------------------------------------------------------------------------------------------------


class Sample(Frozen):
    """Kinds of keys that later parts bring."""

    names: tuple[str, ...] = ()
    prices: dict[str, float] = Field(default_factory=dict)
    on: bool = False
    secret: SecretStr = SecretStr("")
    number: SecretStr | None = Field(default=None, min_length=8)
    url: Annotated[str, DatabaseUrl()] = ""


def field(name: str) -> FieldInfo:
    return Sample.model_fields[name]


def test_lists_and_tables_in_every_source(tmp_path: Path) -> None:
    assert read_toml(field("names"), ["a", "b"], tmp_path) == ("a", "b")
    assert read_text(field("names"), '["a", "b"]', tmp_path) == ("a", "b")
    assert read_typed(field("names"), ("a",), tmp_path) == ("a",)
    assert read_text(field("prices"), '{"in": 1.5}', tmp_path) == {"in": 1.5}
    assert read_text(field("on"), "true", tmp_path) is True
    refused = read_text(field("names"), "a,b", tmp_path)
    assert isinstance(refused, Refusal)
    assert refused.expected == "应为列表"


@pytest.mark.parametrize("name", ["secret", "number", "url"])
def test_a_refusal_never_quotes_a_secret(tmp_path: Path, name: str) -> None:
    refused = read_toml(field(name), ["hunter2"], tmp_path)
    assert isinstance(refused, Refusal)
    assert refused.shown == MASK


def test_a_long_value_is_quoted_in_part(tmp_path: Path) -> None:
    refused = read_text(field("on"), "x" * 500, tmp_path)
    assert isinstance(refused, Refusal)
    assert len(refused.shown) < 80


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("postgresql://bot:hunter2@db/reviews", f"postgresql://bot:{MASK}@db/reviews"),
        ("postgresql://bot:hunter@2@db/reviews", f"postgresql://bot:{MASK}@db/reviews"),
        ("postgresql://db/reviews?user=bot&password=hunter2", f"postgresql://db/reviews?user=bot&password={MASK}"),
        ("postgresql://bot@db/reviews", "postgresql://bot@db/reviews"),
        ("sqlite:////var/lib/a@b:c/x.db", "sqlite:////var/lib/a@b:c/x.db"),
        ("postgresql://bot:hunter2@[db/reviews", MASK),
    ],
)
def test_passwords_in_urls_are_masked(url: str, masked: str) -> None:
    assert mask_password(url) == masked


def test_what_config_show_may_print(tmp_path: Path) -> None:
    settings = load(tmp_path, environ={"REVIEWBOT_STORE__URL": "postgresql://bot:hunter2@db/x"}).settings
    assert value_of(settings, "store.url") == "postgresql://bot:hunter2@db/x"
    assert shown_value(settings, "store.url") == f"postgresql://bot:{MASK}@db/x"
    assert shown_value(settings, "downstream.path") is None
    assert shown_value(settings, "ledger.limit") == 20
    assert shown_value(settings, "output.color") == "auto"
    assert isinstance(shown_value(settings, "cache.dir"), str)
