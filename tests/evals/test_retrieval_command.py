"""What ``python -m evals.retrieval`` prints, from records measured by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from evals.change_names import ChangeName, NameSource
from evals.errors import EvalsError
from evals.measuring import measure_all
from evals.real_data import RealData
from evals.recall import Place, RankedRecord
from evals.retrieval import __main__ as command
from evals.retrieval import words
from retrieval.models import EvidenceKind
from tests.support.coupled import coupling, measured, place

FOUND = place("f", "mill_npu/a.py")
MISSED = place("Gear.turn", "mill_npu/b.py")
SPIN = ChangeName("spin", NameSource.DEFINITION, 1)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two records: one of two places found at the first rank, the other writing a name; and one that cites nothing."""
    made = [
        measured(
            coupling("f", EvidenceKind.PATCH, path=FOUND.path),
            expected={FOUND, MISSED},
            found=(FOUND,),
            deep=RankedRecord("r001", frozenset({FOUND, MISSED}), (FOUND, MISSED)),
            kinds=Counter({EvidenceKind.PATCH: 1}),
            names=(SPIN,),
        ),
        measured(expected=set(), ident="r002", tokens=300, delta_ms=4.0, ledger_ms=6.0, cut_by_tokens=True),
    ]
    real = RealData(tmp_path)
    _lay(real, FOUND, "def f():\n    turn()\n")
    _lay(real, MISSED, "class Gear:\n    def turn(self):\n        return spin(self)\n")
    monkeypatch.setattr(RealData, "prepare", lambda *_: False)
    monkeypatch.setattr(command, "measure_all", lambda *_: (made, 1.5))
    return tmp_path


def _lay(real: RealData, at: Place, text: str) -> None:
    path = real.downstream / at.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_every_figure_stands_beside_its_counts(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(data=data)
    printed = capsys.readouterr().out
    assert re.search(r"20 .*0\.500 \(1/2\).*0\.500 \(1/2\).*0\.500 \(1/2\).*0\.500 \(1\)", printed)
    assert re.search(r"50 .*1\.000 \(2/2\)", printed)
    assert words.costs(2, 1.5, 3.0, 5.0) in printed
    assert words.tokens(20, 50, 200, 300, 1) in printed
    assert MISSED.path not in printed
    assert words.ORACLE_TITLE not in printed


def test_misses_are_listed_with_their_reasons(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(data=data, misses=True, kinds=True)
    printed = capsys.readouterr().out
    assert words.miss_counts({"name_not_coupled": 1}, 0) in printed
    told = [words.name_in_files("spin", 1), words.FILE_MISSED]
    assert words.missed_place("r001", *MISSED, words.REASONS["name_not_coupled"], told) in printed
    assert words.kind_counts({"patch": 1}) in printed


def test_the_oracle_stands_beside_recall(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two places one writes the name, and that is the one the ledger lacks."""
    command.main(data=data, oracle=True)
    printed = capsys.readouterr().out
    assert words.ORACLE_TITLE in printed
    row = next(line for line in printed.splitlines() if words.NAME_SETS["all"] in line)
    assert re.findall(r"\d\.\d+ \(\d/\d\)", row) == [
        "0.500 (1/2)",  # the oracle
        *["0.500 (1/2)"] * 3,
        "1.000 (2/2)",
        "1.000 (1/1)",
        "0.000 (0/1)",
    ]


def test_ablation_says_what_is_lost(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(data=data, ablation=True)
    printed = capsys.readouterr().out
    assert re.search(r"patch .* 1 .*0\.000 \(0/2\).* -1 .*0\.000 \(0/2\).* -1 ", printed)


def test_json_holds_the_same_figures(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(data=data, as_json=True, oracle=True, ablation=True, misses=True)
    document = json.loads(capsys.readouterr().out)
    assert [row["k"] for row in document["recall"]] == [5, 10, 20, 50]
    assert document["recall"][0]["scope"] == {"value": 0.5, "hits": 1, "total": 2}
    assert document["recall"][0]["macro"] == {"value": 0.5, "records": 1}
    assert document["records"][0]["missed"] == [{"path": MISSED.path, "scope": MISSED.scope}]
    assert document["kinds"] == {"patch": 1}
    assert document["oracle"][0]["oracle"] == {"value": 0.5, "hits": 1, "total": 2}
    assert [row["without"] for row in document["ablation"]] == [None, "patch", "same_symbol"]
    assert [(row["reason"], row["names"][0]["word"]) for row in document["misses"]] == [("name_not_coupled", "spin")]


def test_json_has_what_was_asked_for_only(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(data=data, as_json=True)
    assert {"oracle", "ablation", "misses"}.isdisjoint(json.loads(capsys.readouterr().out))


def test_fitted_weights_are_owned_up_to(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "shipped_table", lambda: "[patch]\nsame_symbol = 0.5  # by hand: 1.0\n")
    command.main(data=data)
    assert words.FITTED_WEIGHTS in capsys.readouterr().out


def test_no_usable_record_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EvalsError):
        measure_all(RealData(tmp_path), [])
