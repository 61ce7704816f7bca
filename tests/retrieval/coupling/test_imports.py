"""`import`: a changed symbol, its class or its module imported by name."""

from __future__ import annotations

import pytest

from retrieval.models import EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition, renamed

KIND = EvidenceKind.IMPORT
SPIN = definition("spin")

FORMS = {
    "by name": ("from torch._mill.gears import spin\n", ("<module>", (1,), "spin")),
    "under an alias": ("from torch._mill.gears import spin as s\n", ("<module>", (1,), "spin")),
    "in brackets": (
        "from torch._mill.gears import (\n    stop,\n    # spin\n    spin as s,\n)\n",
        ("<module>", (4,), "spin"),
    ),
    "behind a backslash": ("from torch._mill.gears import stop, \\\n    spin\n", ("<module>", (2,), "spin")),
    "in a function": ("def f():\n    from torch._mill.gears import spin\n", ("f", (2,), "spin")),
    "in a class": ("class C:\n    from torch._mill.gears import spin\n", ("C", (2,), "spin")),
    "in a try": ("try:\n    from torch._mill.gears import spin\nexcept E: ...\n", ("<module>", (2,), "spin")),
    "for type checkers": ("if TYPE_CHECKING:\n    from torch._mill.gears import spin\n", ("<module>", (2,), "spin")),
    "with carriage returns": ("import a\r\nfrom torch._mill.gears import spin\r\n", ("<module>", (2,), "spin")),
    "behind a byte-order mark": ("\ufefffrom torch._mill.gears import spin\n", ("<module>", (1,), "spin")),
    "after a syntax error": ("def (:\n\nfrom torch._mill.gears import spin\n", ("<module>", (3,), "spin")),
}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_an_import(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...], str]) -> None:
    found = [one for one in felt(index_of({"mill_npu/a.py": source}), KIND, SPIN) if one.symbol.endswith("spin")]
    assert places(found) == [expected]
    assert {one.relation for one in found} == {Relation.SAME_SYMBOL}


@pytest.mark.parametrize(
    "source",
    [
        "from torch._mill.wheels import spin\n",
        "from mill.gears import spin\n",
        "# from torch._mill.gears import spin\n",
        'x = """\nfrom torch._mill.gears import spin\n"""\n',
        "from torch._mill.gears import spin_up, respin\n",
        "from torch._mill.gears import 创建spin\n",
        "from .gears import spin\n",
        "from torch._mill.gears import stop as spin\n",
    ],
    ids=["other module", "other package", "comment", "string", "longer names", "Chinese", "own module", "alias"],
)
def test_look_alikes_of_an_import(index_of: IndexOf, source: str) -> None:
    found = felt(index_of({"mill_npu/a.py": source}), KIND, SPIN)
    assert [one for one in found if one.relation is not Relation.SAME_MODULE] == []


MODULE_FORMS = {
    "by name": ("from torch._mill import gears\n", "gears"),
    "under an alias": ("import torch._mill.gears as g\n", "gears"),
    "dotted": ("import torch._mill.gears\n", "gears"),
    "star": ("from torch._mill.gears import *\n", "gears"),
    "dotted, over a line": ("import a, \\\n    torch._mill.gears\n", "gears"),
}


@pytest.mark.parametrize(("source", "token"), MODULE_FORMS.values(), ids=MODULE_FORMS.keys())
def test_the_changed_module_is_imported(index_of: IndexOf, source: str, token: str) -> None:
    found = felt(index_of({"mill_npu/a.py": source}), KIND, SPIN)
    assert [(one.relation, one.symbol, one.token) for one in found] == [
        (Relation.SAME_MODULE, "torch._mill.gears", token)
    ]


def test_the_class_around_a_changed_method_is_imported(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import Gear\n"
    found = felt(index_of({"mill_npu/a.py": source}), KIND, definition("Gear.turn"))
    assert [(one.relation, one.symbol) for one in found] == [(Relation.ENCLOSING, "torch._mill.gears.Gear.turn")]


def test_the_old_name_counts_for_a_renamed_symbol(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import spin\n"
    found = felt(index_of({"mill_npu/a.py": source}), KIND, renamed("spin", "rotate"))
    assert [(one.relation, one.symbol) for one in found] == [(Relation.SAME_SYMBOL, "torch._mill.gears.rotate")]


def test_a_downstream_import_of_a_reexport_is_an_import_too(index_of: IndexOf) -> None:
    files = {
        "mill_npu/_compat.py": "from torch._mill.gears import spin as npu_spin\n",
        "mill_npu/a.py": "from ._compat import npu_spin\n",
    }
    found = felt(index_of(files), KIND, SPIN)
    assert [(one.path, one.token) for one in found] == [("mill_npu/_compat.py", "spin"), ("mill_npu/a.py", "npu_spin")]


def test_a_relative_import_is_read_from_where_the_file_lies(index_of: IndexOf) -> None:
    source = "from ..gears import spin\nfrom . import stop\nfrom .... import far\n"
    files = {"mill_npu/a/b.py": source, "mill_npu/a/c/__init__.py": source}
    index = index_of(files)
    changed = [
        definition("spin", module="mill_npu.gears"),
        definition("stop", module="mill_npu.a"),
        definition("spin", module="mill_npu.a.gears"),
        definition("stop", module="mill_npu.a.c"),
    ]
    found = [[one.path for one in felt(index, KIND, change)] for change in changed]
    assert found == [
        ["mill_npu/a/b.py"],
        ["mill_npu/a/b.py"],
        ["mill_npu/a/c/__init__.py"],
        ["mill_npu/a/c/__init__.py"],
    ]


def test_an_import_that_climbs_out_of_the_tree_is_kept_and_matches_nothing(index_of: IndexOf) -> None:
    index = index_of({"setup.py": "from ..torch import spin\n", "mill_npu/a.py": code("from ...torch import spin\n")})
    assert felt(index, KIND, definition("spin", module="torch")) == []
