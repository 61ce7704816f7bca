"""Fixtures for command line and store: a runner, an invented upstream with its downstream, a database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from reviewbot.store import open_store
from tests.reviewbot.cli_runs import CommandLine
from tests.support.git_repo import GitRepo

BASE = '''\
"""Gears that turn."""


class Gear:
    def turn(self, x):
        return x


def spin(x):
    """Turn once."""
    y = x
    return y


def stop(x):
    return x
'''
HEAD = BASE.replace("def spin(x):", "def spin(x, *, quiet=False):").replace(
    "    y = x\n", "    y = x if quiet else -x\n"
)

DOWNSTREAM = """\
import torch._mill.gears
from torch._mill.gears import Gear


class NPUGear(Gear):
    def turn(self, x):
        return x + 1


def spin_npu(x):
    return x


torch._mill.gears.spin = spin_npu
"""


@dataclass(frozen=True)
class Mill:
    """``upstream`` has two commits, the second being pull request 4242; ``patch`` is that commit as a patch file."""

    upstream: GitRepo
    base: str
    head: str
    patch: Path
    downstream: GitRepo
    downstream_head: str


@pytest.fixture(scope="session")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Mill:
    folder = tmp_path_factory.mktemp("mill")
    upstream = GitRepo(folder / "pytorch")
    base = upstream.commit({"torch/_mill/gears.py": BASE, "torch/__init__.py": ""})
    trailer = "Pull Request resolved: https://github.com/pytorch/pytorch/pull/4242"
    head = upstream.commit({"torch/_mill/gears.py": HEAD}, f"Make spin quiet (#4242)\n\n{trailer}\n")
    patch = folder / "spin.patch"
    patch.write_text(upstream.git("format-patch", "-1", "--stdout") + "\n", encoding="utf-8")
    downstream = GitRepo(folder / "mill_npu")
    downstream_head = downstream.commit({"torch_npu/gears.py": DOWNSTREAM, "torch_npu/__init__.py": ""})
    return Mill(upstream, base, head, patch, downstream, downstream_head)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as the migrations make it, to be copied: running them takes a while."""
    path = tmp_path_factory.mktemp("database") / "reviewbot.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path, monkeypatch, capsys)
