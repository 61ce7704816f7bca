"""``reviewbot index diff``: two revisions of a repository compared, for people and as JSON."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from reviewbot.cli.exit_codes import ExitCode
from tests.reviewbot.cli_runs import CommandLine
from tests.support.git_repo import GitRepo

MANY = "from torch._mill import gears\n" + "".join(f"gears.tooth{n} = f\n" for n in range(25))


class Revisions(NamedTuple):
    repo: GitRepo
    old: str
    new: str


@pytest.fixture(scope="module")
def revisions(tmp_path_factory: pytest.TempPathFactory) -> Revisions:
    repo = GitRepo(tmp_path_factory.mktemp("diff") / "mill_npu")
    gears = "from torch._mill.gears import Gear\n\n\nclass NPUGear(Gear):\n    def turn(self): ...\n"
    old = repo.commit(
        {"torch_npu/gears.py": gears, "torch_npu/same.py": "x = 1\n", "torch_npu/gone.py": "import torch._mill\n"}
    )
    repo.rename("torch_npu/gears.py", "torch_npu/sub/gears.py")
    new = repo.commit({"torch_npu/many.py": MANY, "torch_npu/gone.py": None})
    return Revisions(repo, old, new)


def test_gained_lost_and_moved(cli: CommandLine, revisions: Revisions) -> None:
    repo, old, new = revisions
    found = cli("index", "diff", old, new, "--downstream", repo.path, "--json").json
    assert (found["downstream"], found["old"]["revision"], found["new"]["revision"]) == ("mill_npu", old, new)
    assert [(found[side]["files"], found[side]["reused"], found[side]["read"]) for side in ("old", "new")] == [
        (3, 0, 3),
        (3, 2, 1),
    ]
    assert found["changed_files"] == {
        "added": ["torch_npu/many.py", "torch_npu/sub/gears.py"],
        "deleted": ["torch_npu/gears.py", "torch_npu/gone.py"],
        "modified": [],
        "same": 1,
    }
    assert found["counts"]["patch"] == {"gained": 25, "lost": 0, "moved": 0}
    assert found["counts"]["subclass"] == {"gained": 0, "lost": 0, "moved": 1}
    assert found["gained"][0] == {
        "kind": "patch",
        "path": "torch_npu/many.py",
        "scope": "<module>",
        "symbol": "torch._mill.gears.tooth0",
        "lines": [2],
    }
    assert [(one["kind"], one["symbol"]) for one in found["lost"]] == [("import", "torch._mill")]
    assert {(one["old_path"], one["path"]) for one in found["moved"]} == {
        ("torch_npu/gears.py", "torch_npu/sub/gears.py")
    }


def test_counts_come_first_and_lists_are_cut(cli: CommandLine, revisions: Revisions) -> None:
    repo, old, new = revisions
    command = ("index", "diff", old, new, "--downstream", repo.path)
    text = cli(*command).out
    first, files, columns, patches, *_ = text.splitlines()
    assert first == f"mill_npu：{old} → {new}"
    assert files == "文件：新增 2，删除 2，修改 0；内容相同的 1 个不比较"
    assert columns.split() == ["类型", "新增", "消失", "移动"]
    assert patches.split() == ["赋值式", "patch", "25", "0", "0"]
    assert text.index("合计") < text.index("新增的耦合（") < text.index("消失的耦合（1 处）")
    assert "  torch_npu/many.py\n    :2  torch._mill.gears.tooth0  <module>\n" in text
    assert "torch_npu/gears.py → torch_npu/sub/gears.py" in text
    cut = re.search(r"另有 (\d+) 处未列出，加 --all 列出全部", text)
    assert cut is not None
    assert "tooth24" not in text
    everything = cli(*command, "--all").out
    assert "tooth24" in everything
    assert "未列出" not in everything
    assert len(re.findall("tooth", cli(*command, "--limit", "3").out)) == 3


def test_a_revision_and_itself(cli: CommandLine, revisions: Revisions) -> None:
    repo, old, _ = revisions
    outcome = cli("index", "diff", old[:9], old, "--downstream", repo.path)
    assert outcome.code == ExitCode.OK
    assert "两个版本与上游的耦合相同。" in outcome.out
    assert cli("index", "diff", old, old, "--downstream", repo.path, "--json").json["counts"] == {}


def test_what_cannot_be_compared(cli: CommandLine, revisions: Revisions) -> None:
    repo, old, new = revisions
    tree = ("--downstream", repo.path)
    assert cli.fails("index", "diff", old, "nowhere", *tree)[0] == ExitCode.TREE
    assert cli.fails("index", "diff", old, new, "--downstream", repo.path / "torch_npu")[0] == ExitCode.TREE
    assert cli.fails("index", "diff", old, new)[0] == ExitCode.USAGE
    assert cli.fails("index", "diff", old, *tree)[0] == ExitCode.USAGE
    code, sentence = cli.fails("index", "diff", old, new, *tree, "--all", "--limit", "5")
    assert (code, "--all 与 --limit" in sentence) == (ExitCode.USAGE, True)
    code, sentence = cli.fails("index", "diff", old, new, *tree, "--limit", "0")
    assert (code, "--limit 不能小于 1" in sentence) == (ExitCode.USAGE, True)
