"""Comparing runs: paired, two-sided flips, exact p, one honest sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evals.compare import words
from evals.compare.command import compare as command
from evals.compare.comparison import compare
from evals.compare.models import Conclusion, Note
from evals.compare.paired import mcnemar
from evals.compare.view import sentence
from evals.records import LabelledRecord
from evals.run.loading import save_portable
from evals.run.models import Outcome, Run
from evals.scores.models import Method
from reviewbot.models import Labels
from tests.support.labelled import LABELS, labelled
from tests.support.runs import agreeing, answer, failed, run_of

CHECK = Labels.model_validate(LABELS)
TEST = Labels.model_validate(LABELS | {"verdict": "Test", "risk": "medium"})


def records_of(count: int = 48, batches: int = 12) -> list[LabelledRecord]:
    """Every other record needs work."""
    return [
        labelled(
            f"r{at:03}",
            at + 1,
            batch=f"b{at % batches:02}",
            verdict="Test" if at // batches % 2 else "Check",
            risk="medium" if at // batches % 2 else "low",
        )
        for at in range(count)
    ]


def saying(records: Sequence[LabelledRecord], labels: Labels, which: range) -> list[Outcome]:
    """People's labels, but ``labels`` at the given positions."""
    outcomes = agreeing(records)
    for at in which:
        outcomes[at] = Outcome(record=records[at].id, answer=answer(labels))
    return outcomes


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_sign_test(only_first: int, only_second: int) -> None:
    total = only_first + only_second
    expected = binomtest(only_first, total).pvalue if total else 1.0
    assert mcnemar(only_first, only_second) == pytest.approx(expected)


def test_a_run_does_not_differ_from_itself() -> None:
    records = records_of()
    run = run_of("a", saying(records, CHECK, range(20)))
    found = compare(run, run, records)
    assert found.conclusion is Conclusion.SAME
    assert not found.flips
    assert {row.value for row in found.rows} <= {0.0, None}
    assert not any(row.interval for row in found.rows), "no difference seen is not none for certain"


def test_a_few_batches_that_agree_do_not_convince() -> None:
    records = records_of(12, 3)
    found = compare(run_of("a", saying(records, CHECK, range(12))), run_of("b", agreeing(records)), records)
    assert found.row("miss_rate").value == -1.0
    assert found.row("miss_rate").interval is None
    assert found.conclusion is Conclusion.SAME


def test_many_misses_fewer_is_better_and_the_other_way_worse() -> None:
    records = records_of()
    blind = run_of("blind", saying(records, CHECK, range(48)))
    sharp = run_of("sharp", agreeing(records))
    found = compare(blind, sharp, records)
    row = found.row("miss_rate")
    assert (row.first, row.second, row.value, row.gain) == (1.0, 0.0, -1.0, 1.0)
    assert row.interval is not None
    assert row.interval.method is Method.BOOTSTRAP
    assert row.discordance is not None
    assert (row.discordance.only_first, row.discordance.only_second) == (24, 0)
    assert found.conclusion is Conclusion.BETTER
    assert compare(sharp, blind, records).conclusion is Conclusion.WORSE


def test_one_lucky_record_is_no_difference_that_these_records_can_show() -> None:
    records = records_of()
    first = run_of("a", saying(records, CHECK, range(12, 14)))
    second = run_of("b", saying(records, CHECK, range(12, 13)))
    found = compare(first, second, records)
    assert found.conclusion is Conclusion.SAME
    assert "看不出" in sentence(found)
    assert {(flip.record, flip.field, flip.gained) for flip in found.flips} == {
        ("r013", field, True) for field in ("needs_work", "verdict", "risk")
    }


def test_fewer_misses_for_more_false_alarms_is_mixed() -> None:
    records = records_of()
    quiet = run_of("quiet", saying(records, CHECK, range(48)))
    loud = run_of("loud", saying(records, TEST, range(48)))
    assert compare(quiet, loud, records).conclusion is Conclusion.MIXED


def test_flips_go_both_ways_and_wrong_to_wrong_is_none() -> None:
    records = records_of(4, 2)
    shim = Labels.model_validate(LABELS | {"verdict": "Shim", "risk": "high", "needs_adaptation": "是"})
    first = run_of("a", saying(records, TEST, range(1)))  # r000 is a Check
    second = run_of("b", [Outcome(record="r000", answer=answer(shim)), *saying(records, CHECK, range(2, 3))[1:]])
    flips = {
        (flip.record, flip.field): (flip.truth, flip.first, flip.second, flip.gained)
        for flip in compare(first, second, records).flips
    }
    assert flips[("r000", "needs_adaptation")] == ("否", "否", "是", False)
    assert flips[("r002", "needs_work")] == ("yes", "yes", "no", False)
    assert ("r000", "verdict") not in flips


def test_only_records_that_both_answered_count() -> None:
    records = records_of(6, 3)
    first = run_of("a", [*agreeing(records[:4]), failed("r004")])
    second = run_of("b", [failed("r000"), *agreeing(records[1:])], inputs="x" * 64)
    found = compare(first, second, records)
    assert found.records == 3
    assert (found.only_first, found.only_second, found.unanswered) == ((), ("r005",), ("r000", "r004"))
    assert found.notes == (Note.INPUTS, Note.RECORDS)
    nothing = compare(run_of("a", [failed("r000")]), run_of("b", [failed("r000")]), records)
    assert nothing.conclusion is Conclusion.NOTHING
    assert "无从比较" in sentence(nothing)


def written(folder: Path, *runs: Run) -> list[str]:
    for run in runs:
        save_portable(run, folder / f"{run.manifest.name}.json")
    return [str(folder / f"{run.manifest.name}.json") for run in runs]


def test_the_command_says_it_in_one_sentence_and_shows_the_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = records_of()
    table = tmp_path / "records.jsonl"
    table.write_text("".join(f"{record.model_dump_json()}\n" for record in records), encoding="utf-8")
    paths = written(tmp_path, run_of("blind", saying(records, CHECK, range(48))), run_of("sharp", agreeing(records)))
    first, second = paths
    command(first, second, records=table)
    said = capsys.readouterr().out
    assert said.startswith("sharp 好于 blind")
    assert "变对" in said
    command(first, second, records=table, json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["conclusion"] == "better"
    assert {row["key"] for row in document["rows"]} >= {"miss_rate", "money_sum"}


def test_a_p_that_is_small_is_not_called_zero() -> None:
    assert words.p_value(mcnemar(0, 1)) == "p = 1.00"
    assert words.p_value(mcnemar(0, 18)) == "p < 0.01"
