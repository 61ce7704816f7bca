"""The difference of two source trees as a change: two releases, two wheels, a folder and a commit.

Files are compared by blob id. Two commits of one repository are compared in place. For all others the files that
differ are written into a throw-away repository, so that git's own diff and rename detection serve every kind of tree:
the 354 files that a PyTorch minor release changes in ``_inductor`` and ``_dynamo`` take about a second of processor
time, where difflib alone takes 2 to 12 s and finds no rename.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from retrieval import words
from retrieval.change.git_source import changed_between
from retrieval.git_repository import GitRepository
from retrieval.git_tree import GitTree
from retrieval.models import ChangedFile, UpstreamChange
from retrieval.source_tree import SourceTree

_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n"})


def change_between_trees(base: SourceTree, head: SourceTree) -> UpstreamChange:
    """What leads from ``base`` to ``head``. File modes are compared between commits of one repository only."""
    name = words.tree_difference(f"{base.name} {_short(base)}", f"{head.name} {_short(head)}")
    return UpstreamChange(
        title=name,
        base_sha=base.revision if isinstance(base, GitTree) else None,
        head_sha=head.revision if isinstance(head, GitTree) else None,
        source=name,
        files=_changed_files(base, head, name),
    )


def _short(tree: SourceTree) -> str:
    return tree.revision[:12] if isinstance(tree, GitTree) else tree.revision


def _changed_files(base: SourceTree, head: SourceTree, source: str) -> tuple[ChangedFile, ...]:
    if isinstance(base, GitTree) and isinstance(head, GitTree) and base.location.resolve() == head.location.resolve():
        return changed_between(head.repository, base.revision, head.revision, source)
    common = set(base.files()) & set(head.files())
    with tempfile.TemporaryDirectory(prefix="reviewbot-") as folder:
        repository = GitRepository(Path(folder))
        repository.run("init", "--quiet", "--bare", "--template=", ".")
        with (Path(folder) / "stream").open("w+b") as stream:
            for branch, tree in (("base", base), ("head", head)):
                stream.writelines(
                    _commit_stream(branch, tree, [file.path for file in tree.files() if file not in common])
                )
            stream.seek(0)
            # No compression, no deltas: the repository lives for a second.
            repository.run("-c", "core.compression=0", "fast-import", "--quiet", "--depth=0", stdin=stream)
        return changed_between(repository, "refs/heads/base", "refs/heads/head", source)


def _commit_stream(branch: str, tree: SourceTree, paths: list[str]) -> Iterator[bytes]:
    """A root commit holding ``paths`` of ``tree``, in the language of ``git fast-import``."""
    yield f"commit refs/heads/{branch}\ncommitter reviewbot <> 0 +0000\ndata 0\n".encode()
    for path, content in tree.read_many(paths):
        yield f'M 100644 inline "{path.translate(_ESCAPES)}"\ndata {len(content)}\n'.encode()
        yield content
        yield b"\n"
