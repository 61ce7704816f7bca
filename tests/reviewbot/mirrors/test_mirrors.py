"""Pins, readiness and the pool of open indexes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from retrieval.index import Index
from reviewbot.mirrors import MirrorError, Side, Trees, open_mirrors
from reviewbot.mirrors.trees import IndexPool
from reviewbot.settings import Settings
from tests.support.git_repo import GitRepo


@pytest.fixture
def origin(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "origin")
    repo.write({"torch_npu/a.py": "from torch._inductor.ir import IRNode\n\nclass N(IRNode):\n    pass\n"})
    repo.git("add", "-A")
    repo.git("commit", "-qm", "first")
    return repo


def settings(tmp_path: Path, **sections: Mapping[str, object]) -> Settings:
    return Settings.model_validate({"cache": {"dir": tmp_path / "cache"}, "index": {"jobs": 1}, **sections})


def mirrored(origin: GitRepo, tmp_path: Path) -> Settings:
    return settings(tmp_path, mirrors={"downstream_url": origin.path.as_uri(), "stale_after_seconds": 60})


def test_a_branch_is_pinned_where_it_is_now_and_a_sha_is_fetched_for_once(origin: GitRepo, tmp_path: Path) -> None:
    mirrors = open_mirrors(mirrored(origin, tmp_path))
    first = mirrors.pin(Side.DOWNSTREAM, "main")
    origin.git("commit", "-q", "--allow-empty", "-m", "more")
    second = origin.git("rev-parse", "HEAD")
    assert mirrors.pin(Side.DOWNSTREAM, second) == second != first
    assert mirrors.pin(Side.DOWNSTREAM, "main") == second
    with pytest.raises(MirrorError, match="nothing-like-it"):
        mirrors.pin(Side.DOWNSTREAM, "nothing-like-it")


def test_without_an_address_the_folder_of_the_settings_is_read(origin: GitRepo, tmp_path: Path) -> None:
    mirrors = open_mirrors(settings(tmp_path, downstream={"path": origin.path}))
    assert mirrors.pin(Side.DOWNSTREAM, "main") == origin.git("rev-parse", "HEAD")
    assert mirrors.unready(0.0) == ()
    mirrors.fetch(Side.DOWNSTREAM)
    assert not mirrors.has(Side.UPSTREAM)
    with pytest.raises(MirrorError, match=r"mirrors\.upstream_url"):
        mirrors.location(Side.UPSTREAM)


def test_a_folder_without_history_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    mirrors = open_mirrors(settings(tmp_path, downstream={"path": tmp_path / "plain"}))
    assert mirrors.pin(Side.DOWNSTREAM, "main") == ""


def test_readiness_tells_what_was_never_fetched_and_what_is_old(origin: GitRepo, tmp_path: Path) -> None:
    mirrors = open_mirrors(mirrored(origin, tmp_path))
    assert len(mirrors.unready(0.0)) == 1
    assert mirrors.fetch_all() == ()
    fetched = mirrors.clones[Side.DOWNSTREAM].fetched_at()
    assert fetched is not None
    assert mirrors.unready(fetched + 59) == ()
    assert "2" in mirrors.unready(fetched + 121)[0]


def test_one_side_that_fails_does_not_hold_up_the_other(origin: GitRepo, tmp_path: Path) -> None:
    urls = {"upstream_url": (tmp_path / "none").as_uri(), "downstream_url": origin.path.as_uri()}
    mirrors = open_mirrors(settings(tmp_path, mirrors=urls))
    assert [error.name for error in mirrors.fetch_all()] == ["upstream"]
    assert mirrors.clones[Side.DOWNSTREAM].find("main") is not None


def test_an_index_at_a_pin_is_opened_once_and_lent_again(origin: GitRepo, tmp_path: Path) -> None:
    chosen = mirrored(origin, tmp_path)
    mirrors = open_mirrors(chosen)
    trees = Trees(chosen, mirrors)
    pin = mirrors.pin(Side.DOWNSTREAM, "main")
    with trees.downstream(pin) as index:
        assert index.tree.revision == pin
        assert index.count("IRNode") == (2, 1)
        with trees.downstream(pin) as other:
            assert other is not index, "whoever holds one has it alone"
    with trees.downstream(pin) as again:
        assert again in (index, other)
    trees.close()


class _Tree:
    def close(self) -> None: ...


class _Index:
    def __init__(self, name: str, closed: list[str]) -> None:
        self.name = name
        self.tree = _Tree()
        self._closed = closed

    def close(self) -> None:
        self._closed.append(self.name)


def test_the_longest_unused_goes_first_and_a_failed_borrower_leaves_none() -> None:
    closed: list[str] = []
    pool = IndexPool(idle=2)

    def use(name: str) -> None:
        with pool.borrow(name, lambda: cast("Index", _Index(name, closed))):
            pass

    for name in ("a", "b", "a", "c"):
        use(name)
    assert closed == ["b"]

    def fail() -> None:
        with pool.borrow("a", lambda: cast("Index", _Index("other", closed))):
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert closed == ["b", "a"]
    pool.close()
    assert closed == ["b", "a", "c"]
