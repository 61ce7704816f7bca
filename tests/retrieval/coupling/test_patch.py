"""`patch`: what downstream puts into upstream modules, classes and registries, and what only looks like it."""

from __future__ import annotations

import pytest

from retrieval.models import DefinitionChange, DefinitionKind, EvidenceKind, Parameter, Relation
from tests.support.tree import IndexOf, code, facts_of, felt, places
from tests.support.values import definition, keyword_only, renamed, resigned

KIND = EvidenceKind.PATCH
TURN = definition("Gear.turn")
SPIN = definition("spin")
GEAR = definition("Gear", definition=DefinitionKind.CLASS)
IMPORT = "from torch._mill import gears\nfrom torch._mill.gears import Gear\n"

TURN_FORMS = {
    "assignment": ("Gear.turn = npu_turn\n", ("<module>", (3,), "turn")),
    "through the module": ("gears.Gear.turn = npu_turn\n", ("<module>", (3,), "turn")),
    "through the whole package": ("import torch\ntorch._mill.gears.Gear.turn = f\n", ("<module>", (4,), "turn")),
    "through an alias of the class": ("G = gears.Gear\nG.turn = f\n", ("<module>", (4,), "turn")),
    "annotated": ("Gear.turn: Callable = f\n", ("<module>", (3,), "turn")),
    "lambda": ("Gear.turn = lambda self: 1\n", ("<module>", (3,), "turn")),
    "wrapped": ("Gear.turn = staticmethod(npu_turn)\n", ("<module>", (3,), "turn")),
    "chained": ("Gear.turn = Other.turn = f\n", ("<module>", (3,), "turn")),
    "chained, behind another": ("old = Gear.turn = f\n", ("<module>", (3,), "turn")),
    "pairwise": ("Gear.turn, Other.turn = f, g\n", ("<module>", (3,), "turn")),
    "unpacked": ("Gear.turn, Other.turn = load()\n", ("<module>", (3,), "turn")),
    "setattr": ("setattr(Gear, 'turn', f)\n", ("<module>", (3,), "turn")),
    "setattr over lines": ("setattr(\n    gears.Gear,\n    'turn',\n    f,\n)\n", ("<module>", (5,), "turn")),
    "dictionary of the class": ("Gear.__dict__['turn'] = f\n", ("<module>", (3,), "turn")),
    "mock": ("mock.patch.object(Gear, 'turn', f)\n", ("<module>", (3,), "turn")),
    "wraps": ("@functools.wraps(Gear.turn)\ndef f(self): ...\n", ("f", (3,), "turn")),
    "wraps by name": ("@wraps(Gear.turn)\ndef f(self): ...\n", ("f", (3,), "turn")),
    "wraps without decorator": ("f = wraps(Gear.turn)(g)\n", ("<module>", (3,), "turn")),
    "in a function": ("def apply():\n    Gear.turn = f\n", ("apply", (4,), "turn")),
    "in a nested function": ("def a():\n    def b():\n        Gear.turn = f\n", ("a.b", (5,), "turn")),
    "imported in the function": (
        "def apply():\n    from torch._mill.gears import Gear as G\n    G.turn = f\n",
        ("apply", (5,), "turn"),
    ),
    "under a condition": ("if x:\n    Gear.turn = f\n", ("<module>", (4,), "turn")),
    "over several lines": ("(gears\n .Gear\n .turn) = f\n", ("<module>", (5,), "turn")),
    "with carriage returns": ("Gear.turn = f\r\n", ("<module>", (3,), "turn")),
}


@pytest.mark.parametrize(("source", "expected"), TURN_FORMS.values(), ids=TURN_FORMS.keys())
def test_forms_of_a_patched_method(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...], str]) -> None:
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURN)
    assert places(found) == [expected]
    assert {(one.relation, one.symbol) for one in found} == {(Relation.SAME_SYMBOL, "torch._mill.gears.Gear.turn")}


REGISTRIES = {
    "an entry": "gears.table[key] = f\n",
    "an entry of an imported registry": "from torch._mill.gears import table\ntable[key] = f\n",
    "an item of a list": "gears.table.append(f)\n",
    "many entries": "gears.table.update({key: f})\n",
    "named entries": "gears.table.update(key=f)\n",
    "an extension": "gears.table.extend([f])\n",
    "a front item": "gears.table.insert(0, f)\n",
    "a set": "gears.table.add(f)\n",
    "a default": "gears.table.setdefault(key, f)\n",
    "a registry with a method": "gears.table.register(f)\n",
    "the registry itself": "gears.table = {}\n",
}


@pytest.mark.parametrize("source", REGISTRIES.values(), ids=REGISTRIES.keys())
def test_a_registry_is_filled(index_of: IndexOf, source: str) -> None:
    table = definition("table", definition=DefinitionKind.VARIABLE)
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, table)
    assert [(one.relation, one.token) for one in found] == [(Relation.SAME_SYMBOL, "table")]


@pytest.mark.parametrize(
    "source",
    [
        "gears.spin = f\n",
        "import torch\ntorch._mill.gears.spin = f\n",
        "setattr(gears, 'spin', f)\n",
        "gears.__dict__['spin'] = f\n",
        "import torch._mill.gears as g\ng.spin = f\n",
    ],
)
def test_a_function_of_a_module_is_replaced(index_of: IndexOf, source: str) -> None:
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, SPIN)
    assert [(one.relation, one.token) for one in found] == [(Relation.SAME_SYMBOL, "spin")]


LOOK_ALIKES = {
    "another class": "from torch._mill.gears import Wheel\nWheel.turn = f\n",
    "an own class": "class Gear: ...\nGear.turn = f\n",
    "another module's class": "from torch._mill.wheels import Gear\nGear.turn = f\n",
    "a comment": "# Gear.turn = f\n",
    "a string": "x = 'Gear.turn = f'\n",
    "a docstring": 'def g():\n    """Gear.turn = f"""\n',
    "next to Chinese": "Gear.turn创建 = f\nGear.创建turn = f\n",
    "a comparison": "Gear.turn == f\n",
    "a keyword argument": "f(turn=Gear.turn)\n",
    "a read": "f = Gear.turn\n",
    "an instance": "k = Gear(1)\nk.turn = f\n",
    "an annotated instance": "k: Gear = load()\nk.turn = f\n",
    "a parameter": "def g(k: Gear):\n    k.turn = f\n",
    "a member that is an instance": "class C:\n    def m(self):\n        self.k = Gear(1)\n        self.k.turn = f\n",
    "an instance by setattr": "k = Gear(1)\nsetattr(k, 'turn', f)\n",
    "a copy of an instance": "k = Gear(1)\nl = k\nl.turn = f\n",
    "an own method of a subclass": "class N(Gear): ...\nN.turn = f\n",
    "a shadowed import": "def g(Gear):\n    Gear.turn = f\n",
    "a local of the same name": "def g():\n    Gear = load()\n    Gear.turn = f\n",
    "a class that takes the name": "class Gear: ...\ndef g():\n    Gear.turn = f\n",
    "something the method holds": "Gear.turn.cache = f\n",
    "a registry of the method": "Gear.turn.cache['a'] = f\n",
    "another name by setattr": "setattr(Gear, name, f)\n",
    "a computed name": "setattr(Gear, f'turn{x}', f)\n",
    "a deletion": "del Gear.turn\n",
    "wraps of something local": "def deco(turn):\n    @wraps(turn)\n    def g(): ...\n",
    "a call": "Gear.turn(append)\n",
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes_of_a_patched_method(index_of: IndexOf, source: str) -> None:
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURN)
    assert [one for one in found if one.relation is Relation.SAME_SYMBOL] == []


@pytest.mark.parametrize("source", ["x = gears.table.add(a, b)\n", "gears.table.append()\n", "gears.table.get(key)\n"])
def test_calls_that_fill_nothing(index_of: IndexOf, source: str) -> None:
    table = definition("table", definition=DefinitionKind.VARIABLE)
    assert felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, table) == []


def test_an_entry_of_a_registry_has_no_original(index_of: IndexOf) -> None:
    source = IMPORT + "def f(x): ...\ngears.table['spin'] = f\ngears.table.append(f)\n"
    table = definition("table", definition=DefinitionKind.VARIABLE)
    found = felt(index_of({"mill_npu/a.py": source}), KIND, table)
    assert [(one.detail.replacement, one.detail.calls_original) for one in found] == [("mill_npu.a.f", None)] * 2


def test_flags_and_own_names_are_no_patches() -> None:
    source = code("""
        import torch._mill.config as config
        from torch._mill import config as also
        from . import own
        config.turbo = True
        also.deep.turbo = True
        setattr(config, "turbo", True)
        x = {}
        x["a"] = 1
        class C: ...
        C.m = 1
        """)
    assert facts_of(source, KIND) == ()


def test_the_extension_module_is_a_module_though_it_looks_like_a_class() -> None:
    (fact,) = facts_of("import torch\ntorch._C._mill.gears.spin = f\n", KIND)
    assert fact.target == "torch._C._mill.gears.spin"


def test_what_an_upstream_object_holds_is_no_patch() -> None:
    assert facts_of("from torch._mill import V\nV.graph.table['a'] = f\nV.graph.x = 1\n", KIND) == ()


def test_alternative_imports_are_both_patched(index_of: IndexOf) -> None:
    source = code("""
        try:
            from torch._mill.gears import Gear
        except ImportError:
            from torch._mill.cogs import Gear
        Gear.turn = f
        """)
    index = index_of({"mill_npu/a.py": source})
    assert places(felt(index, KIND, TURN)) == [("<module>", (5,), "turn")]
    assert places(felt(index, KIND, definition("Gear.turn", module="torch._mill.cogs"))) == [("<module>", (5,), "turn")]


def test_a_reexported_class_is_patched(index_of: IndexOf) -> None:
    files = {
        "mill_npu/_compat.py": "from torch._mill.gears import Gear as Upstream\n",
        "mill_npu/a.py": "from . import _compat\n_compat.Upstream.turn = f\n",
    }
    found = felt(index_of(files), KIND, TURN)
    assert [(one.path, one.lines, one.token) for one in found] == [("mill_npu/a.py", (2,), "turn")]


@pytest.mark.parametrize(
    ("changed", "source", "relation"),
    [
        (GEAR, "gears.Gear = NPUGear\n", Relation.SAME_SYMBOL),
        (GEAR, "Gear.turn = f\n", Relation.MEMBER),
        (TURN, "gears.Gear = NPUGear\n", Relation.ENCLOSING),
        (renamed("Gear.turn", "Gear.rotate"), "Gear.turn = f\n", Relation.SAME_SYMBOL),
    ],
    ids=["class", "member", "enclosing", "old name"],
)
def test_how_close_a_patch_is(index_of: IndexOf, changed: DefinitionChange, source: str, relation: Relation) -> None:
    (found,) = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, changed)
    assert found.relation is relation


REPLACEMENTS = {
    "a function": ("def npu_turn(self): ...\nGear.turn = npu_turn\n", "mill_npu.a.npu_turn"),
    "a nested function": ("def p():\n    def new(self): ...\n    Gear.turn = new\n", "mill_npu.a.p.new"),
    "a class": ("class NPUGear: ...\nGear.turn = NPUGear\n", "mill_npu.a.NPUGear"),
    "a method of a class": ("class C:\n    def m(self): ...\nGear.turn = C.m\n", "mill_npu.a.C.m"),
    "an imported function": ("from .impl import npu_turn as t\nGear.turn = t\n", "mill_npu.impl.npu_turn"),
    "a wrapped function": ("def f(self): ...\nGear.turn = staticmethod(f)\n", "mill_npu.a.f"),
    "a function behind a wrapper": ("def f(self): ...\nGear.turn = wraps(Gear.turn)(f)\n", "mill_npu.a.f"),
    "a wrapper of this file": ("def w(f): ...\nGear.turn = w(Gear.turn)\n", "mill_npu.a.w"),
    "a partial": ("def f(x, self): ...\nGear.turn = partial(f, 1)\n", "mill_npu.a.f"),
    "a lambda": ("Gear.turn = lambda self: 1\n", None),
    "a value": ("Gear.turn = None\n", None),
    "the second of two": ("def g(self): ...\nOther.m, Gear.turn = f, g\n", "mill_npu.a.g"),
    "a chained one": ("def g(self): ...\nGear.turn = Other.m = g\n", "mill_npu.a.g"),
    "by setattr": ("def g(self): ...\nsetattr(Gear, 'turn', g)\n", "mill_npu.a.g"),
    "by wraps": ("@functools.wraps(Gear.turn)\ndef g(self): ...\n", "mill_npu.a.g"),
    "by wraps in a function": ("def p():\n    @functools.wraps(Gear.turn)\n    def g(self): ...\n", "mill_npu.a.p.g"),
    "in brackets": ("def g(self): ...\nGear.turn = (\n    # g\n    g\n)\n", "mill_npu.a.g"),
    "restored": ("Gear.turn = Gear.turn\n", None),
    "another upstream function": ("Gear.turn = gears.spin\n", "torch._mill.gears.spin"),
}


@pytest.mark.parametrize(("source", "expected"), REPLACEMENTS.values(), ids=REPLACEMENTS.keys())
def test_what_is_put_in_place(index_of: IndexOf, source: str, expected: str | None) -> None:
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURN)
    assert expected in {one.detail.replacement for one in found}


ORIGINALS = {
    "saved in brackets": ("raw = (\n    Gear.turn\n)\ndef f(self):\n    raw(self)\nGear.turn = f\n", True),
    "a saved function": ("raw = Gear.turn\ndef f(self):\n    raw(self)\nGear.turn = f\n", True),
    "saved in the patching function": (
        "def p():\n    raw = Gear.turn\n    def f(self):\n        return raw(self)\n    Gear.turn = f\n",
        True,
    ),
    "saved in an attribute": ("Gear._raw = Gear.turn\ndef f(self):\n    self._raw()\nGear.turn = f\n", True),
    "saved in a default": ("def f(self, raw=Gear.turn):\n    raw(self)\nGear.turn = f\n", True),
    "by its own name": ("def f(self):\n    gears.Gear.turn(self)\nsetattr(Gear, 'turn', f)\n", True),
    "from a nested function": (
        "raw = Gear.turn\ndef f(self):\n    def g():\n        raw(self)\n    g()\nGear.turn = f\n",
        True,
    ),
    "in a lambda": ("raw = Gear.turn\nGear.turn = lambda self: raw(self)\n", True),
    "a subclass put in place": ("class N(Gear):\n    def turn(self): ...\ngears.Gear = N\n", True),
    "not at all": ("raw = Gear.turn\ndef f(self):\n    return 1\nGear.turn = f\n", False),
    "in a comment only": ("def f(self):\n    # gears.Gear.turn(self)\n    return 'Gear.turn'\nGear.turn = f\n", False),
    "another method": ("raw = Gear.stop\ndef f(self):\n    raw(self)\nGear.turn = f\n", False),
    "a shadowed save": ("raw = Gear.turn\ndef f(self, raw):\n    raw(self)\nGear.turn = f\n", False),
    "by another function": ("raw = Gear.turn\ndef g(self):\n    raw(self)\ndef f(self): ...\nGear.turn = f\n", False),
    "a lambda without": ("Gear.turn = lambda self: 1\n", False),
    "a function of another file": ("from .impl import f\nGear.turn = f\n", None),
    "a value": ("Gear.turn = 1\n", None),
    "handed to a wrapper": ("def w(f):\n    return f\nGear.turn = w(Gear.turn)\n", None),
}


@pytest.mark.parametrize(("source", "expected"), ORIGINALS.values(), ids=ORIGINALS.keys())
def test_whether_the_original_is_called(index_of: IndexOf, source: str, expected: bool | None) -> None:
    (found,) = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURN)
    assert found.detail.calls_original is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [("raw(x)", True), ("other(x)", False), ("Wheel.spin(x)", False), ("own(x)", False)],
)
def test_the_original_may_come_from_the_module_that_defines_it(index_of: IndexOf, body: str, expected: bool) -> None:
    source = code(f"""
        from torch._mill import gears
        from torch._mill.deep import spin as raw, stop as other, Wheel
        from .own import spin as own
        def f(x):
            return {body}
        gears.spin = f
        """)
    (found,) = felt(index_of({"mill_npu/a.py": source}), KIND, SPIN)
    assert found.detail.calls_original is expected


def test_the_replacement_is_compared_with_the_new_signature(index_of: IndexOf) -> None:
    changed = resigned("Gear.turn", parameters=(Parameter(name="self"), Parameter(name="x"), keyword_only()))
    sources = {
        "mill_npu/a.py": "def f(self, x): ...\nGear.turn = f\n",
        "mill_npu/b.py": "def f(self, x, *, quiet=False): ...\nGear.turn = f\n",
        "mill_npu/c.py": "from .a import f\nGear.turn = f\n",
        "mill_npu/d.py": "def f(self, *a, **k): ...\nGear.turn = staticmethod(f)\n",
    }
    found = felt(index_of({path: IMPORT + text for path, text in sources.items()}), KIND, changed)
    assert [(one.detail.downstream_signature, one.detail.lacks, one.detail.signature_matches) for one in found] == [
        ("(self, x)", ("quiet",), False),
        ("(self, x, *, quiet=…)", (), True),
        (None, (), None),
        ("(self, *a, **k)", (), True),
    ]


def test_a_patch_of_the_class_is_not_compared_with_the_method(index_of: IndexOf) -> None:
    changed = resigned("Gear.turn")
    source = IMPORT + "def make(): ...\ngears.Gear = make\n"
    (found,) = felt(index_of({"mill_npu/a.py": source}), KIND, changed)
    assert (found.relation, found.detail.downstream_signature, found.detail.lacks) == (Relation.ENCLOSING, None, ())
