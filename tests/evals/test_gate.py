"""The gate: shut for what chance cannot explain, open for the rest; thresholds from a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.compare.comparison import compare
from evals.gate.baseline import open_baseline, without_texts
from evals.gate.command import gate as command
from evals.gate.gating import GateResult, gate
from evals.gate.thresholds import Thresholds, ThresholdsError, load_thresholds
from evals.records import LabelledRecord
from evals.run.loading import save_portable
from evals.run.models import Outcome, Run
from reviewbot.errors import OptionsError
from tests.evals.test_compare import CHECK, TEST, records_of, saying
from tests.support.runs import agreeing, answer, failed, run_of


def gated(before: Run, run: Run, records: Sequence[LabelledRecord], thresholds: Thresholds | None = None) -> GateResult:
    limits = thresholds or load_thresholds()
    return gate(compare(before, run, records, level=limits.level), before, run, limits)


def fallen(result: GateResult) -> set[str]:
    return {one.difference.key for one in result.watched if one.failed}


def test_the_same_answers_pass() -> None:
    records = records_of()
    run = run_of("main", saying(records, CHECK, range(20)))
    assert gated(run, run, records).passed


def test_a_small_fall_is_noise_and_passes() -> None:
    records = records_of()
    before = run_of("main", agreeing(records))
    result = gated(before, run_of("new", saying(records, CHECK, range(12, 13))), records)
    assert result.passed
    assert [one.difference.gain for one in result.watched if one.difference.key == "miss_rate"] == [-1 / 24]


def test_a_fall_beyond_noise_fails_and_names_the_figure() -> None:
    records = records_of()
    before = run_of("main", agreeing(records))
    blind = gated(before, run_of("new", saying(records, CHECK, range(48))), records)
    assert not blind.passed
    assert {"miss_rate", "work_auc", "risk_kappa"} & fallen(blind) >= {"miss_rate"}
    loud = gated(before, run_of("new", saying(records, TEST, range(48))), records)
    assert "false_alarm_rate" in fallen(loud)
    assert "miss_rate" not in fallen(loud)


def test_a_gain_never_fails() -> None:
    records = records_of()
    before = run_of("main", saying(records, CHECK, range(48)))
    assert gated(before, run_of("new", agreeing(records)), records).passed


def test_slack_lets_a_real_fall_pass() -> None:
    records = records_of()
    before, blind = run_of("main", agreeing(records)), run_of("new", saying(records, CHECK, range(48)))
    lenient = Thresholds(level=0.9, new_errors=0, slack={"miss_rate": 1.0})
    strict = Thresholds(level=0.9, new_errors=0, slack={"miss_rate": 0.9})
    assert gated(before, blind, records, lenient).passed
    assert fallen(gated(before, blind, records, strict)) == {"miss_rate"}


def test_an_error_where_there_was_an_answer_fails_unless_allowed() -> None:
    records = records_of()
    before = run_of("main", agreeing(records))
    torn = run_of("new", [failed("r000"), *agreeing(records[1:])])
    short = run_of("new", agreeing(records[1:]))
    for run in (torn, short):
        result = gated(before, run, records)
        assert (result.passed, result.new_errors) == (False, ("r000",))
        assert gated(before, run, records, load_thresholds().model_copy(update={"new_errors": 1})).passed
    assert gated(torn, torn, records).passed, "an error that the baseline has, too"


def test_a_figure_that_vanished_fails() -> None:
    records = records_of(8, 4)
    shown = tuple(Outcome(record=one.id, answer=answer(one.labels, citations=2, resolved=2)) for one in records)
    result = gated(run_of("main", shown), run_of("new", agreeing(records)), records)
    assert [one.difference.key for one in result.watched if one.lost] == ["citations_resolved"]
    assert not result.passed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("level = 2\nnew_errors = 0\n[slack]\n", "level"),
        ("level = 0.9\nnew_errors = 0\n[slack]\nmiss_rat = 0\n", r"slack\.miss_rat"),
        ("level = 0.9\nnew_errors = 0\n[slack]\nmiss_rate = -1\n", r"slack\.miss_rate"),
        ("level = 0.9\nnew_errors = 0\nslac = 1\n[slack]\n", "slac"),
        ("level = [", "读不了"),
    ],
)
def test_a_bad_file_of_thresholds_names_the_key(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ThresholdsError, match=said) as caught:
        load_thresholds(path)
    assert str(path) in str(caught.value)


def test_a_stored_baseline_holds_no_text_and_gates_alike(tmp_path: Path) -> None:
    records = records_of(8, 4)
    wordy = [
        Outcome(record=one.id, answer=answer(one.labels, analysis="齿轮反转。", removed=("见 [E9]。",), citations=1))
        for one in records
    ]
    bare = without_texts(run_of("main", wordy))
    save_portable(bare, tmp_path / "main.json")
    assert "齿轮" not in (tmp_path / "main.json").read_text(encoding="utf-8")
    assert gated(open_baseline(str(tmp_path / "main.json"), tmp_path), run_of("new", wordy), records).passed


def test_the_command_exits_with_1_for_a_fall_and_can_renew_the_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = records_of()
    table, main, new = (tmp_path / name for name in ("records.jsonl", "main.json", "new.json"))
    table.write_text("".join(f"{record.model_dump_json()}\n" for record in records), encoding="utf-8")
    save_portable(run_of("main", agreeing(records)), main)
    save_portable(run_of("new", saying(records, CHECK, range(48))), new)
    assert command(str(new), baseline=str(main), records=table) == 1
    assert "漏报率变差超出噪声" in capsys.readouterr().out
    assert command(str(new), baseline=str(main), records=table, json=True) == 1
    assert json.loads(capsys.readouterr().out)["passed"] is False
    assert command(str(new), baseline=str(main), update=True) == 0
    assert command(str(new), baseline=str(main), records=table) == 0
    with pytest.raises(OptionsError, match="--baseline"):
        command(str(new), update=True)
