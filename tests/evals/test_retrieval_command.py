"""What ``python -m evals.retrieval`` prints, from ledgers made by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from evals import retrieval, words
from evals.errors import EvalsError
from evals.measuring import Measured
from evals.real_data import RealData
from evals.recall import Place, RankedRecord
from retrieval.models import EvidenceKind

FOUND = Place("npu/a.py", "f")
MISSED = Place("npu/b.py", "Gear.turn")


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two records: one of two places found at the first rank, and one record that cites nothing."""
    made = [
        Measured(RankedRecord("r001", frozenset({FOUND, MISSED}), (FOUND,)), _kinds(patch=1), 100, 2.0, 4.0),
        Measured(RankedRecord("r002", frozenset(), ()), _kinds(), 300, 4.0, 6.0),
    ]
    monkeypatch.setattr(RealData, "prepare", lambda *_: False)
    monkeypatch.setattr(retrieval, "_measure", lambda *_: (made, 1.5))


def _kinds(**counts: int) -> Counter[EvidenceKind]:
    return Counter({EvidenceKind(kind): count for kind, count in counts.items()})


def test_every_figure_stands_beside_its_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    retrieval.main(data=tmp_path)
    printed = capsys.readouterr().out
    assert re.search(r"20 .*0\.500 \(1/2\).*0\.500 \(1/2\).*0\.500 \(1/2\).*0\.500 \(1\)", printed)
    assert words.retrieval_costs(2, 1.5, 3.0, 5.0, 200, 300) in printed
    assert MISSED.path not in printed


def test_misses_and_kinds_are_listed_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    retrieval.main(data=tmp_path, misses=True, kinds=True)
    printed = capsys.readouterr().out
    assert words.missed_place("r001", *MISSED) in printed
    assert words.kind_counts({"patch": 1}) in printed


def test_json_holds_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    retrieval.main(data=tmp_path, as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert [row["k"] for row in document["recall"]] == [5, 10, 20, 50]
    assert document["recall"][0]["scope"] == {"value": 0.5, "hits": 1, "total": 2}
    assert document["recall"][0]["macro"] == {"value": 0.5, "records": 1}
    assert document["records"][0]["missed"] == [{"path": MISSED.path, "scope": MISSED.scope}]
    assert document["kinds"] == {"patch": 1}


def test_no_usable_record_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with pytest.raises(EvalsError):
        retrieval._measure(RealData(tmp_path), [])
