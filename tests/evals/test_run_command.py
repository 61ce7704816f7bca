"""``reviewbot eval run`` and ``rescore`` as typed: exit codes, what is printed, files in and out."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer

from evals import miniature
from evals.dataset import precedents
from evals.real_data import RealData
from evals.records import load_records
from evals.run import command, driving, rescore_command, words
from evals.run.folder import RunFolder
from evals.run.loading import load_run, save_portable
from evals.run.selection import load_splits
from evals.scores import words as score_words
from reviewbot.cli import runner
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.help import ChineseCommand, ChineseGroup
from reviewbot.precedents import PastRecord
from tests.evals.run_scene import Scene
from tests.support.pulls import keep_pull
from tests.support.scripted_model import GOOD, ScriptedModel, answers, fails, scripted_model

Run = Callable[..., int]


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """In a working directory and with a cache of its own; nothing is fetched."""
    monkeypatch.setattr(RealData, "prepare", lambda *_: False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVIEWBOT_CACHE__DIR", str(tmp_path / "cache"))
    return Scene(tmp_path).lay()


@pytest.fixture
def run(scene: Scene) -> Run:
    """Runs ``run`` or ``rescore`` with arguments and returns the exit code."""
    app = typer.Typer(cls=ChineseGroup)
    app.command("run", cls=ChineseCommand)(command.run)
    app.command("rescore", cls=ChineseCommand)(rescore_command.rescore)
    given = {
        "run": ("--name", "trial", "--data", str(scene.root / "real"), "--jobs", "1"),
        "rescore": ("trial",),
    }

    def typed(name: str, *arguments: str) -> int:
        line = [name, *given[name], "--records", str(scene.records_file), *arguments]
        return runner.run(typer.main.get_command(app), line)

    return typed


def test_a_run_prints_its_scores_and_what_to_do_next(
    run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run") == 0
    printed, told = capsys.readouterr()
    assert words.left_out(1) in told
    assert words.counts(3, 3, 3) in printed
    assert re.search(rf"{score_words.NAMES['miss_rate']}|{score_words.NAMES['false_alarm_rate']}", printed)
    assert words.report_next("trial") in printed
    manifest = RunFolder(scene.runs, "trial").manifest()
    assert (manifest.split, manifest.engine, manifest.records) == ("usable", "template", ("r001", "r002", "r003"))
    assert {"code", "rubric", "extractor", "template", "reviewbot"} == set(manifest.versions)


def test_a_run_elsewhere_is_called_by_its_place(run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("run", "--runs", "else where") == 0
    assert words.report_next("'else where/trial'") in capsys.readouterr().out


def test_a_name_that_cannot_be_is_refused_before_anything_is_fetched(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(RealData, "prepare", lambda *_: pytest.fail("fetched"))
    assert run("run", "--name", "../trial") == 1
    assert words.BAD_NAME in capsys.readouterr().err.replace("\n", "")


def test_a_record_without_reconstruction_runs_on_its_pull_request(
    run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_pull(scene.root / "real", 999, miniature.CHANGES[0].patch())
    assert run("run") == 0
    assert words.left_out(1) not in capsys.readouterr().err
    manifest = RunFolder(scene.runs, "trial").manifest()
    assert (manifest.records[-1], manifest.pulled) == ("r999", ("r999",))
    assert run("run", "--name", "rebuilt", "--no-pull-requests") == 0
    assert RunFolder(scene.runs, "rebuilt").manifest().records == ("r001", "r002", "r003")


def test_the_same_command_again_runs_nothing_and_says_the_same(
    run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--json") == 0
    first = json.loads(capsys.readouterr().out)
    lines = (scene.runs / "trial" / "outcomes.jsonl").read_bytes()
    assert run("run", "--json") == 0
    second = capsys.readouterr()
    assert json.loads(second.out) == first
    assert words.resumed(3, 3) in second.err
    assert (scene.runs / "trial" / "outcomes.jsonl").read_bytes() == lines
    assert first["ending"] == "complete"
    assert first["scoring"]["sheet"]["answered"] == 3


def test_other_conditions_are_refused_unless_the_run_is_given_up(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("run") == 0
    assert run("run", "--engine", "rules") == 1
    assert words.differs("engine", "template", "rules") in capsys.readouterr().err
    assert run("run", "--engine", "rules", "--replace") == 0


def test_errors_have_an_exit_code_of_their_own(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("run", "--split", "all") == driving.WITH_ERRORS
    printed, told = capsys.readouterr()
    assert words.counts(4, 3, 4) in printed
    assert words.example("r999", words.NO_DIFF) in printed
    assert words.RETRY in told


def test_a_sample_is_run_and_remembered(run: Run, scene: Scene) -> None:
    assert run("run", "--sample", "2", "--seed", "5") == 0
    manifest = RunFolder(scene.runs, "trial").manifest()
    assert (len(manifest.records), manifest.sample, manifest.seed) == (2, 2, 5)


def test_rescoring_needs_no_trees_and_gives_the_same_scores(
    run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--json") == 0
    scoring = json.loads(capsys.readouterr().out)["scoring"]
    folder = RunFolder(scene.runs, "trial")
    kept = folder.scoring()
    folder.scores_path.unlink()
    (scene.root / "real").rename(scene.root / "gone")
    assert run("rescore", "--json") == 0
    printed, told = capsys.readouterr()
    assert json.loads(printed) == scoring
    assert folder.scoring() == kept
    assert words.LABELS_CHANGED not in told


def test_rescoring_scores_by_the_labels_of_today(run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("run", "--engine", "rules") == 0
    before = RunFolder(scene.runs, "trial").scoring().sheet.score("miss_rate")
    text = scene.records_file.read_text(encoding="utf-8")
    scene.records_file.write_text(text.replace('"risk": "low"', '"risk": "high"'), encoding="utf-8")
    assert run("rescore") == 0
    assert words.LABELS_CHANGED in capsys.readouterr().err
    after = RunFolder(scene.runs, "trial").scoring().sheet.score("miss_rate")
    assert (before.n, after.n) == (0, 3)


def test_rescoring_takes_a_run_in_one_file(
    run: Run, scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--json") == 0
    scoring = json.loads(capsys.readouterr().out)["scoring"]
    save_portable(load_run("trial", scene.runs), tmp_path / "main.json")
    rescore_command.rescore(str(tmp_path / "main.json"), records=scene.records_file, json=True)
    assert json.loads(capsys.readouterr().out) == scoring


def test_a_part_of_a_run_is_scored_and_not_kept(run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("run") == 0
    folder = RunFolder(scene.runs, "trial")
    kept = folder.scoring()
    capsys.readouterr()
    splits = load_splits()
    design = [one for one in load_records(scene.records_file) if one.batch in splits["design"]]
    assert 0 < len(design) < kept.sheet.records
    assert run("rescore", "--split", "design", "--json") == 0
    assert json.loads(capsys.readouterr().out)["sheet"]["records"] == len(design)
    assert folder.scoring() == kept
    assert run("rescore", "--split", "nobody") == 1
    assert "nobody" in capsys.readouterr().err


def test_records_that_the_file_lacks_are_named(run: Run, scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("run") == 0
    lines = scene.records_file.read_text(encoding="utf-8").splitlines(keepends=True)
    scene.records_file.write_text("".join(lines[1:]), encoding="utf-8")
    assert run("rescore") == 1
    assert "r001" in capsys.readouterr().err


# --- batch ------------------------------------------------------------------------------------------------------------


def test_requests_go_out_and_answers_come_in(
    run: Run, scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests, replies = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    assert run("run", "--engine", "batch", "--dossiers", "--export", str(requests)) == 0
    assert words.exported(3, str(requests)) in capsys.readouterr().err
    exported = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    assert [one["record"] for one in exported] == ["r001", "r002", "r003"]
    assert exported[0]["ledger"]["items"][0]["scope"] == "stretch_npu"
    labels = {name: GOOD[name] for name in ("verdict", "risk", "needs_adaptation", "npu_affected")}
    lines = [
        {"record": name, "labels": labels, "needs_work_score": 0.4, "summary": GOOD["summary"], "analysis": text}
        for name, text in (("r001", "torch_npu 注册了同一个算子 [E1]。"), ("r002", "torch_npu 见 [E9]。"))
    ]
    replies.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    assert run("run", "--engine", "batch", "--answers", str(replies)) == driving.WITH_ERRORS
    outcomes = {one.record: one for one in RunFolder(scene.runs, "trial").run().outcomes}
    first, second, third = (outcomes[name] for name in ("r001", "r002", "r003"))
    assert first.answer is not None
    assert second.answer is not None
    assert third.error is not None
    assert first.answer.proposed.verdict == "Test"
    assert (first.answer.citations, first.answer.resolved) == (1, 1)
    assert (second.answer.citations, second.answer.resolved) == (1, 0)
    assert second.answer.removed
    assert third.error.fault == "missing"


def test_requests_go_out_in_the_form_of_a_batch_service(
    run: Run, scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests, replies = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    assert run("run", "--engine", "batch", "--export", str(requests)) == ExitCode.SETTINGS
    monkeypatch.setenv("REVIEWBOT_MODEL__NAME", "m")
    assert run("run", "--engine", "batch", "--export", str(requests)) == 0
    exported = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    assert {one["body"]["model"] for one in exported} == {"m"}
    answered = [
        {"custom_id": one["custom_id"], "response": {"status_code": 200, "body": answers().body}}
        for one in exported[:2]
    ]
    replies.write_text("\n".join(json.dumps(line) for line in answered), encoding="utf-8")
    assert run("run", "--engine", "batch", "--answers", str(replies)) == driving.WITH_ERRORS
    outcomes = RunFolder(scene.runs, "trial").run().outcomes
    assert [one.answer and one.answer.proposed.verdict for one in outcomes] == ["Test", "Test", None]
    assert outcomes[2].error is not None
    assert outcomes[2].error.fault == "missing"


@pytest.mark.parametrize(
    ("line", "where"),
    [("{", "answers.jsonl:1"), ('{"record": "r001"}', "labels"), ("[]", "answers.jsonl:1")],
)
def test_a_bad_answer_is_named(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, where: str
) -> None:
    (tmp_path / "answers.jsonl").write_text(line, encoding="utf-8")
    assert run("run", "--engine", "batch", "--answers", str(tmp_path / "answers.jsonl")) == 1
    assert where in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--engine", "batch"),
        ("--engine", "batch", "--export", "a", "--answers", "b"),
        ("--engine", "rules", "--export", "a"),
    ],
)
def test_files_belong_to_the_batch_engine(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("run", *arguments) == ExitCode.USAGE


# --- model ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    """A model at a price of one a token: an answer costs 1,100, and a record is foreseen to take 89,000 at most."""
    with scripted_model() as server:
        settings = {"BASE_URL": server.base_url, "NAME": "m", "SPARE_PLAIN_CASES": "false", "RETRIES": "0"}
        settings |= {"PRICE_IN": "1000000", "PRICE_OUT": "1000000"}
        for name, value in settings.items():
            monkeypatch.setenv(f"REVIEWBOT_MODEL__{name}", value)
        yield server


def test_money_is_spent_only_when_somebody_agrees(
    run: Run, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--engine", "model") == ExitCode.USAGE
    assert words.ASK_NEEDS_YES.partition("，")[0] in capsys.readouterr().err
    assert not model.requests


class Keyboard(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "asks"), [("y\n", True), ("是\n", True), ("\n", False), ("no\n", False), ("", False)]
)
def test_the_estimate_is_asked_about(
    run: Run, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, typed: str, asks: bool
) -> None:
    monkeypatch.setattr("sys.stdin", Keyboard(typed))
    assert run("run", "--engine", "model", "--sample", "1") == 0
    assert bool(model.requests) is asks


def test_a_model_run_keeps_what_it_cost(
    run: Run, scene: Scene, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--engine", "model", "--yes") == 0
    printed, told = capsys.readouterr()
    assert words.estimate(3, 267_000.0, 0.0, "CNY") in told
    assert score_words.NAMES["money_sum"] in printed
    kept = RunFolder(scene.runs, "trial")
    given = [one.answer for one in kept.run().outcomes if one.answer]
    assert len(given) == 3
    assert sum(one.usage.calls for one in given) == len(model.requests)
    assert {one.proposed.verdict for one in given} == {"Test"}
    assert kept.manifest().versions["model"] == "m"
    assert kept.manifest().parameters["model.temperature"] == "0.0"


def test_failures_of_the_provider_are_errors_and_are_asked_again(
    run: Run, scene: Scene, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    model.otherwise = lambda _: fails(500, "down for repair")
    assert run("run", "--engine", "model", "--yes") == driving.WITH_ERRORS
    printed, _ = capsys.readouterr()
    assert words.counts(3, 0, 3) in printed
    assert "down for repair" in printed
    faults = [one.error and one.error.fault for one in RunFolder(scene.runs, "trial").run().outcomes]
    assert faults == ["unavailable"] * 3
    model.otherwise = lambda _: answers()
    assert run("run", "--engine", "model", "--yes") == 0
    assert RunFolder(scene.runs, "trial").scoring().sheet.errors == {}


def test_a_run_stops_before_its_cap_and_goes_on_with_a_higher_one(
    run: Run, scene: Scene, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--engine", "model", "--yes", "--limit-cost", "1", "--json") == driving.CAP_REACHED
    assert json.loads(capsys.readouterr().out)["scoring"] is None
    assert not model.requests
    assert run("run", "--engine", "model", "--yes", "--limit-cost", "89500") == driving.CAP_REACHED
    assert words.CAPPED in capsys.readouterr().err
    outcomes = RunFolder(scene.runs, "trial").run().outcomes
    assert len(outcomes) == 1
    assert 0 < (outcomes[0].usage.cost or 0) <= 89_500
    assert run("run", "--engine", "model", "--yes", "--limit-cost", "1e6") == 0
    assert words.resumed(1, 3) in capsys.readouterr().err


def test_what_was_paid_for_is_not_thrown_away_in_passing(
    run: Run, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--engine", "model", "--yes") == 0
    assert run("run", "--engine", "rules", "--replace") == ExitCode.USAGE
    assert "--yes" in capsys.readouterr().err
    assert run("run", "--engine", "rules", "--replace", "--yes") == 0


def test_a_cap_needs_prices(run: Run, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REVIEWBOT_MODEL__PRICE_IN")
    assert run("run", "--engine", "model", "--yes", "--limit-cost", "5") == ExitCode.USAGE
    assert not model.requests


def test_a_run_that_shows_a_writer_what_it_must_not_ends_without_scores(
    run: Run, scene: Scene, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cutoff of the archive lets everything through; the check behind it does not."""

    class Open:
        def __init__(self, *_: object) -> None:
            pass

        def admits(self, past: PastRecord) -> bool:
            return True

    monkeypatch.setattr(precedents, "LabelledEarlier", Open)
    assert run("run", "--engine", "model", "--yes") == 1
    assert "r001" in capsys.readouterr().err
    assert not RunFolder(scene.runs, "trial").scores_path.exists()
