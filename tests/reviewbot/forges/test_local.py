"""The folder that is a forge, beyond the contract of all: what people write into it, and who writes at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import pytest

from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.local import LocalForge
from reviewbot.forges.models import ForgeKind, Permission, Thread, ThreadKind
from reviewbot.settings_service import LocalSettings

REPOSITORY = "team/backend"
THREAD = Thread(forge=ForgeKind.LOCAL, repository=REPOSITORY, number=7)
ISSUE = THREAD.model_copy(update={"kind": ThreadKind.ISSUE})
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of the repository, with one pull request and one issue of the same number."""
    root = tmp_path / REPOSITORY
    (root / "pulls/7").mkdir(parents=True)
    (root / "issues/7").mkdir(parents=True)
    (root / "pulls/7/pull.json").write_text('{"title": "t"}', encoding="utf-8")
    return root


@pytest.fixture
def forge(root: Path) -> LocalForge:
    return forge_in(root)


def forge_in(root: Path) -> LocalForge:
    return LocalForge(LocalSettings(dir=root.parents[1]))


def fault_of(ask: Callable[[], object]) -> tuple[ForgeFault, str]:
    with pytest.raises(ForgeError) as caught:
        ask()
    return caught.value.fault, str(caught.value)


def write_many(root: Path, who: int) -> list[int]:
    return [forge_in(root).create_comment(THREAD, f"{who} {count}").id for count in range(15)]


def test_comments_written_at_once_are_all_kept(root: Path, forge: LocalForge) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        made = [number for numbers in pool.map(write_many, [root] * 4, range(4)) for number in numbers]
    assert sorted(made) == list(range(1, 61))
    assert sorted(one.body for one in forge.comments(THREAD)) == sorted(
        f"{who} {count}" for who in range(4) for count in range(15)
    )


def test_nothing_unfinished_stays(root: Path, forge: LocalForge) -> None:
    made = forge.create_comment(THREAD, "一")
    forge.edit_comment(THREAD, made.id, "二")
    assert fault_of(lambda: forge.edit_comment(THREAD, made.id, "half \ud800"))[0] is ForgeFault.REFUSED
    assert fault_of(lambda: forge.create_comment(THREAD, "half \ud800"))[0] is ForgeFault.REFUSED
    assert [one.body for one in forge.comments(THREAD)] == ["二"]
    assert [file.name for file in (root / "pulls/7/comments").iterdir()] == ["1.json"]


def test_a_comment_that_a_person_wrote_needs_no_id(root: Path, forge: LocalForge) -> None:
    (root / "pulls/7/comments").mkdir()
    (root / "pulls/7/comments/3.json").write_text('{"author": "ada", "body": "/upstream-review"}', encoding="utf-8")
    (root / "pulls/7/comments/notes.json").write_text("not mine", encoding="utf-8")
    assert [(one.id, one.author) for one in forge.comments(THREAD)] == [(3, "ada")]
    assert forge.create_comment(THREAD, "x").id == 4


def test_issues_and_pull_requests_are_apart(root: Path, forge: LocalForge) -> None:
    forge.create_comment(ISSUE, "of the issue")
    forge.set_labels(ISSUE, ("upstream/test",), ("never",))
    assert not forge.comments(THREAD)
    assert forge.pull_request(REPOSITORY, 7).labels == ()
    assert json.loads((root / "issues/7/issue.json").read_bytes()) == {"labels": ["upstream/test"]}


def test_labels_leave_the_rest_as_it_was(root: Path, forge: LocalForge) -> None:
    (root / "pulls/7/pull.json").write_text('{"title": "同步", "labels": ["old", "kept"]}', encoding="utf-8")
    forge.set_labels(THREAD, ("new", "kept"), ("old",))
    assert json.loads((root / "pulls/7/pull.json").read_bytes()) == {"title": "同步", "labels": ["kept", "new"]}


def test_another_diff_is_another_head_unless_one_is_named(root: Path, forge: LocalForge) -> None:
    heads = set()
    for text in ("", "a", "b"):
        (root / "pulls/7/diff.patch").write_text(text, encoding="utf-8")
        heads.add(forge.pull_request(REPOSITORY, 7).head_sha)
    assert [len(head) for head in heads] == [40, 40, 40]
    (root / "pulls/7/pull.json").write_text(json.dumps({"title": "t", "head_sha": "e" * 40}), encoding="utf-8")
    assert forge.pull_request(REPOSITORY, 7).head_sha == "e" * 40


@pytest.mark.parametrize("name", ["8", "0", "²", "notes", "-1"])
def test_folders_that_are_no_pull_request_are_passed_over(root: Path, forge: LocalForge, name: str) -> None:
    (root / "pulls" / name).mkdir()
    if name != "8":
        (root / "pulls" / name / "pull.json").write_text('{"title": "t"}', encoding="utf-8")
    assert [pull.thread.number for pull in forge.pull_requests(REPOSITORY, since=LONG_AGO)] == [7]


@pytest.mark.parametrize("repository", ["..", "../team/backend", "team/../team/backend", "/etc", "team/.git", "team/"])
def test_no_name_leads_out(forge: LocalForge, repository: str) -> None:
    for ask in (
        lambda: forge.pull_request(repository, 7),
        lambda: forge.commit_patch(REPOSITORY, "../../pulls/7/pull"),
        lambda: forge.branch_head(REPOSITORY, "../people"),
        lambda: forge.diff(f"team/{'x' * 300}", 7),
    ):
        assert fault_of(ask)[0] is ForgeFault.NOT_FOUND


@pytest.mark.parametrize(
    ("name", "text", "ask", "named"),
    [
        ("pulls/7/pull.json", "{", lambda forge: forge.pull_request(REPOSITORY, 7), "line 1 column 2"),
        ("pulls/7/pull.json", "[]", lambda forge: forge.set_labels(THREAD, ("x",), ()), "not an object"),
        ("pulls/7/pull.json", '{"title": "t", "heads": 1}', lambda forge: forge.pull_request(REPOSITORY, 7), "heads:"),
        ("pulls/7/commits.json", '[{"sha": "c"}]', lambda forge: forge.commits(REPOSITORY, 7), "message:"),
        ("pulls/7/commits.json", "7", lambda forge: forge.commits(REPOSITORY, 7), "not iterable"),
        ("branches/main.txt", "主", lambda forge: forge.branch_head(REPOSITORY, "main"), "ascii"),
        ("people.json", "[]", lambda forge: forge.permission(REPOSITORY, "ada"), "not an object"),
        ("people.json", '{"ada": "wirte"}', lambda forge: forge.permission(REPOSITORY, "ada"), "'wirte'"),
        ("people.json", '{"ada": []}', lambda forge: forge.permission(REPOSITORY, "ada"), "[]"),
    ],
)
def test_what_cannot_be_read_is_told_by_file_and_key(
    root: Path, forge: LocalForge, name: str, text: str, ask: Callable[[LocalForge], object], named: str
) -> None:
    file = root / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    fault, said = fault_of(lambda: ask(forge))
    assert fault is ForgeFault.UNREADABLE
    assert said.startswith(f"{REPOSITORY}/{name} ")
    assert named in said


def test_what_the_file_system_refuses_may_pass(root: Path, forge: LocalForge) -> None:
    (root / "pulls/7/comments").write_text("a file where a folder belongs", encoding="utf-8")
    assert fault_of(lambda: forge.create_comment(THREAD, "x"))[0] is ForgeFault.UNAVAILABLE


def test_a_thread_that_is_not_there_takes_no_comment(root: Path, forge: LocalForge) -> None:
    absent = THREAD.model_copy(update={"number": 99})
    assert fault_of(lambda: forge.create_comment(absent, "x"))[0] is ForgeFault.NOT_FOUND
    assert not (root / "pulls/99").exists()


def test_strangers_may_read(root: Path, forge: LocalForge) -> None:
    assert forge.permission(REPOSITORY, "ada") is Permission.READ
    (root / "people.json").write_text('{"ada": "admin"}', encoding="utf-8")
    assert (forge.permission(REPOSITORY, "ada"), forge.permission(REPOSITORY, "bob")) == (
        Permission.ADMIN,
        Permission.READ,
    )
