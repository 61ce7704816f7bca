"""The commit that first held a definition in its file."""

from __future__ import annotations

from pathlib import Path

from retrieval.copies.first_seen import FirstSeen, first_seen
from retrieval.git_repository import GitRepository
from tests.support.git_repo import GitRepo

DAYS = [f"2026-03-0{day}T05:06:07+00:00" for day in range(1, 5)]


def test_the_oldest_commit_that_added_the_definition(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "mill")
    first = repo.commit({"a.py": "def spin(x):\n    return x\n", "ä b.py": "spin(1)\n"}, date=DAYS[0])
    second = repo.commit({"ä b.py": "class Gear:\n    async def turn(self): ...\n"}, date=DAYS[1])
    repo.commit({"a.py": "def spin(x, y):\n    return x\n"}, date=DAYS[2])
    head = repo.commit({"a.py": "# def stop(x)\ndef spin(x, y):\n    return y\n"}, date=DAYS[3])
    wanted = [
        ("a.py", "spin"),
        ("a.py", "stop"),
        ("ä b.py", "spin"),
        ("ä b.py", "turn"),
        ("ä b.py", "Gear"),
        ("c.py", "x"),
    ]
    seen = first_seen(GitRepository(repo.path), head, wanted)
    later = FirstSeen(second, "2026-03-02")
    assert seen == {
        ("a.py", "spin"): FirstSeen(first, "2026-03-01"),
        ("ä b.py", "turn"): later,
        ("ä b.py", "Gear"): later,
    }


def test_what_comes_later_is_not_seen(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "mill")
    first = repo.commit({"a.cpp": "Tensor spin(Tensor x) {\n}\n"}, date=DAYS[0])
    repo.commit({"a.cpp": "Tensor spin(Tensor x) {\n}\nTensor& stop(Tensor x) {\n}\n"}, date=DAYS[1])
    wanted = [("a.cpp", "spin"), ("a.cpp", "stop")]
    assert set(first_seen(GitRepository(repo.path), first, wanted)) == {("a.cpp", "spin")}
    assert set(first_seen(GitRepository(repo.path), "HEAD", wanted)) == set(wanted)


def test_nothing_asked_nothing_run(tmp_path: Path) -> None:
    assert first_seen(GitRepository(tmp_path / "none"), "HEAD", []) == {}
