"""`bindings`: what a name stands for where it is used. The forms of names are tested in ``test_reference``."""

from __future__ import annotations

import pytest

from retrieval.coupling.python_file import PythonFile
from tests.support.tree import code


def _targets(source: str, marker: str = "HERE") -> set[str] | None:
    """Targets of the chain that stands where ``HERE(…)`` encloses it."""
    file = PythonFile(code(source).encode())
    position = file.source.data.index(f"{marker}(".encode()) + len(marker) + 1
    for use in file.uses:
        if position in use.starts:
            return None if use.targets is None else set(use.targets)
    raise AssertionError("no chain there")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("HERE(a)", None),
        ("import a\nHERE(a)", {"a"}),
        ("import a.b\nHERE(a.c)", {"a.c"}),
        ("import a.b as c\nHERE(c.d)", {"a.b.d"}),
        ("from . import a\nHERE(a)", {".a"}),
        ("from .. import a\nHERE(a)", {"..a"}),
        ("from .a import b\nHERE(b)", {".a.b"}),
        ("a = 1\nHERE(a)", {"@.a"}),
        ("def a(): ...\nHERE(a)", {"@.a"}),
        ("def f():\n    a = 1\n    HERE(a)", set()),
        ("class C:\n    def m(self):\n        HERE(self.n)", {"@.C.n"}),
        ("class C:\n    @classmethod\n    def m(cls):\n        HERE(cls.n)", {"@.C.n"}),
        ("def f(self):\n    HERE(self.n)", set()),
        ("class C:\n    def m(self):\n        def g():\n            HERE(self.n)", {"@.C.n"}),
        ("from m import *\nHERE(a)", {"m.a"}),
        ("from m import *\nfrom n import *\nHERE(a.b)", {"m.a.b", "n.a.b"}),
        ("from m import *\nHERE(len)", None),
        ("from m import *\nHERE(torch.a)", {"torch.a"}),
        ("from m import *\na = 1\nHERE(a)", {"@.a"}),
    ],
)
def test_where_names_come_from(source: str, expected: set[str] | None) -> None:
    assert _targets(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from m import a\na = 1\nHERE(a)", {"@.a"}),
        ("from m import a\nHERE(a)\na = 1", {"m.a"}),
        ("a = 1\nfrom m import a\nHERE(a)", {"m.a"}),
        ("from m import a\nif x:\n    a = 1\nHERE(a)", {"m.a", "@.a"}),
        ("from m import a\nif x:\n    a = 1\n    HERE(a)", {"@.a"}),
        ("try:\n    from m import a\nexcept E:\n    a = None\nHERE(a)", {"m.a", "@.a"}),
        ("try:\n    from m import a\n    HERE(a)\nexcept E:\n    a = None", {"m.a"}),
        ("try:\n    from m import a\nexcept E:\n    from n import a\nelse:\n    pass\nHERE(a)", {"m.a", "n.a"}),
        ("if x:\n    from m import a\nelse:\n    from n import a\nHERE(a)", {"m.a", "n.a"}),
        ("from m import a\nfor a in x:\n    HERE(a)", set()),
        ("from m import a\nfor a in x: ...\nHERE(a)", {"m.a"}),
        ("from m import a\nwith x as a: ...\nHERE(a)", set()),
        ("from m import a\ntry: ...\nexcept E as a: ...\nHERE(a)", {"m.a"}),
        ("from m import a\nclass a(HERE(a).b): ...", {"m.a"}),
        ("from m import a\ndef a(x=HERE(a).b): ...", {"m.a"}),
        ("from m import a\n@HERE(a).b\ndef a(): ...", {"m.a"}),
        ("from m import a\ndef a():\n    HERE(a)", {"@.a"}),
        ("from m import a\ndef f():\n    HERE(a)\na = 1", {"@.a"}),
        ("from m import a\ndef f():\n    HERE(a)\nif x:\n    a = 1", {"m.a", "@.a"}),
        ("from m import a\nclass C:\n    HERE(a)\na = 1", {"m.a"}),
        ("from m import a\na = HERE(a)", {"m.a"}),
        ("from m import a\ndef f():\n    a = HERE(a)", set()),
        ("def f():\n    while x:\n        HERE(a)\n        from m import a", {"m.a"}),
        ("a = None\ndef f():\n    global a\n    from m import a\nHERE(a)", {"@.a", "m.a"}),
        ("def f():\n    global a\n    HERE(a)\nfrom m import a", {"m.a"}),
        ("from m import a\ndef f(a):\n    def g():\n        global a\n        HERE(a)", {"m.a"}),
        ("def f():\n    from m import a\n    def g():\n        nonlocal a\n        HERE(a)", {"m.a"}),
        ("from m import a\nif x: a = HERE(a)", {"m.a"}),
    ],
)
def test_which_of_several_bindings_reach_a_use(source: str, expected: set[str]) -> None:
    assert _targets(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from m import a\nraw = a.b\nHERE(raw)", {"m.a.b"}),
        ("from m import a\nraw = a.b\nmore = raw\nHERE(more.c)", {"m.a.b.c"}),
        ("from m import a\ndef f():\n    raw = a.b\n    def g():\n        HERE(raw)", {"m.a.b"}),
        ("from m import a\nx = y = a.b\nHERE(x)", {"m.a.b"}),
        ("from m import a\nraw: Callable = a.b\nHERE(raw)", {"m.a.b"}),
        ("raw = raw.x\nHERE(raw)", {"@.raw"}),
        ("def f():\n    a = b\n    b = a\n    HERE(a)", set()),
        ("from m import A\nk = A(1)\nHERE(k.x)", {"m.A.x"}),
        ("from m import _A\nk = _A(1)\nHERE(k.x)", {"m._A.x"}),
        ("from m import make\nk = make(1)\nHERE(k.x)", {"@.k.x"}),
        ("from m import A\nk: A = make(1)\nHERE(k.x)", {"m.A.x"}),
        ("from m import A\nk: 'A'\nHERE(k.x)", {"m.A.x"}),
        ("from m import A\ndef f(k: A):\n    HERE(k.x)", {"m.A.x"}),
        ("from m import A\ndef f(k: Optional['A'] = None):\n    HERE(k.x)", {"m.A.x"}),
        ("from m import A\ndef f(k: typing.Optional[A]):\n    HERE(k.x)", {"m.A.x"}),
        ("from m import A\ndef f(k: A | None):\n    HERE(k.x)", {"m.A.x"}),
        ("from m import A\ndef f(k: list[A]):\n    HERE(k.x)", set()),
        ("from m import A\ndef f(*k: A):\n    HERE(k)", {"m.A"}),
        ("from m import A\ndef f(k: A):\n    k = g()\n    HERE(k.x)", set()),
        (
            "from m import A\nclass C:\n    def i(self):\n        self.k = A(1)\n"
            "    def m(self):\n        HERE(self.k.x)",
            {"m.A.x"},
        ),
        ("class C:\n    def i(self, a):\n        self.k = a\n    def m(self):\n        HERE(self.k.x)", {"@.C.k.x"}),
        (
            "from m import A, B\nclass C:\n    def i(self, y):\n        self.k = None\n        self.k = A(1)\n"
            "        self.k = B(1)\n        HERE(self.k.x)",
            {"m.A.x", "m.B.x"},
        ),
        ("from m import A\nclass C:\n    def i(self, k: A):\n        self.k = k\n        HERE(self.k.x)", {"m.A.x"}),
    ],
)
def test_aliases_and_instances_are_followed(source: str, expected: set[str]) -> None:
    assert _targets(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from m import A\nk = A(1)\nk.x = 1", True),
        ("from m import A\nk = A\nk.x = 1", False),
        ("from m import A\nA.x = 1", False),
        ("from m import A\nk = A(1)\nl = k\nl.x = 1", True),
        ("from m import A\ndef f(k: A):\n    k.x = 1", True),
        ("from m import A\ndef f(k):\n    k.x = 1", False),
        ("import m\nm.x = 1", False),
        ("from m import A\nclass C:\n    def f(self):\n        self.k = A(1)\n        self.k.x = 1", True),
        ("import m\nclass C:\n    def f(self):\n        self.k = m.A\n        self.k.x = 1", False),
    ],
)
def test_instances_are_told_from_classes(source: str, expected: bool) -> None:
    file = PythonFile(source.encode())
    left = file.source.assignments[-1].left
    names = file.names(left)
    assert names is not None
    scope = file.source.naming_scope_at(left.start_byte)
    assert file.bindings.holds_instance(names, scope, left.start_byte) is expected
