"""What ``python -m evals.tune`` prints and writes, from couplings made by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evals.errors import EvalsError, WeightsError
from evals.ranking import numbers, shipped_table
from evals.real_data import RealData
from evals.recall import Ratio
from evals.tune import __main__ as command
from evals.tune import words
from evals.tune.examples import Example
from evals.tune.report import interval
from evals.tune.weights_file import by_hand, rewritten
from retrieval.models import EvidenceKind
from tests.evals.test_tune_fitting import CALL, IMPORT, START, cited_imports, weight_of
from tests.support.coupled import measured


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table to start from, and three batches that want imports to weigh more; one more record cites nothing."""
    _measure(monkeypatch, cited_imports("b1", "b2", "b3"))
    path = tmp_path / "table.toml"
    path.write_text(rewritten(shipped_table(), START).replace("by hand", "once"), encoding="utf-8")
    return path


def _measure(monkeypatch: pytest.MonkeyPatch, examples: list[Example]) -> None:
    made = [
        measured(*one.found.couplings, expected=set(one.expected), ident=one.id, batch=one.batch) for one in examples
    ]
    made.append(measured(expected=set(), ident="r999", batch="b4"))
    monkeypatch.setattr(RealData, "prepare", lambda *_: False)
    monkeypatch.setattr(command, "measure_all", lambda *_: (made, 1.5))


def test_figures_are_those_of_records_the_weights_did_not_see(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(table=table)
    printed = capsys.readouterr()
    # A title that is longer than its table is broken over lines.
    assert "".join(words.recall_title(3, 3).split()) in "".join(printed.out.split())
    assert re.search(r"20 .*1\.000 \(3/3\) .*0\.000 \(0/3\) ", printed.out)
    assert words.ONLY_HELD_OUT in printed.out
    assert words.plan(62) in printed.err


def test_json_has_figures_weights_and_folds(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(table=table, as_json=True)
    document = json.loads(capsys.readouterr().out)
    row = document["leave_one_batch_out"][2]
    assert row["scope"] == {"value": 1.0, "hits": 3, "total": 3, "interval": None}, "three records tell no spread"
    assert document["by_hand"][2]["scope"]["hits"] == 0
    moved = {one["name"]: one["folds_grew"] - one["folds_shrank"] for one in document["weights"]}
    assert moved[weight_of(IMPORT)] == 3 or moved[weight_of(CALL)] == -3
    assert [fold["records"] for fold in document["folds"]] == [["r000"], ["r001"], ["r002"]]


def test_the_fitted_table_can_be_written_and_tuned_again(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second run from the fitted table starts from the hand-set values: it says the same."""
    fitted = table.with_name("fitted.toml")
    command.main(table=table, write=fitted)
    first = capsys.readouterr()
    assert words.written(str(fitted)) in first.err
    text = fitted.read_text(encoding="utf-8")
    assert by_hand(text, "fitted") == START
    assert numbers(text)[weight_of(IMPORT)] > numbers(text)[weight_of(CALL)]
    command.main(table=fitted)
    assert capsys.readouterr().out == first.out


def test_one_batch_cannot_be_left_out(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for examples in (cited_imports("b1", "b1"), []):
        _measure(monkeypatch, examples)
        with pytest.raises(EvalsError, match=words.TOO_FEW_BATCHES):
            command.main(table=table)


def test_tables_that_cannot_be_read_or_written_are_named(table: Path) -> None:
    with pytest.raises(WeightsError, match=r"absent\.toml"):
        command.main(table=table.with_name("absent.toml"))
    with pytest.raises(WeightsError, match=f"nowhere.*{words.NO_SUCH_FOLDER}"):
        command.main(table=table, write=table.parent / "nowhere" / "w.toml")
    with pytest.raises(WeightsError, match=str(table.parent)):
        command.main(table=table, write=table.parent)


def test_nothing_in_the_parameters_could_name_a_record() -> None:
    """Every number of the shipped table is named by lower-case words of ours: kinds, relations, settings."""
    kinds = {str(kind) for kind in EvidenceKind}
    names = list(numbers(shipped_table()))
    assert any(kinds.intersection(name.split(".")) for name in names)
    assert not [name for name in names if not re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", name)]


def test_an_interval_draws_records_whole_and_is_the_same_each_time() -> None:
    rows = [Ratio(hits, 4) for hits in (0, 1, 2, 3, 4, 2, 1, 3)]
    between = interval(rows)
    assert between is not None
    assert between == interval(rows)
    assert between[0] < 0.5 < between[1]
    many = interval([Ratio(10 * row.hits, 40) for row in rows])
    assert many == between, "ten places of one record tell no more than the record"


def test_records_that_tell_nothing_have_no_interval() -> None:
    assert interval([Ratio(0, 0)]) is None
    assert interval([Ratio(1, 2)] * 8) is None, "no draw moves it"
