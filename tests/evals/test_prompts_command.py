"""``python -m evals.prompts`` on trees of a few lines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer

from evals.errors import EvalsError
from evals.prompts import driving, words
from evals.prompts.__main__ import app
from evals.prompts.command import prompts
from evals.real_data import RealData
from evals.records import record_line
from reviewbot.cli import runner
from tests.evals.run_scene import Scene


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(RealData, "prepare", lambda *_: False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVIEWBOT_CACHE__DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    return Scene(tmp_path).lay()


def run(scene: Scene, *arguments: str) -> int:
    given = ["--data", str(scene.root / "real"), "--records", str(scene.records_file), *arguments]
    return runner.run(typer.main.get_command(app), given, program="python -m evals.prompts")


def test_figures_of_the_usable_records(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(scene) == 0
    printed = capsys.readouterr().out
    assert "3 条可用的标注记录" in printed
    assert re.search(rf"(?m)^{words.TOKENS_MEDIAN} +[\d,]+ +≤ 8,000 +✓$", printed)
    assert re.search(rf"(?m)^{words.FILES} +1\.000（(\d+)/\1） +≥ 1 +✓$", printed)


def test_the_document(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(scene, "--json") == 0
    shape = json.loads(capsys.readouterr().out)
    assert [one["record"] for one in shape["records"]] == ["r001", "r002", "r003"]
    assert shape["prompts"] == 3
    assert shape["files"]["value"] == 1.0
    assert shape["exact_tokens"] is False
    assert shape["decided"]["total"] == 3
    assert set(shape["targets"]) == {"tokens_median", "places", "cited_in_prompt", "files"}


def test_past_records_can_be_left_out(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "labelled_precedents", lambda *_: pytest.fail("asked for past records"))
    assert run(scene, "--no-past") == 0


def test_no_record_with_a_diff(scene: Scene) -> None:
    scene.records_file.write_text(record_line(scene.records[-1]) + "\n", encoding="utf-8")
    with pytest.raises(EvalsError):
        prompts(data=scene.root / "real", records=scene.records_file)
