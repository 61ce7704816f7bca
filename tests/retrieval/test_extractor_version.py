"""The version of the extractor covers what facts depend on: whatever the extracting code imports."""

from __future__ import annotations

import ast
from importlib import resources
from pathlib import Path

from retrieval import extraction

PACKAGE = Path(str(resources.files("retrieval")))
#: Imported for what asks (couplings, questions), for reading trees, or for messages: none of it ends up in a fact.
WITHOUT_FACTS = {
    *("change", "copies/alignment.py", "copies/candidates.py", "copies/names.py", "copies/state.py", "delta/texts.py"),
    *("errors.py", "words.py", "frozen.py", "source_tree.py", "folder_tree.py", "wheel_tree.py"),
    *("git_objects.py", "git_repository.py", "git_tree.py", "models/change.py", "models/delta.py"),
}


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "retrieval":
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def source_of(module: str) -> Path | None:
    path = PACKAGE.parent / f"{module.replace('.', '/')}.py"
    return path if path.is_file() else None


def reached() -> set[str]:
    """Paths, relative to the package, of all modules that extraction imports, one behind the other."""
    seen: set[str] = set()
    pending = ["retrieval.extraction"]
    while pending:
        path = source_of(pending.pop())
        name = path.relative_to(PACKAGE).as_posix() if path is not None else ""
        if path is None or name in seen or Path(name).name in extraction._ASKING:
            continue
        seen.add(name)
        pending += imported(path)
    return seen


def test_what_the_extracting_code_imports_is_in_its_version() -> None:
    covered = {*extraction._OUTSIDE_COUPLING, *WITHOUT_FACTS}
    missing = {
        name
        for name in reached()
        if not name.startswith("coupling/") and name not in covered and name.partition("/")[0] not in covered
    }
    assert not missing, f"list these in retrieval/extraction.py: {sorted(missing)}"


def test_the_list_names_real_files() -> None:
    assert not [name for name in extraction._OUTSIDE_COUPLING if not (PACKAGE / name).is_file()]
    assert "registrations.py" in reached()
