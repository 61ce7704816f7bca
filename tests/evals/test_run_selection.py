"""Splits are batches; samples depend on ids and seed alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.records import LabelledRecord
from evals.run import words
from evals.run.errors import SelectionError
from evals.run.selection import load_splits, of_split, sample
from tests.support.labelled import labelled

RECORDS = (
    labelled("r001", 1, batch="b00"),
    labelled("r002", 2, batch="b01"),
    labelled("r003", 3, batch="b02"),
    labelled("r004", 4, batch="b00", quality="absent"),
)
SPLITS = {"design": frozenset({"b00"}), "later": frozenset({"b02"})}


def reconstructed(record: LabelledRecord) -> bool:
    return record.usable


def splits_file(folder: Path, text: str) -> Path:
    path = folder / "splits.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("all", ["r001", "r002", "r003", "r004"]),
        ("usable", ["r001", "r002", "r003"]),
        ("design", ["r001"]),
        ("unread", ["r002"]),
    ],
)
def test_a_split_is_made_of_batches(split: str, expected: list[str]) -> None:
    assert [record.id for record in of_split(RECORDS, split, SPLITS, reconstructed)] == expected


def test_a_fetched_pull_request_lets_a_record_in() -> None:
    assert [record.id for record in of_split(RECORDS, "design", SPLITS, lambda _: True)] == ["r001", "r004"]


def test_an_unknown_split_names_those_there_are() -> None:
    with pytest.raises(SelectionError, match="all、usable、design、later、unread"):
        of_split(RECORDS, "desing", SPLITS, reconstructed)


def test_an_empty_split_is_an_error() -> None:
    with pytest.raises(SelectionError) as caught:
        of_split(RECORDS, "other", {"other": frozenset({"b09"})}, reconstructed)
    assert str(caught.value) == words.empty_split("other")


def test_a_splits_file_is_read(tmp_path: Path) -> None:
    path = splits_file(tmp_path, '[design]\nbatches = ["b00", "b03"]\n')
    assert load_splits(path) == {"design": frozenset({"b00", "b03"})}


@pytest.mark.parametrize("text", ["[design]\n", "[design]\nbatches = [1]\n", '[all]\nbatches = ["b00"]\n', "design ="])
def test_a_bad_splits_file_is_one_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(SelectionError, match=r"splits\.toml"):
        load_splits(splits_file(tmp_path, text))


def test_a_sample_is_the_same_for_any_order_of_the_file() -> None:
    drawn = sample(RECORDS, 2, seed=3)
    assert len(drawn) == 2
    assert set(sample(RECORDS[::-1], 2, seed=3)) == set(drawn)
    assert [record.id for record in drawn] == sorted(record.id for record in drawn)
    assert len({tuple(sample(RECORDS, 2, seed)) for seed in range(20)}) > 1


def test_a_sample_is_no_more_than_there_is() -> None:
    assert sample(RECORDS, 9, 0) == RECORDS
    assert sample(RECORDS, None, 0) == RECORDS
