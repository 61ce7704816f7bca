"""``reviewbot config`` and ``reviewbot doctor``."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from reviewbot import words
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.settings import setting_fields
from reviewbot.store import open_store
from tests.reviewbot.cli_runs import CommandLine
from tests.reviewbot.conftest import Mill


def test_each_value_with_its_origin(cli: CommandLine) -> None:
    (cli.folder / "reviewbot.toml").write_text('[ledger]\nlimit = 7\n[downstream]\npath = "npu"\n', encoding="utf-8")
    cli.set("REVIEWBOT_OUTPUT__COLOR", "never")
    cli.set("REVIEWBOT_STORE__URL", "postgresql://bot:hunter2@db/reviews")
    text = cli("config", "show").out
    file = cli.folder / "reviewbot.toml"
    assert re.search(rf"(?m)^ledger\.limit +7 +文件 {re.escape(str(file))} 的 ledger\.limit$", text)
    assert re.search(rf"(?m)^downstream\.path +{re.escape(str(cli.folder / 'npu'))} +文件", text)
    assert re.search(r"(?m)^output\.color +never +环境变量 REVIEWBOT_OUTPUT__COLOR$", text)
    assert re.search(r"(?m)^ledger\.token_budget +6000 +默认值$", text)
    assert re.search(r"(?m)^upstream\.clone +未设置 +默认值$", text)
    assert "hunter2" not in text
    assert re.search(r"(?m)^ledger\.limit +3 +选项 --limit$", cli("config", "show", "--limit", "3").out)
    shown = cli("config", "show", "--json").json
    assert shown["file"] == str(file)
    assert set(shown["settings"]) == {key for key, _ in setting_fields()}
    assert shown["settings"]["ledger.limit"] == {
        "value": 7,
        "origin": "file",
        "from": str(file),
        "variable": "REVIEWBOT_LEDGER__LIMIT",
        "help": words.SETTING_HELP["ledger.limit"],
    }
    assert shown["settings"]["store.url"]["value"] == "postgresql://bot:******@db/reviews"


def test_wrong_settings_are_told_one_by_one(cli: CommandLine) -> None:
    (cli.folder / "reviewbot.toml").write_text('[ledger]\nlimit = "x"\nlimits = 3\n', encoding="utf-8")
    outcome = cli("config", "show")
    assert outcome.code == ExitCode.SETTINGS
    assert len(outcome.err.splitlines()) == 2
    assert "ledger.limit" in outcome.err


def test_the_file_in_use(cli: CommandLine) -> None:
    assert "config init" in cli("config", "path").out
    searched = [str(cli.folder / "reviewbot.toml"), str(cli.folder / "config" / "reviewbot" / "reviewbot.toml")]
    assert cli("config", "path", "--json").json == {"file": None, "searched": searched}
    (cli.folder / "reviewbot.toml").touch()
    assert cli("config", "path").out == f"{searched[0]}\n"
    assert cli("config", "path", "--config", "reviewbot.toml", "--json").json["file"] == searched[0]


def test_a_file_to_start_from(cli: CommandLine) -> None:
    assert cli("config", "init").code == 0
    file = cli.folder / "reviewbot.toml"
    text = file.read_text(encoding="utf-8")
    before = cli("config", "show", "--json").json["settings"]
    assert {value["origin"] for value in before.values()} == {"environment", "default"}, "all of it is commented out"
    keys = [f"{section}.{key}" for section, table in tomllib.loads(uncommented(text)).items() for key in table]
    assert keys == [key for key, _ in setting_fields()]
    file.write_text(uncommented(text), encoding="utf-8")
    after = cli("config", "show", "--json").json["settings"]
    assert {value["origin"] for value in after.values()} == {"file", "environment"}
    assert all(after[key]["value"] == before[key]["value"] for key in before if before[key]["value"] is not None)


def uncommented(text: str) -> str:
    return re.sub(r"(?m)^#(?=\w)", "", text)


def test_a_file_that_exists_is_kept(cli: CommandLine) -> None:
    (cli.folder / "mine.toml").write_text("# mine\n", encoding="utf-8")
    code, sentence = cli.fails("config", "init", "mine.toml")
    assert code == ExitCode.INPUT
    assert "--force" in sentence
    assert (cli.folder / "mine.toml").read_text(encoding="utf-8") == "# mine\n"
    assert cli("config", "init", "mine.toml", "--force").code == 0
    assert "[ledger]" in (cli.folder / "mine.toml").read_text(encoding="utf-8")
    assert cli.fails("config", "init", "absent/mine.toml")[0] == ExitCode.INPUT


# --- doctor -----------------------------------------------------------------------------------------------------------


def states(cli: CommandLine, *arguments: str | Path) -> dict[str, str]:
    outcome = cli("doctor", "--json", *arguments)
    found = {check["name"]: check["state"] for check in outcome.json["checks"]}
    assert outcome.json["ok"] is ("failed" not in found.values())
    assert outcome.code == (ExitCode.OK if outcome.json["ok"] else ExitCode.UNMET)
    for check in outcome.json["checks"]:
        assert check["found"]
        assert bool(check["remedy"]) is (check["state"] != "ok"), check
    return found


def test_a_new_machine_is_told_what_is_optional(cli: CommandLine) -> None:
    found = states(cli)
    assert {name for name, state in found.items() if state == "notice"} == {"downstream", "upstream"}
    assert "failed" not in found.values()
    assert set(found) <= set(words.CHECK_TITLES)
    assert list(cli.folder.iterdir()) == [], "looking creates nothing"
    lines = cli("doctor").out.splitlines()
    assert len(lines) == len(found) + 2
    assert lines[-1] == "一切就绪。"


def test_everything_in_place(cli: CommandLine, mill: Mill) -> None:
    cli.set("REVIEWBOT_UPSTREAM__CLONE", str(mill.upstream.path))
    open_store(f"sqlite:///{cli.folder}/share/reviewbot/reviewbot.db").close()
    (cli.folder / "cache" / "reviewbot").mkdir(parents=True)
    (cli.folder / "cache" / "reviewbot" / "facts").write_bytes(b"x" * 2048)
    assert set(states(cli, "--downstream", mill.downstream.path).values()) == {"ok"}
    text = cli("doctor", "--downstream", mill.downstream.path).out
    assert mill.downstream_head in text
    assert "2.0 KB" in text
    assert "结构为最新" in text


def test_what_is_missing_is_named_with_its_remedy(cli: CommandLine, mill: Mill) -> None:
    cli.set("REVIEWBOT_UPSTREAM__CLONE", str(cli.folder / "absent"))
    cli.set("REVIEWBOT_STORE__URL", f"sqlite:///{cli.folder}/notes.db")
    (cli.folder / "notes.db").write_bytes(b"notes" * 1000)
    (cli.folder / "file").touch()
    cli.set("REVIEWBOT_CACHE__DIR", str(cli.folder / "file" / "cache"))
    found = states(cli, "--downstream", mill.downstream.path, "--downstream-rev", "nowhere")
    failed = {name for name, state in found.items() if state == "failed"}
    assert failed == {"downstream", "upstream", "cache", "store"}
    text = cli("doctor").out
    assert text.splitlines()[-1].startswith("3 项未通过")


def test_a_tree_that_is_something_else(cli: CommandLine, mill: Mill) -> None:
    assert states(cli, "--downstream", mill.upstream.path)["downstream"] == "notice"
    cli.set("REVIEWBOT_UPSTREAM__BASE_DIR", str(mill.downstream.path))
    found = states(cli)
    assert found["upstream.base_dir"] == "notice"
    assert found["upstream.head_dir"] == "notice"


def test_without_git(cli: CommandLine) -> None:
    cli.set("PATH", str(cli.folder))
    assert states(cli)["git"] == "failed"


@pytest.mark.parametrize(
    ("version", "state"), [("git version 2.17.1", "failed"), ("git version 2.30.0", "ok"), ("nonsense", "failed")]
)
def test_the_version_of_git(cli: CommandLine, version: str, state: str) -> None:
    program = cli.folder / "git"
    program.write_text(f"#!/bin/sh\necho '{version}'\n", encoding="utf-8")
    program.chmod(0o755)
    cli.set("PATH", f"{cli.folder}:/usr/bin:/bin")
    assert states(cli)["git"] == state


def test_a_git_that_does_not_run(cli: CommandLine) -> None:
    program = cli.folder / "git"
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    cli.set("PATH", f"{cli.folder}:/usr/bin:/bin")
    assert states(cli)["git"] == "failed"


def test_wrong_settings_do_not_stop_the_doctor(cli: CommandLine) -> None:
    (cli.folder / "reviewbot.toml").write_text("[ledger]\nlimits = 3\n", encoding="utf-8")
    found = states(cli)
    assert found["settings"] == "failed"
    assert found["git"] == "ok"
    assert "是否想写 ledger.limit？" in cli("doctor").out
