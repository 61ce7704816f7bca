"""`about`: where a scope that is about the same thing shows it."""

from __future__ import annotations

import pytest

from retrieval.coupling.about import couple_about
from retrieval.coupling.coupling import NO_DETAIL, Coupling
from retrieval.index import Index
from retrieval.models import EvidenceKind, Relation
from tests.support.tree import IndexOf, code

PIECES = {"grind": 2.0, "wheel": 1.0, "oil": 0.5}


def about(index: Index, scope: str = "f", path: str = "mill_npu/a.py") -> Coupling | None:
    return couple_about((path, scope), 0.5, PIECES, "torch._mill.oil", index)


def test_the_place_is_the_name_that_shares_the_weightiest_words(index_of: IndexOf) -> None:
    source = code("""
        from torch._mill import gears
        def f(x):
            gears.oil_can(x)
            gears.grind_wheel(x)
            gears.grind_wheel(x)
            gears.grind(x)
        def g():
            gears.grind_wheel_oil()
        """)
    found = about(index_of({"mill_npu/a.py": source}))
    assert found is not None
    assert (found.kind, found.relation) == (EvidenceKind.HOOK, Relation.ABOUT)
    assert (found.path, found.scope, found.lines, found.token) == ("mill_npu/a.py", "f", (4, 5), "grind_wheel")
    assert (found.symbol, found.weight) == ("torch._mill.oil", 0.5)


def test_of_equal_names_a_patch_speaks_first_and_a_mere_use_last(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\ndef f():\n    gears.grind(1)\n    gears.grind = x\n"
    found = about(index_of({"mill_npu/a.py": source}))
    assert found is not None
    assert found.lines == (4,)


def test_of_equal_uses_the_first_speaks(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\ndef f():\n    gears.wheel_b(1)\n    gears.wheel_a(1)\n"
    found = about(index_of({"mill_npu/a.py": source}))
    assert found is not None
    assert (found.lines, found.token) == ((3,), "wheel_b")


def test_a_scope_speaks_by_its_own_name_too(index_of: IndexOf) -> None:
    python = "def f(): ...\ndef grind_own():\n    x = 1\n"
    index = index_of({"mill_npu/a.py": python, "mill_npu/b.cpp": "int grind() { oil(); }\n"})
    own = about(index, "grind_own")
    assert own is not None
    assert (own.token, own.lines) == ("grind_own", (2,))
    cpp = about(index, "grind", "mill_npu/b.cpp")
    assert cpp is not None
    assert cpp.token == "grind"


def test_what_the_name_is_coupled_to_is_not_told(index_of: IndexOf) -> None:
    source = "import torch\naten = torch.ops.aten\ndef f(x):\n    make_fallback(aten.grind.default)\n"
    found = about(index_of({"mill_npu/a.py": source}))
    assert found is not None
    assert (found.token, found.lines, found.symbol, found.detail) == ("grind", (4,), "torch._mill.oil", NO_DETAIL)


NOTHING = {
    "words in strings": "def f():\n    return 'grind wheel'\n",
    "words of a scope inside": "def f():\n    def g():\n        grind()\n    return 1\n",
    "words of the scope around": "import grind\ndef f():\n    return 1\n",
    "words of a parameter": "def f(grind):\n    return 1\n",
    "a part of a longer piece": "def f():\n    regrinding()\n",
    "no such scope": "def h():\n    grind()\n",
}


@pytest.mark.parametrize("source", NOTHING.values(), ids=NOTHING.keys())
def test_a_scope_whose_shared_words_are_no_names_shows_nothing(index_of: IndexOf, source: str) -> None:
    assert about(index_of({"mill_npu/a.py": source})) is None
