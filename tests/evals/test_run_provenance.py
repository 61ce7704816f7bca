"""What tells one run from another: code, records, diffs, commit."""

from __future__ import annotations

import hashlib
import re
from importlib import resources
from pathlib import Path

import pytest

from evals.run.provenance import code_version, commit_of_code, digest_of_inputs, digest_of_records, versions_of
from reviewbot.rubric import load_rubric
from tests.support.git_repo import GitRepo


def package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of code in place of ours."""
    for name in ("retrieval", "reviewbot", "prompts"):
        (folder / name / "cli").mkdir(parents=True)
        (folder / name / "rules.py").write_text("a = 1\n", encoding="utf-8")
        (folder / name / "cli" / "page.py").write_text("b = 1\n", encoding="utf-8")
    monkeypatch.setattr(resources, "files", lambda name: folder / name)
    return folder


def test_the_code_version_follows_what_answers_depend_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = package(tmp_path, monkeypatch)
    before = code_version()
    assert re.fullmatch(r"[0-9a-f]{12}", before)
    (root / "reviewbot" / "cli" / "page.py").write_text("b = 2\n", encoding="utf-8")
    (root / "reviewbot" / "rules.pyc").write_bytes(b"x")
    (root / "prompts" / "judge.md").write_text("how to judge", encoding="utf-8")
    assert code_version() == before
    (root / "reviewbot" / "rules.py").write_text("a = 2\n", encoding="utf-8")
    edited = code_version()
    (root / "reviewbot" / "rules.py").rename(root / "reviewbot" / "laws.py")
    assert len({before, edited, code_version()}) == 3


def test_versions_are_those_of_an_analysis_and_the_code() -> None:
    versions = versions_of(load_rubric(), {"template": "t-1"})
    assert set(versions) == {"reviewbot", "rubric", "extractor", "code", "template"}


def test_inputs_follow_order_content_and_absence(tmp_path: Path) -> None:
    full, empty = tmp_path / "a.diff", tmp_path / "b.diff"
    full.write_text("x", encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    rows = [("r001", full), ("r002", empty)]
    digests = [
        digest_of_inputs(rows),
        digest_of_inputs(rows[::-1]),
        digest_of_inputs([("r001", full), ("r002", None)]),
        digest_of_inputs([("r001", empty), ("r002", full)]),
    ]
    assert len(set(digests)) == 4
    assert digest_of_inputs([("r001", tmp_path / "gone")]) == digest_of_inputs([("r001", None)])


def test_records_are_told_by_their_bytes(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(b"{}\n")
    assert digest_of_records(file) == hashlib.sha256(b"{}\n").hexdigest()
    assert digest_of_records(None) != digest_of_records(file)


def test_the_commit_is_that_of_the_code(tmp_path: Path) -> None:
    repository = GitRepo(tmp_path)
    commit = repository.commit({"evals/__init__.py": "", "docs/a.md": "a\n"})
    assert commit_of_code(tmp_path) == (commit, False)
    (tmp_path / "docs" / "a.md").write_text("b\n", encoding="utf-8")
    assert commit_of_code(tmp_path) == (commit, False), "pages answer nothing"
    (tmp_path / "evals" / "new.py").write_text("", encoding="utf-8")
    assert commit_of_code(tmp_path) == (commit, True)


def test_an_installed_copy_inside_a_repository_has_no_commit(tmp_path: Path) -> None:
    GitRepo(tmp_path).commit({"README.md": "x\n"})
    installed = tmp_path / "lib"
    (installed / "evals").mkdir(parents=True)
    (installed / "evals" / "__init__.py").write_text("", encoding="utf-8")
    assert commit_of_code(installed) == (None, False)
    assert commit_of_code(tmp_path / "nowhere") == (None, False)
