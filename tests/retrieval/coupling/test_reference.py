"""`reference`: every way to name an upstream symbol in code, and what only looks like it."""

from __future__ import annotations

import pytest

from retrieval.coupling.rarity import RARE_FILES
from retrieval.models import DefinitionKind, EvidenceKind, Relation
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition, operator

KIND = EvidenceKind.REFERENCE
SPIN = definition("spin")
TURN = definition("Gear.turn")
GEAR = definition("Gear", definition=DefinitionKind.CLASS)

SPIN_FORMS = {
    "through the imported module": ("from torch._mill import gears\ngears.spin(1)\n", ("<module>", (2,), "spin")),
    "through a module alias": ("import torch._mill.gears as g\ng.spin(1)\n", ("<module>", (2,), "spin")),
    "through the whole package": ("import torch\ntorch._mill.gears.spin(1)\n", ("<module>", (2,), "spin")),
    "through a plain dotted import": ("import torch._mill.gears\ntorch._mill.gears.spin\n", ("<module>", (2,), "spin")),
    "by its own name": ("from torch._mill.gears import spin\nspin(1)\n", ("<module>", (2,), "spin")),
    "by an alias": ("from torch._mill.gears import spin as s\ns(1)\n", ("<module>", (2,), "s")),
    "by a saved alias": ("from torch._mill import gears\nraw = gears.spin\n\nraw(1)\n", ("<module>", (4,), "raw")),
    "star import": ("from torch._mill.gears import *\nspin(1)\n", ("<module>", (2,), "spin")),
    "package from a star import": ("from mill import *\ntorch._mill.gears.spin(1)\n", ("<module>", (2,), "spin")),
    "several lines of one scope": (
        "from torch._mill import gears\n\ndef f(x):\n    gears.spin(x)\n    return gears.spin(x)\n",
        ("f", (4, 5), "spin"),
    ),
    "imported in a function": ("def f():\n    from torch._mill import gears\n    gears.spin(1)\n", ("f", (3,), "spin")),
    "imported in an outer function": (
        "def f():\n    from torch._mill import gears\n    def g():\n        gears.spin(1)\n",
        ("f.g", (4,), "spin"),
    ),
    "decorator": ("from torch._mill import gears\n\n@gears.spin\ndef f(): ...\n", ("f", (3,), "spin")),
    "decorator of a method": (
        "from torch._mill import gears\nclass C:\n    @gears.spin\n    def m(self): ...\n",
        ("C.m", (3,), "spin"),
    ),
    "class decorator": ("from torch._mill import gears\n\n@gears.spin\nclass C: ...\n", ("C", (3,), "spin")),
    "class body": ("from torch._mill import gears\nclass C:\n    f = gears.spin\n", ("C", (3,), "spin")),
    "default argument": ("from torch._mill import gears\ndef f(spin=gears.spin): ...\n", ("f", (2,), "spin")),
    "default argument shadowed by its parameter": (
        "from torch._mill import gears\ndef f(gears=gears.spin): ...\n",
        ("f", (2,), "spin"),
    ),
    "annotation": ("from torch._mill import gears\ndef f(x: gears.spin): ...\n", ("f", (2,), "spin")),
    "return annotation": ("from torch._mill import gears\ndef f() -> gears.spin: ...\n", ("f", (2,), "spin")),
    "lambda body": ("from torch._mill import gears\nf = lambda x: gears.spin(x)\n", ("<module>", (2,), "spin")),
    "lambda default": ("from torch._mill import gears\nf = lambda gears=gears.spin: 1\n", ("<module>", (2,), "spin")),
    "comprehension": ("from torch._mill import gears\nx = [gears.spin(i) for i in y]\n", ("<module>", (2,), "spin")),
    "first iterable of a comprehension": (
        "from torch._mill import gears\nx = [gears for gears in gears.spin()]\n",
        ("<module>", (2,), "spin"),
    ),
    "keyword argument value": ("from torch._mill import gears\nf(spin=gears.spin)\n", ("<module>", (2,), "spin")),
    "f-string expression": ("from torch._mill import gears\nx = f'{gears.spin(1)}'\n", ("<module>", (2,), "spin")),
    "f-string width": ("from torch._mill import gears\nx = f'{y:>{gears.spin}}'\n", ("<module>", (2,), "spin")),
    "global": (
        "def load():\n    global gears\n    from torch._mill import gears\n\ndef f():\n    gears.spin(1)\n",
        ("f", (6,), "spin"),
    ),
    "nonlocal": (
        "def f():\n    g = None\n    def load():\n        nonlocal g\n        from torch._mill import gears as g\n"
        "    g.spin(1)\n",
        ("f", (6,), "spin"),
    ),
    "conditional expression": (
        "from torch._mill import gears\nx = gears.spin if y else z\n",
        ("<module>", (2,), "spin"),
    ),
    "after a rebinding elsewhere": (
        "from torch._mill import gears\ndef f():\n    gears = 1\ngears.spin(1)\n",
        ("<module>", (4,), "spin"),
    ),
    "used before it is rebound": (
        "from torch._mill import gears\ngears.spin(1)\ngears = None\n",
        ("<module>", (2,), "spin"),
    ),
    "match statement": (
        "from torch._mill import gears\nmatch x:\n    case gears.spin: ...\n",
        ("<module>", (3,), "spin"),
    ),
}


@pytest.mark.parametrize(("source", "expected"), SPIN_FORMS.values(), ids=SPIN_FORMS.keys())
def test_forms_of_a_reference(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...], str]) -> None:
    found = felt(index_of({"mill_npu/a.py": source}), KIND, SPIN)
    assert expected in places(found)
    assert {(one.relation, one.symbol) for one in found} == {(Relation.SAME_SYMBOL, "torch._mill.gears.spin")}


LOOK_ALIKES = {
    "a comment": "from torch._mill import gears  # spin\n# gears.spin(1)\n",
    "a string": "from torch._mill import gears\nx = 'gears.spin'\n",
    "a docstring": 'def f():\n    """torch._mill.gears.spin and spin"""\n',
    "the text of an f-string": "from torch._mill import gears\nx = f'gears.spin {y} gears.spin {{gears.spin}}'\n",
    "a string prefix": "from torch._mill.gears import spin as f, spin as rb\nx = f'{y}' + rb'z'\n",
    "a format": "from torch._mill.gears import spin as d, spin as r\nx = f'{y!r:d}'\n",
    "a type comment": "from torch._mill import gears\nx = 1  # type: gears.spin\n",
    "a quoted annotation": "from torch._mill import gears\nx: 'gears.spin' = 1\n",
    "a keyword argument name": "from torch._mill.gears import spin as s\nf(s=1)\n",
    "another module's symbol": "from torch._mill import wheels\nwheels.spin(1)\n",
    "another package's symbol": "from mill.gears import spin\nspin(1)\n",
    "an own function": "def spin(x): ...\nspin(1)\n",
    "an own class": "class gears:\n    def spin(self): ...\ngears().spin()\n",
    "a parameter": "from torch._mill import gears\ndef f(gears):\n    return gears.spin(1)\n",
    "a parameter of an outer function": (
        "from torch._mill import gears\ndef f(gears):\n    def g():\n        return gears.spin(1)\n"
    ),
    "a lambda parameter": "from torch._mill import gears\nf = lambda gears: gears.spin\n",
    "a lambda parameter of many": "from torch._mill import gears\nf = lambda a, *gears, b=1: gears.spin\n",
    "a comprehension variable": "from torch._mill import gears\nx = {gears.spin for gears in y}\n",
    "a second comprehension variable": "from torch._mill import gears\nx = [gears.spin for a in y for gears in a]\n",
    "a local variable": "from torch._mill import gears\ndef f():\n    gears = load()\n    gears.spin(1)\n",
    "a local bound later": "from torch._mill import gears\ndef f():\n    gears.spin(1)\n    gears = load()\n",
    "a loop variable": "from torch._mill import gears\ndef f():\n    for gears in x:\n        gears.spin(1)\n",
    "a loop variable at module level": "from torch._mill import gears\nfor gears in x:\n    gears.spin(1)\n",
    "a with target": "from torch._mill import gears\ndef f():\n    with x as gears:\n        gears.spin(1)\n",
    "an exception": "from torch._mill import gears\ntry: ...\nexcept E as gears:\n    gears.spin(1)\n",
    "a walrus": "from torch._mill import gears\ndef f():\n    if (gears := load()):\n        gears.spin(1)\n",
    "an unpacked variable": "from torch._mill import gears\ndef f():\n    a, (gears, b) = load()\n    gears.spin(1)\n",
    "a captured pattern": "from torch._mill import gears\ndef f(x):\n    match x:\n        case [gears]: gears.spin\n",
    "a rebound module name": "from torch._mill import gears\ngears = load()\ngears.spin(1)\n",
    "a name rebound before a function runs": (
        "from torch._mill import gears\ndef f():\n    gears.spin(1)\nclass gears: ...\n"
    ),
    "a class that takes the name": "from torch._mill import gears\nclass gears: ...\ngears.spin(1)\n",
    "a class attribute seen from a method": (
        "class C:\n    from torch._mill import gears\n    def m(self):\n        return gears.spin(1)\n"
    ),
    "a function's own name": "from torch._mill.gears import spin\nclass C:\n    def spin(self): ...\n",
    "an identifier next to Chinese": "from torch._mill import gears\n创建spin = gears.创建spin选项\ngears.spin选项\n",
    "a string next to Chinese": "x = '创建spin选项'\n",
    "a longer name": "from torch._mill import gears\ngears.spin_up(1)\ngears.respin(1)\n",
    "an import alone": "from torch._mill.gears import spin\n",
    "a number": "from torch._mill.gears import spin as e5, spin as xFF, spin as j\nx = 1.e5 + 0xFF + 1j\n",
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes_of_a_reference(index_of: IndexOf, source: str) -> None:
    assert places(felt(index_of({"mill_npu/a.py": source}), KIND, SPIN)) == []


TURN_FORMS = {
    "through the class": ("gears.Gear.turn(x)\n", ("<module>", (2,), "turn")),
    "through an instance": ("k = gears.Gear(1)\nk.turn()\n", ("<module>", (3,), "turn")),
    "through an annotated variable": ("k: gears.Gear = load()\nk.turn()\n", ("<module>", (3,), "turn")),
    "through a parameter": ("def f(k: gears.Gear):\n    k.turn()\n", ("f", (3,), "turn")),
    "through a quoted parameter": ("def f(k: 'gears.Gear'):\n    k.turn()\n", ("f", (3,), "turn")),
    "through an optional parameter": ("def f(k: Optional[gears.Gear]):\n    k.turn()\n", ("f", (3,), "turn")),
    "through a union with None": ("def f(k: gears.Gear | None = None):\n    k.turn()\n", ("f", (3,), "turn")),
    "through a keyword-only parameter": ("def f(*, k: gears.Gear):\n    k.turn()\n", ("f", (3,), "turn")),
    "through a member": (
        "class C:\n    def __init__(self):\n        self.k = gears.Gear(1)\n    def m(self):\n        self.k.turn()\n",
        ("C.m", (6,), "turn"),
    ),
    "through a new object": ("gears.Gear(1, [2]).turn()\n", ("<module>", (2,), "turn")),
    "through a copy of an instance": ("k = gears.Gear(1)\nl = k\nl.turn()\n", ("<module>", (4,), "turn")),
    "through super": (
        "class C(gears.Gear):\n    def m(self):\n        super().turn()\n",
        ("C.m", (4,), "turn"),
    ),
    "through an alias of the class": ("G = gears.Gear\nG.turn(x)\n", ("<module>", (3,), "turn")),
    "over several lines": ("x = (gears\n     .Gear  # a comment\n     .turn)\n", ("<module>", (4,), "turn")),
    "with a backslash": ("x = gears.Gear. \\\n    turn\n", ("<module>", (3,), "turn")),
}


@pytest.mark.parametrize(("source", "expected"), TURN_FORMS.values(), ids=TURN_FORMS.keys())
def test_a_method_is_found_through_its_class(
    index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...], str]
) -> None:
    index = index_of({"mill_npu/a.py": f"from torch._mill import gears\n{source}"})
    same = [one for one in felt(index, KIND, TURN) if one.relation is Relation.SAME_SYMBOL]
    assert places(same) == [expected]


NO_TURN = {
    "a method of another class": "class Other:\n    def turn(self): ...\nOther().turn()\n",
    "a method of another upstream class": "from torch._mill import gears\ngears.Wheel(1).turn()\n",
    "a variable of another class": "class Other: ...\ndef f(k: Other):\n    k.turn()\n",
    "an own method": "class Other:\n    def turn(self): ...\n    def m(self):\n        self.turn()\n",
}


@pytest.mark.parametrize("source", NO_TURN.values(), ids=NO_TURN.keys())
def test_a_method_of_the_same_name_elsewhere_is_no_reference(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"mill_npu/a.py": source}), KIND, TURN) == []


def test_a_rare_attribute_of_an_unknown_object_counts_by_its_name_alone(index_of: IndexOf) -> None:
    found = felt(index_of({"mill_npu/a.py": "def f(x):\n    x.y[0].turn()\n"}), KIND, TURN)
    assert [(one.relation, one.lines) for one in found] == [(Relation.SAME_NAME, (2,))]


def test_a_common_attribute_of_an_unknown_object_says_nothing(index_of: IndexOf) -> None:
    files = {f"mill_npu/a{n}.py": "def f(x):\n    x.turn()\n" for n in range(20)}
    assert felt(index_of(files), KIND, TURN) == []


def test_an_inherited_method_called_on_self_is_a_member(index_of: IndexOf) -> None:
    source = code("""
        from torch._mill.gears import Gear
        class NPUGear(Gear):
            def m(self):
                return self.turn()
        """)
    found = felt(index_of({"mill_npu/a.py": source}), KIND, TURN)
    assert {(one.relation, one.scope, one.lines) for one in found} == {
        (Relation.MEMBER, "NPUGear.m", (4,)),
        (Relation.ENCLOSING, "NPUGear", (2,)),
    }


def test_a_change_of_a_class_reaches_what_uses_its_members(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\n\ndef f():\n    gears.Gear.stop()\n"
    found = felt(index_of({"mill_npu/a.py": source}), KIND, GEAR)
    assert {(one.relation, one.token) for one in found} == {(Relation.SAME_SYMBOL, "Gear")}


def test_a_change_of_a_method_reaches_what_uses_its_class(index_of: IndexOf) -> None:
    source = "from torch._mill import gears\n\ndef f():\n    gears.Gear(1)\n"
    found = felt(index_of({"mill_npu/a.py": source}), KIND, TURN)
    assert {(one.relation, one.token) for one in found} == {(Relation.ENCLOSING, "Gear")}


def test_naming_an_instance_is_no_reference_to_its_class(index_of: IndexOf) -> None:
    source = code("""
        from torch._mill.gears import Gear
        def f(k: Gear):
            g(k)
            k.turn()
        class C:
            def m(self):
                self.k = Gear(1)
                self.k.stop()
        """)
    found = felt(index_of({"mill_npu/a.py": source}), KIND, GEAR)
    assert places(found) == [("C.m", (7,), "Gear"), ("f", (2,), "Gear")]


def test_alternative_imports_count_both(index_of: IndexOf) -> None:
    source = code("""
        try:
            from torch._mill.gears import spin
        except ImportError:
            from torch._mill.wheels import spin
        spin(1)
        """)
    index = index_of({"mill_npu/a.py": source})
    for module in ("torch._mill.gears", "torch._mill.wheels"):
        assert places(felt(index, KIND, definition("spin", module=module))) == [("<module>", (5,), "spin")]


def test_an_import_with_a_fallback_value_counts(index_of: IndexOf) -> None:
    source = "try:\n    from torch._mill.gears import spin\nexcept ImportError:\n    spin = None\nspin(1)\n"
    assert places(felt(index_of({"mill_npu/a.py": source}), KIND, SPIN)) == [("<module>", (5,), "spin")]


REEXPORTS = {
    "a package": ({"mill_npu/__init__.py": "from torch._mill.gears import spin\n"}, "from mill_npu import spin"),
    "a relative import of a package": (
        {"mill_npu/compat/__init__.py": "from torch._mill.gears import spin\n"},
        "from .compat import spin",
    ),
    "a module": ({"mill_npu/_compat.py": "from torch._mill.gears import spin\n"}, "from mill_npu._compat import spin"),
    "two modules": (
        {
            "mill_npu/_compat.py": "from torch._mill.gears import spin\n",
            "mill_npu/_more.py": "from ._compat import spin\n",
        },
        "from ._more import spin",
    ),
    "another name": (
        {"mill_npu/_compat.py": "from torch._mill.gears import spin as npu_spin\n"},
        "from ._compat import npu_spin as spin",
    ),
    "a star": ({"mill_npu/_compat.py": "from torch._mill.gears import *\n"}, "from ._compat import spin"),
    "a star of a star": (
        {
            "mill_npu/_compat.py": "from torch._mill.gears import *\n",
            "mill_npu/_more.py": "from ._compat import *\n",
        },
        "from ._more import spin",
    ),
    "a star here": ({"mill_npu/_compat.py": "from torch._mill.gears import spin\n"}, "from ._compat import *"),
    "a conditional import": (
        {"mill_npu/_compat.py": "try:\n    from torch._mill.gears import spin\nexcept ImportError:\n    spin = None\n"},
        "from ._compat import spin",
    ),
}


@pytest.mark.parametrize(("files", "statement"), REEXPORTS.values(), ids=REEXPORTS.keys())
def test_a_name_is_followed_through_downstream_modules(
    index_of: IndexOf, files: dict[str, str], statement: str
) -> None:
    index = index_of({**files, "mill_npu/a.py": f"{statement}\n\nspin(1)\n"})
    found = [one for one in felt(index, KIND, SPIN) if one.path == "mill_npu/a.py"]
    assert places(found) == [("<module>", (3,), "spin")]


def test_a_downstream_name_behind_a_star_that_the_module_defines_itself_is_not_upstreams(index_of: IndexOf) -> None:
    files = {
        "mill_npu/_compat.py": "from torch._mill.gears import *\ndef spin(x): ...\n",
        "mill_npu/a.py": "from ._compat import spin\nspin(1)\n",
    }
    assert felt(index_of(files), KIND, SPIN) == []


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbffrom torch._mill import gears\ngears.spin(1)\n",
        b"from torch._mill import gears\r\ngears.spin(1)\r\n",
        b"\xef\xbb\xbffrom torch._mill import gears\r\ngears.spin(1)\r\n",
        b"from torch._mill import gears\ngears.spin(1)\ndef (:\n",
        b"from torch._mill import gears\ngears.spin(1)  # \xc4\xe3\xba\xc3\n",
        b"from torch._mill import gears\ngears.spin(1)",
    ],
    ids=["mark", "carriage returns", "both", "syntax error", "another encoding", "no last line end"],
)
def test_odd_files(index_of: IndexOf, source: bytes) -> None:
    assert places(felt(index_of({"mill_npu/a.py": source}), KIND, SPIN)) == [("<module>", (2,), "spin")]


OPERATORS = {
    "the customary alias": "aten = torch.ops.aten\ndef f():\n    aten.spin(1)\n",
    "an overload": "def f():\n    pass\n    torch.ops.aten.spin.default(1)\n",
    "the alias nobody binds here": "from mill import *\ndef f():\n    aten.spin.default(1)\n",
    "the alias from another module": "from torch._mill.lowering import aten\ndef f():\n    aten.spin(1)\n",
    "a saved operator": "op = torch.ops.aten.spin\ndef f():\n    op(1)\n",
}


@pytest.mark.parametrize("source", OPERATORS.values(), ids=OPERATORS.keys())
def test_operators_are_referred_to_by_any_spelling(index_of: IndexOf, source: str) -> None:
    index = index_of({"mill_npu/a.py": f"import torch\n{source}"})
    found = [one for one in felt(index, KIND, operator("aten.spin")) if one.scope == "f"]
    assert [(one.lines, one.relation) for one in found] == [((4,), Relation.SAME_OPERATOR)]


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.ops.prims.spin(1)\n",
        "import torch\ntorch.nn.quantized.Spin(1)\n",
        "def f(aten):\n    aten.spin(1)\n",
        "import torch\ntorch.ops.aten.spin_up(1)\n",
        "x = 'aten.spin'  # aten.spin\n",
    ],
)
def test_look_alikes_of_an_operator(index_of: IndexOf, source: str) -> None:
    index = index_of({"mill_npu/a.py": source})
    assert felt(index, KIND, operator("aten.spin"), operator("quantized.Spin")) == []


def test_names_that_changed_lines_use_are_referred_to_when_rare(index_of: IndexOf) -> None:
    changed = definition("spin", touched=("oil",))
    source = "from torch._mill.wheels import oil\ndef f():\n    oil()\n"
    found = [one for one in felt(index_of({"mill_npu/a.py": source}), KIND, changed) if one.scope == "f"]
    assert [(one.relation, one.symbol) for one in found] == [(Relation.TOUCHED, "torch._mill.wheels.oil")]


def test_a_touched_name_that_could_be_resolved_is_looked_for_exactly(index_of: IndexOf) -> None:
    changed = definition("spin", touched=("torch._mill.wheels.oil",))
    files = {f"mill_npu/a{n}.py": "from torch._mill.wheels import oil\noil()\n" for n in range(3)}
    files["mill_npu/other.py"] = "from torch._mill.taps import oil\noil()\n"
    found = [one for one in felt(index_of(files), KIND, changed) if one.relation is Relation.TOUCHED]
    assert {one.symbol for one in found} == {"torch._mill.wheels.oil"}
    assert len(found) == 3


def test_a_touched_name_that_many_files_use_couples_nothing(index_of: IndexOf) -> None:
    files = {f"mill_npu/a{n}.py": "from torch._mill.wheels import oil\noil()\n" for n in range(RARE_FILES + 1)}
    for name in ("oil", "torch._mill.wheels.oil"):
        assert felt(index_of(files), KIND, definition("spin", touched=(name,))) == []
