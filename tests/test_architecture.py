"""Rules of the whole code base that no single module can keep: direction of imports, size, language, one catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.records import load_records

ROOT = Path(__file__).parents[1]
PACKAGES = ("retrieval", "reviewbot", "evals")
#: What a package may import of the others; ``prompts`` is data, which holds no code.
MAY_IMPORT = {
    "retrieval": {"retrieval"},
    "reviewbot": {"retrieval", "reviewbot", "prompts"},
    "evals": {*PACKAGES, "prompts"},
}
#: Services and user interfaces have no place in the pure core.
NOT_IN_RETRIEVAL = frozenset(
    {"alembic", "dbos", "fastapi", "git", "httpx", "langchain", "openai", "platformdirs", "prometheus_client"}
    | {"sqlalchemy", "structlog", "typer", "uvicorn"}
)
MOST_LINES = 400
MOST_FUNCTION_LINES = 60
IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
#: The label values are the words of the team's records: they are the enumeration, not a message, and a migration
#: keeps the values of its day.
LABEL_WORDS = re.compile(r"reviewbot/(models\.py|store/migrations/versions/\w+\.py)")

MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported_packages(tree: ast.AST) -> set[str]:
    """First components of all absolute imports, also those inside functions and under TYPE_CHECKING."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """String constants that are values: statements made of a string alone (docstrings) are not."""
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose:
            yield node


def test_the_code_is_seen_at_all() -> None:
    assert {name_of(path).partition("/")[0] for path in MODULES} == set(PACKAGES)
    assert len(MODULES) > 30


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    ours = {*PACKAGES, "prompts", "tests"}
    wrong = {
        f"{name_of(path)} imports {name}"
        for path in (ROOT / package).rglob("*.py")
        for name in imported_packages(parsed(path)) & (ours - MAY_IMPORT[package])
    }
    assert not wrong


def test_prompts_are_data() -> None:
    code = [path for path in (ROOT / "prompts").rglob("*.py") if parsed(path).body[1:]]
    assert not code, "a module under prompts/ may hold its docstring only"


def test_the_core_knows_no_service() -> None:
    wrong = {
        f"{name_of(path)} imports {name}"
        for path in (ROOT / "retrieval").rglob("*.py")
        for name in imported_packages(parsed(path)) & NOT_IN_RETRIEVAL
    }
    assert not wrong


def test_imports_are_found_wherever_they_stand() -> None:
    source = "import a.b\ndef f():\n    from c.d import e\nif TYPE:\n    import g as h\nfrom . import near\n"
    assert imported_packages(ast.parse(source)) == {"a", "c", "g"}


def test_user_visible_chinese_lives_in_the_catalogues() -> None:
    wrong = [
        f"{name_of(path)}:{text.lineno}"
        for path in MODULES
        if path.name != "words.py" and not LABEL_WORDS.fullmatch(name_of(path))
        for text in texts(parsed(path))
        if IDEOGRAPH.search(str(text.value))
    ]
    assert not wrong, f"move these texts to the package's words.py: {wrong}"


def test_docstrings_may_quote_chinese_and_values_may_not() -> None:
    tree = ast.parse('"""引用"""\nWORD = "引用"\nSAID = f"{x} 处引用"\n')
    assert [text.lineno for text in texts(tree) if IDEOGRAPH.search(str(text.value))] == [2, 3]


def test_files_and_functions_are_small_rooms() -> None:
    wrong = []
    for path in [*MODULES, *(ROOT / "tests").rglob("*.py")]:
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > MOST_LINES:
            wrong.append(f"{name_of(path)} has {lines} lines")
    for path in MODULES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > MOST_FUNCTION_LINES:
                    wrong.append(f"{name_of(path)}:{node.lineno} {node.name} has {length} lines")
    assert not wrong


def test_every_module_states_its_contract() -> None:
    assert not [name_of(path) for path in MODULES if not ast.get_docstring(parsed(path))]


def test_annotations_are_never_evaluated_early() -> None:
    wrong = []
    for path in MODULES:
        imports = [node for node in parsed(path).body if isinstance(node, ast.ImportFrom | ast.Import)]
        if imports and not (isinstance(imports[0], ast.ImportFrom) and imports[0].module == "__future__"):
            wrong.append(name_of(path))
    assert not wrong


def test_no_module_hides_behind_a_vague_name() -> None:
    vague = {"utils", "util", "helpers", "helper", "manager", "common", "misc", "data"}
    assert not [name_of(path) for path in MODULES if path.stem in vague or path.parent.name in vague]


def test_an_enumeration_lives_once() -> None:
    """Two lists of the same values drift apart; the second one has to use the first."""
    seen: dict[frozenset[str], str] = {}
    wrong = []
    for path in MODULES:
        for node in ast.walk(parsed(path)):
            if not (isinstance(node, ast.ClassDef) and "StrEnum" in {ast.unparse(base) for base in node.bases}):
                continue
            values = frozenset(
                str(part.value.value)
                for part in node.body
                if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant)
            )
            if values in seen:
                wrong.append(f"{name_of(path)} {node.name} repeats {seen[values]}")
            seen[values] = f"{name_of(path)} {node.name}"
    assert not wrong


def test_nothing_is_fitted_to_the_labelled_records() -> None:
    """No rule, weight or text of the product may name a place that a labelled record cites, or the pull request."""
    records = load_records()
    cited = {item.path for record in records for item in record.evidence.items}
    scopes = {item.scope for record in records for item in record.evidence.items}
    telling = {scope for scope in scopes if "." in scope or "npu" in scope.lower()}
    names = cited | telling | {str(record.upstream_pr) for record in records}
    told = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w.])")
    product = [path for package in ("retrieval", "reviewbot", "prompts") for path in (ROOT / package).rglob("*")]
    wrong = [
        f"{name_of(path)} names {found}"
        for path in product
        if path.is_file() and "__pycache__" not in path.parts
        for found in sorted(set(told.findall(path.read_text(encoding="utf-8"))))
    ]
    assert not wrong
