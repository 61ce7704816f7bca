from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evals.errors import RecordsError
from evals.records import Quality, RecordRevisions, Source, batch_order, load_records, record_line, usable_records


def record(**changes: Any) -> dict[str, Any]:
    """A whole record of version 1 about invented code, with top-level keys replaced."""
    return {
        "id": "r001",
        "upstream_pr": 7,
        "pr_confidence": "high",
        "upstream_date": "2026-01-31",
        "batch": "b00",
        "title": "Turn the gears",
        "reverted": False,
        "labels": {
            "verdict": "Check",
            "risk": "low",
            "needs_adaptation": "否",
            "needs_cann": None,
            "npu_affected": "否",
            "compile_stage": None,
        },
        "change": {
            "quality": "clean",
            "files": [{"path": "torch/gears.py", "hunks": [{"old": [3, 4], "new": [3, 6]}], "scopes": ["turn"]}],
            "other_paths": [],
        },
        "evidence": {
            "snapshot": "0123abcd",
            "cited": 2,
            "verified": 1,
            "items": [{"path": "npu/gears.py", "scope": "<module>", "lines": [1, 9], "token": "turn"}],
        },
    } | changes


def written(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "records.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path


def test_the_shipped_records_are_those_the_scores_name() -> None:
    records = load_records()
    assert len(records) == 81
    by_quality = {quality: sum(one.change.quality is quality for one in records) for quality in Quality}
    assert by_quality == {Quality.CLEAN: 31, Quality.NOISY: 31, Quality.ABSENT: 19}
    assert len(usable_records(records)) == 62


def test_the_shipped_records_hold_facts_and_no_sentences() -> None:
    labels = {"是", "否", "待确认"}
    text = (Path(__file__).parents[2] / "evals" / "records" / "dev.jsonl").read_text(encoding="utf-8")

    def strings(value: object) -> list[str]:
        if isinstance(value, dict):
            return [text for part in value.values() for text in strings(part)]
        if isinstance(value, list):
            return [text for part in value for text in strings(part)]
        return [value] if isinstance(value, str) else []

    for line in text.splitlines():
        chinese = {found for found in strings(json.loads(line)) if any("\u4e00" <= sign <= "\u9fff" for sign in found)}
        assert chinese <= labels


def test_the_shipped_records_carry_no_texts_of_the_team() -> None:
    for one in load_records():
        assert (one.summary, one.analysis, one.cann_note, one.analyst) == (None, None, None, None)
        assert None not in one.revisions.model_dump().values()


def test_the_shipped_file_is_as_this_version_writes_it() -> None:
    text = (Path(__file__).parents[2] / "evals" / "records" / "dev.jsonl").read_text(encoding="utf-8")
    assert text == "".join(f"{record_line(one)}\n" for one in load_records())


def test_a_line_without_a_version_is_of_the_first_and_upgraded(tmp_path: Path) -> None:
    (one,) = load_records(written(tmp_path, record()))
    assert one.format == 2
    assert one.revisions == RecordRevisions(downstream="0123abcd")
    assert (one.analyst, one.source, one.summary, one.analysis) == (None, Source.TABLE, None, None)
    assert load_records(written(tmp_path, record(schema=1))) == (one,)
    assert load_records(written(tmp_path, json.loads(record_line(one)))) == (one,)


def test_a_line_of_this_version_says_what_the_first_could_not(tmp_path: Path) -> None:
    revisions = {"upstream_base": "v1", "upstream_head": "v2", "downstream": None}
    told = {"analyst": "Li", "source": "correction", "summary": "转。", "analysis": "转动。", "cann_note": None}
    (one,) = load_records(written(tmp_path, record(schema=2, id="pr7-2", revisions=revisions, **told)))
    assert one.revisions == RecordRevisions(upstream_base="v1", upstream_head="v2")
    assert (one.analyst, one.source, one.summary) == ("Li", Source.CORRECTION, "转。")


@pytest.mark.parametrize("schema", [3, 99])
def test_a_newer_line_is_refused_with_what_to_do(tmp_path: Path, schema: int) -> None:
    path = written(tmp_path, record(), record(id="r002", schema=schema, hologram=True))
    with pytest.raises(RecordsError, match="升级") as caught:
        load_records(path)
    assert (caught.value.line, caught.value.key) == (2, "schema")


def test_batches_are_numbered_as_they_first_appear(tmp_path: Path) -> None:
    lines = [record(id=f"r{number}", batch=batch) for number, batch in enumerate("babca")]
    assert batch_order(load_records(written(tmp_path, *lines))) == {"b": 0, "a": 1, "c": 2}


def test_a_record_reads_back(tmp_path: Path) -> None:
    (one,) = load_records(written(tmp_path, record()))
    assert one.usable
    assert one.change.files[0].hunks[0].new == (3, 6)
    assert one.evidence.items[0].lines == (1, 9)


FALLING_LINES = {"path": "npu/gears.py", "scope": "turn", "lines": [2, 1], "token": "turn"}


@pytest.mark.parametrize(
    ("broken", "key"),
    [
        (record(surprise=1), "surprise"),
        (record(schema=0), "schema"),
        (record(schema="2"), "schema"),
        (record(schema=2, revisions={"upstream": "v1"}), "revisions.upstream"),
        ({key: value for key, value in record().items() if key != "batch"}, "batch"),
        (record(upstream_pr="7"), "upstream_pr"),
        (record(upstream_date="July"), "upstream_date"),
        (record(labels=record()["labels"] | {"verdict": "Maybe"}), "labels.verdict"),
        (record(change=record()["change"] | {"quality": "absent"}), "change"),
        (record(change={"quality": "clean", "files": [], "other_paths": ["../etc"]}), "change.other_paths.0"),
        (record(evidence=record()["evidence"] | {"items": [FALLING_LINES]}), "evidence.items.0.lines"),
    ],
)
def test_an_error_names_file_line_and_key(tmp_path: Path, broken: dict[str, Any], key: str) -> None:
    path = written(tmp_path, record(), broken | {"id": "r002"})
    with pytest.raises(RecordsError) as caught:
        load_records(path)
    assert (caught.value.source, caught.value.line, caught.value.key) == (str(path), 2, key)
    assert f"{path}:2" in str(caught.value)


def test_hunks_must_rise(tmp_path: Path) -> None:
    hunks = [{"old": [5, 6], "new": [5, 6]}, {"old": [6, 7], "new": [7, 8]}]
    change = {"quality": "clean", "files": [{"path": "a.py", "hunks": hunks, "scopes": []}], "other_paths": []}
    with pytest.raises(RecordsError, match=r"change\.files\.0"):
        load_records(written(tmp_path, record(change=change)))


@pytest.mark.parametrize("name", ["", "../r1", "a b", ".hidden", "x" * 65])
def test_an_id_can_name_a_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordsError) as caught:
        load_records(written(tmp_path, record(id=name)))
    assert caught.value.key == "id"


def test_an_id_may_stand_once(tmp_path: Path) -> None:
    with pytest.raises(RecordsError) as caught:
        load_records(written(tmp_path, record(), record()))
    assert caught.value.line == 2


@pytest.mark.parametrize("content", [b"\xff\xfe", b"{not json}\n"])
def test_what_is_no_record_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "records.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordsError):
        load_records(path)


def test_an_absent_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordsError):
        load_records(tmp_path / "none.jsonl")


def test_the_documentation_lists_every_key_once() -> None:
    text = (Path(__file__).parents[2] / "docs" / "dataset.md").read_text(encoding="utf-8")
    table = text.partition("| 键 | 含义 |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(json.loads(record_line(load_records()[0])))
