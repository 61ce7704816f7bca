"""Two tiny repositories: an upstream with a landed pull request, and a torch_npu that feels it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.support.git_repo import GitRepo

BEFORE = "class Gear:\n    def turn(self, angle):\n        return angle\n"
AFTER = "class Gear:\n    def turn(self, angle, *, quiet=False):\n        return angle if quiet else -angle\n"
HEIR = (
    "from torch._mill.gears import Gear\n\n\n"
    "class NPUGear(Gear):\n    def turn(self, angle):\n        return angle + 1\n"
)


@dataclass(frozen=True)
class Pair:
    """``landed`` is the upstream commit of pull request 123, ``base`` the head of torch_npu's master."""

    upstream: GitRepo
    downstream: GitRepo
    landed: str
    base: str


def pair(folder: Path) -> Pair:
    upstream, downstream = GitRepo(folder / "upstream"), GitRepo(folder / "torch_npu")
    upstream.write({"torch/_mill/gears.py": BEFORE})
    upstream.git("add", "-A")
    upstream.git("commit", "-qm", "Gears")
    upstream.write({"torch/_mill/gears.py": AFTER})
    message = "Turn gears quietly (#123)\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/123"
    upstream.git("commit", "-qam", message)
    downstream.write({"torch_npu/gears.py": HEIR, "torch_npu/__init__.py": ""})
    downstream.git("add", "-A")
    downstream.git("commit", "-qm", "Gears of ours")
    return Pair(upstream, downstream, upstream.git("rev-parse", "HEAD"), downstream.git("rev-parse", "HEAD"))
