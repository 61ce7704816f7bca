"""A run on disk survives whatever ends its process, and is never mixed with another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.run import words
from evals.run.engine import Engine
from evals.run.errors import OtherRunError, RunFolderError
from evals.run.folder import RunFolder
from evals.run.loading import load_run, save_portable
from evals.run.models import RUN_FORMAT, CaseError, ErrorKind, Manifest, Outcome, Revisions
from tests.support.labelled import labelled
from tests.support.processes import python
from tests.support.runs import answer, failed, run_of

LABELS = labelled().labels
ANSWERED = Outcome(record="r001", answer=answer(LABELS))
RUN = run_of("trial", [ANSWERED, failed("r002")], versions={"rubric": "rubric-1"})


def silent(sentence: str) -> None:
    raise AssertionError(f"nothing to say, yet: {sentence}")


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Begun, with an answer for the first of its two records."""
    made = RunFolder(tmp_path / "runs", "trial")
    with made.writing():
        made.begin(RUN.manifest, silent)
        made.append(ANSWERED, b'{"an": "analysis"}')
    return made


def changed(**fields: object) -> Manifest:
    return RUN.manifest.model_copy(update=fields)


def test_what_was_appended_is_there(folder: RunFolder) -> None:
    assert folder.run() == RUN.model_copy(update={"outcomes": (ANSWERED,)})
    assert (folder.analyses / "r001.json").read_bytes() == b'{"an": "analysis"}'


def test_the_last_outcome_of_a_record_counts(folder: RunFolder) -> None:
    folder.append(failed("r002"), None)
    later = Outcome(record="r002", answer=answer(LABELS, 0.5))
    folder.append(later, None)
    assert folder.run().outcomes == (ANSWERED, later)
    assert folder.history() == (ANSWERED, failed("r002"), later)


def test_outcomes_stand_in_the_order_of_the_manifest(tmp_path: Path) -> None:
    made = RunFolder(tmp_path, "trial")
    with made.writing():
        made.begin(RUN.manifest, silent)
        made.append(failed("r002"), None)
        made.append(ANSWERED, None)
    assert made.run() == RUN


def test_neither_answer_nor_error_is_no_outcome() -> None:
    for both in ({}, {"answer": answer(LABELS), "error": CaseError(kind=ErrorKind.INPUT, message="x")}):
        with pytest.raises(ValueError, match=words.ANSWER_OR_ERROR):
            Outcome.model_validate({"record": "r001", **both})


def test_a_torn_last_line_is_no_outcome_and_is_cut_off_by_the_next_writer(folder: RunFolder) -> None:
    path = folder.path / "outcomes.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    assert folder.run().outcomes == (ANSWERED,)
    assert path.read_bytes() != whole, "readers change nothing"
    said: list[str] = []
    with folder.writing():
        folder.begin(RUN.manifest, said.append)
        folder.append(failed("r002"), None)
    assert said == [words.torn_line(str(path))]
    assert folder.run().outcomes == RUN.outcomes


def test_a_last_line_that_lacks_its_end_alone_is_kept(folder: RunFolder) -> None:
    path = folder.path / "outcomes.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert folder.run().outcomes == (ANSWERED,)
    with folder.writing():
        folder.begin(RUN.manifest, silent)
        folder.append(failed("r002"), None)
    assert folder.run().outcomes == RUN.outcomes


def test_a_damaged_line_in_the_middle_is_named(folder: RunFolder) -> None:
    path = folder.path / "outcomes.jsonl"
    path.write_bytes(b"{}\n" + path.read_bytes())
    with pytest.raises(RunFolderError, match=r"outcomes\.jsonl:1"):
        folder.run()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"engine": Engine.TEMPLATE}, words.differs("engine", "rules", "template")),
        ({"versions": {"rubric": "rubric-2"}}, words.differs("versions.rubric", "rubric-1", "rubric-2")),
        ({"versions": {}}, words.differs("versions.rubric", "rubric-1", None)),
        ({"records": ("r001",)}, words.records_differ(2, 1)),
        ({"records": ("r002", "r001")}, words.records_differ(2, 2)),
        ({"data": "e" * 64}, words.differs("data", "d" * 64, "e" * 64)),
        ({"seed": 1}, words.differs("seed", 0, 1)),
        (
            {"revisions": Revisions(upstream_base="2.13.0", downstream="2.14.0")},
            words.differs("downstream", "2.13.0", "2.14.0"),
        ),
    ],
)
def test_a_run_under_other_conditions_is_refused(folder: RunFolder, fields: dict[str, object], told: str) -> None:
    with folder.writing(), pytest.raises(OtherRunError) as caught:
        folder.begin(changed(**fields), silent)
    assert caught.value.differences == (told,)
    assert told in str(caught.value)
    assert "--replace" in str(caught.value)
    assert folder.run().outcomes == (ANSWERED,)


def test_time_and_commit_may_differ(folder: RunFolder) -> None:
    later = changed(created=RUN.manifest.created.replace(year=2027), commit="0" * 40, dirty=True)
    with folder.writing():
        folder.begin(later, silent)
    assert folder.manifest() == RUN.manifest


def test_a_run_is_given_up_on_demand(folder: RunFolder) -> None:
    said: list[str] = []
    for name in ("calibration.json", "judgements.jsonl"):
        (folder.path / name).write_text("{}\n", encoding="utf-8")
    with folder.writing():
        folder.begin(changed(seed=1), said.append, replace=True)
    assert not (folder.path / "calibration.json").exists()
    assert (folder.path / "judgements.jsonl").exists(), "each keeps its paragraph, and was paid for"
    assert folder.manifest().seed == 1
    assert folder.run().outcomes == ()
    assert not list(folder.analyses.iterdir())
    assert len(said) == 1


def test_nothing_is_inherited_from_a_run_whose_removal_was_cut_short(folder: RunFolder) -> None:
    (folder.path / "manifest.json").unlink()
    (folder.path / "notes.txt").write_text("mine", encoding="utf-8")
    with folder.writing():
        folder.begin(RUN.manifest, silent)
    assert folder.run().outcomes == ()
    assert not list(folder.analyses.iterdir())
    assert (folder.path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_newer_format_is_refused(folder: RunFolder) -> None:
    path = folder.path / "manifest.json"
    newer = json.loads(path.read_text(encoding="utf-8")) | {"format": RUN_FORMAT + 1, "unheard_of": True}
    path.write_text(json.dumps(newer), encoding="utf-8")
    with pytest.raises(RunFolderError) as caught:
        folder.run()
    assert caught.value.reason == words.newer_format(RUN_FORMAT + 1, RUN_FORMAT)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}'])
def test_a_damaged_manifest_is_one_sentence(folder: RunFolder, content: str) -> None:
    (folder.path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(RunFolderError, match=r"manifest\.json"):
        folder.run()


def test_one_process_writes_at_a_time(folder: RunFolder) -> None:
    script = (
        "import sys, time; from pathlib import Path; from evals.run.folder import RunFolder\n"
        "with RunFolder(Path(sys.argv[1]), 'trial').writing():\n"
        "    print('held', flush=True); time.sleep(600)"
    )
    process = python(script, str(folder.path.parent))
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(RunFolderError) as caught, folder.writing():
            pass
        assert caught.value.reason == words.IN_USE
        assert folder.run().outcomes == (ANSWERED,), "reading needs no lock"
    finally:
        process.kill()
        process.communicate()
    with folder.writing():
        pass


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "main.json", "x" * 101])
def test_a_name_is_one_plain_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunFolderError):
        RunFolder(tmp_path, name)


def test_a_run_is_found_by_name_folder_and_file(folder: RunFolder, tmp_path: Path) -> None:
    run = folder.run()
    file = tmp_path / "kept" / "main.json"
    save_portable(run, file)
    assert load_run("trial", folder.path.parent) == run
    assert load_run(folder.path, tmp_path / "nowhere") == run
    assert load_run(file, tmp_path / "nowhere") == run
    assert len(file.read_text(encoding="utf-8").splitlines()) > len(run.outcomes)


def test_a_portable_run_of_a_newer_format_is_refused(folder: RunFolder, tmp_path: Path) -> None:
    file = tmp_path / "main.json"
    save_portable(folder.run(), file)
    file.write_text(file.read_text(encoding="utf-8").replace('"format": 1', '"format": 2', 1), encoding="utf-8")
    with pytest.raises(RunFolderError) as caught:
        load_run(file, tmp_path)
    assert caught.value.reason == words.newer_format(2, 1)


def test_an_unknown_run_names_those_there_are(folder: RunFolder) -> None:
    with pytest.raises(RunFolderError, match="trial"):
        load_run("trail", folder.path.parent)
