"""An upstream change from wherever it comes: diff, patch, commit, range, pull request, two trees.

Contract: every source ends in the same ``UpstreamChange``. A patch file, git's own output and two trees all pass
through one parser. Bad input is one ``ChangeError`` naming source and line, or one ``SourceTreeError`` for a
repository or tree that cannot be read; nothing else is raised.
"""

from __future__ import annotations

from retrieval.change.about import About, apply_about, load_about
from retrieval.change.git_source import change_from_commit, change_from_pull_request, change_from_range
from retrieval.change.loading import load_change
from retrieval.change.patch import parse_diff, parse_patch
from retrieval.change.sides import FileSides, sides
from retrieval.change.tree_difference import change_between_trees

__all__ = [
    "About",
    "FileSides",
    "apply_about",
    "change_between_trees",
    "change_from_commit",
    "change_from_pull_request",
    "change_from_range",
    "load_about",
    "load_change",
    "parse_diff",
    "parse_patch",
    "sides",
]
