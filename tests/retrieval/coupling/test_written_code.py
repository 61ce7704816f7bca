"""`written_code`: statements that strings write into generated files."""

from __future__ import annotations

import time

import pytest

from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.written_code import written_code
from retrieval.models import EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition

SPIN = definition("spin")


def written(source: str) -> list[tuple[str, int]]:
    file = PythonFile(source.encode())
    return [(found.target, found.line) for found in written_code(file.source)]


FORMS = {
    "an import": ("from torch._mill.gears import spin", ["spin"]),
    "with an alias": ("from torch._mill.gears import spin as s", ["spin"]),
    "of several names": ("from torch._mill.gears import spin, stop as s, Gear", ["spin", "stop", "Gear"]),
    "in brackets": ("from torch._mill.gears import (spin, stop,)", ["spin", "stop"]),
    "with a comma at its end": ("from torch._mill.gears import spin, \\", []),
    "a plain import": ("import torch._mill.gears.spin", ["spin"]),
    "a plain import with an alias": ("import torch._mill.gears.spin as g", ["spin"]),
    "an assignment": ("spin = torch._mill.gears.spin", ["spin"]),
    "without blanks": ("s=torch._mill.gears.spin", ["spin"]),
}


@pytest.mark.parametrize(("line", "names"), FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize(
    "string", ["x = '''\n{}\n'''\n", 'f(b"""\n\n    {}  \nmore\n""")\n', "x = f'''\n{}\n{{y}}\n'''\n"]
)
def test_a_whole_line_that_is_a_statement_names_upstream(line: str, names: list[str], string: str) -> None:
    found = [target for target, _ in written(string.format(line))]
    assert found == [f"torch._mill.gears.{name}" for name in names]


def test_a_string_of_one_line_counts_as_well() -> None:
    source = "emit('import torch._mill.gears')\nemit(f'from torch._mill.gears import spin')\n"
    assert written(source) == [("torch._mill.gears", 1), ("torch._mill.gears.spin", 2)]


LOOK_ALIKES = {
    "a sentence": "x = 'see torch._mill.gears.spin'\n",
    "a sentence that ends like an import": "x = 'please import torch._mill.gears'\n",
    "a sentence that begins like an import": "x = 'import torch._mill.gears first'\n",
    "a name alone": "x = 'torch._mill.gears.spin'\n",
    "a call": "x = 's = torch._mill.gears.spin(1)'\n",
    "a public name": "x = 's = torch.spin'\n",
    "another package": "x = 'from mill.gears import spin'\ny = 'from torchmill.gears import spin'\n",
    "a longer statement": "x = 'a.b = torch._mill.gears.spin'\n",
    "a comparison": "x = 's == torch._mill.gears.spin'\n",
    "a comment": "# from torch._mill.gears import spin\n",
    "code": "from torch._mill.gears import spin\ns = torch._mill.gears.spin\n",
    "a docstring": '"""Doc.\n\nimport torch._mill.gears\n"""\n',
    "a docstring with a prefix": 'def f():\n    r"""Doc.\n\n    s = torch._mill.gears.spin\n    """\n',
    "a docstring of a class": "class C:\n    '''\n    import torch._mill.gears\n    '''\n",
    "what an f-string goes on with": "x = f's = torch._mill.gears.spin{y}'\n",
    "what an f-string began": "x = f'{y}s = torch._mill.gears.spin'\n",
    "a name that is filled in": "x = f's = torch._mill.{y}.spin'\n",
    "an escaped line": "x = 'a\\\\nimport torch._mill.gears'\n",
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes(source: str) -> None:
    assert written(source) == []


def test_lines_between_what_is_filled_in_are_whole() -> None:
    source = (
        "x = f'''{a}\ns = torch._mill.gears.spin\n{b}s = torch._mill.gears.stop\n{c}\nimport torch._mill.wheels\n'''\n"
    )
    assert written(source) == [("torch._mill.gears.spin", 2), ("torch._mill.wheels", 5)]


def test_a_written_name_is_a_reference_in_its_scope_on_its_line(index_of: IndexOf) -> None:
    source = code("""
        class Wrapper:
            def header(self):
                return '''
                    import torch
                    from torch._mill.gears import stop, spin as turn
                '''
        """)
    found = felt(index_of({"mill_npu/a.py": source}), EvidenceKind.REFERENCE, SPIN)
    assert places(found) == [("Wrapper.header", (5,), "spin")]
    assert [one.relation for one in found] == [Relation.SAME_SYMBOL]


def test_a_use_and_a_written_name_of_one_scope_share_a_fact(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\ndef f():\n    gears.spin(1)\n    emit('spin = torch._mill.gears.spin')\n"
    assert places(felt(index_of({"mill_npu/a.py": source}), EvidenceKind.REFERENCE, SPIN)) == [("f", (3, 4), "spin")]


def test_a_carriage_return_ends_a_line() -> None:
    assert written("x = '''\r\nimport torch._mill.gears\r\n'''\r\n") == [("torch._mill.gears", 2)]


@pytest.mark.parametrize(
    "line",
    [
        "from torch.x import " + "a" * 4000 + "!",
        "from torch.x import " + "a, " * 4000 + "!",
        "from torch.x import " + "a as b, " * 2000 + "!",
        "import torch" + ".a" * 4000 + "!",
        "x = torch" + ".a" * 4000 + "!",
        "x" + " " * 4000 + "= torch.x",
    ],
    ids=["a long name", "many names", "many aliases", "a long import", "a long chain", "blanks"],
)
def test_a_hostile_line_takes_no_time(line: str) -> None:
    began = time.perf_counter()
    assert written(f"x = '''\n{line}\ntorch.\n'''\n") == []
    assert time.perf_counter() - began < 1
