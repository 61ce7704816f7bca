"""`override`: methods of downstream classes that replace one of the changed class."""

from __future__ import annotations

import pytest

from retrieval.models import DefinitionKind, EvidenceKind, Parameter, ParameterKind, Relation
from tests.support.tree import IndexOf, code, felt, places
from tests.support.values import definition, keyword_only, renamed, resigned

KIND = EvidenceKind.OVERRIDE
TURN = definition("Gear.turn", parameters=(Parameter(name="self"), Parameter(name="by", default="1")))
IMPORT = "from torch._mill.gears import Gear\n"

FORMS = {
    "a method": ("class N(Gear):\n    def turn(self, by=1): ...\n", ("N.turn", (3,), "turn")),
    "a decorated method": ("class N(Gear):\n    @d\n    def turn(self): ...\n", ("N.turn", (4,), "turn")),
    "an async method": ("class N(Gear):\n    async def turn(self): ...\n", ("N.turn", (3,), "turn")),
    "under a condition": ("class N(Gear):\n    if x:\n        def turn(self): ...\n", ("N.turn", (4,), "turn")),
    "an assignment": ("class N(Gear):\n    turn = npu_turn\n", ("N", (3,), "turn")),
    "in a function": ("def f():\n    class N(Gear):\n        def turn(self): ...\n", ("f.N.turn", (4,), "turn")),
    "of a grandchild": ("class A(Gear): ...\nclass N(A):\n    def turn(self): ...\n", ("N.turn", (4,), "turn")),
    "of a mixin before the class": (
        "class Mixin:\n    def turn(self): ...\nclass N(Mixin, Gear): ...\n",
        ("Mixin.turn", (3,), "turn"),
    ),
    "of a mixin's base": (
        "class Base:\n    def turn(self): ...\nclass Mixin(Base): ...\nclass N(Mixin, Gear): ...\n",
        ("Base.turn", (3,), "turn"),
    ),
    "of a mixin before a descendant": (
        "class A(Gear): ...\nclass Mixin:\n    def turn(self): ...\nclass N(Mixin, A): ...\n",
        ("Mixin.turn", (4,), "turn"),
    ),
}


@pytest.mark.parametrize(("source", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_an_override(index_of: IndexOf, source: str, expected: tuple[str, tuple[int, ...], str]) -> None:
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURN)
    assert places(found) == [expected]
    assert [(one.relation, one.symbol, one.detail.base) for one in found] == [
        (Relation.SAME_SYMBOL, "torch._mill.gears.Gear.turn", "torch._mill.gears.Gear")
    ]


@pytest.mark.parametrize(
    "source",
    [
        "class N:\n    def turn(self): ...\n",
        "class Other: ...\nclass N(Other):\n    def turn(self): ...\n",
        "class N(Gear):\n    def turn_back(self): ...\n",
        "class N(Gear):\n    # def turn(self): ...\n    x = 'def turn(self)'\n",
        "class N(Gear):\n    def m(self):\n        def turn(): ...\n",
        "class N(Gear):\n    class Inner:\n        def turn(self): ...\n",
        "class Mixin:\n    def turn(self): ...\nclass N(Gear, Mixin): ...\n",
        "class Mixin:\n    def turn(self): ...\nclass A(Gear): ...\nclass N(A, Mixin): ...\n",
        "def turn(self): ...\n",
        "class N(Gear):\n    turn: int\n",
        "class N(Gear):\n    def 创建turn(self): ...\n",
        "class Gear: ...\nclass N(Gear):\n    def turn(self): ...\n",
    ],
    ids=[
        "no base",
        "another base",
        "longer name",
        "comment and string",
        "nested function",
        "nested class",
        "mixin behind the class",
        "mixin behind a descendant",
        "function",
        "annotation",
        "Chinese",
        "shadowed base",
    ],
)
def test_look_alikes_of_an_override(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURN) == []


def test_a_base_of_the_same_name_from_another_module_is_no_base(index_of: IndexOf) -> None:
    source = "from torch._mill.wheels import Gear\nclass N(Gear):\n    def turn(self): ...\n"
    assert felt(index_of({"mill_npu/a.py": source}), KIND, TURN) == []


def test_overrides_are_found_across_files(index_of: IndexOf) -> None:
    files = {
        "mill_npu/_compat.py": "from torch._mill.gears import Gear\n",
        "mill_npu/mixins.py": "class Mixin:\n    def turn(self): ...\n",
        "mill_npu/a.py": "from ._compat import Gear\nfrom .mixins import Mixin as M\nclass A(M, Gear): ...\n",
        "mill_npu/b.py": "from .a import A\nclass B(A):\n    def turn(self): ...\n",
    }
    found = felt(index_of(files), KIND, TURN)
    assert [(one.path, one.scope) for one in found] == [
        ("mill_npu/b.py", "B.turn"),
        ("mill_npu/mixins.py", "Mixin.turn"),
    ]


def test_a_class_of_an_outer_class_is_another_class(index_of: IndexOf) -> None:
    source = "from torch._mill.gears import Gear\nclass N(Gear):\n    def turn(self): ...\n"
    assert felt(index_of({"mill_npu/a.py": source}), KIND, definition("Gear.Tooth.turn")) == []


def test_a_changed_function_or_class_is_not_overridden(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": IMPORT + "class N(Gear):\n    def turn(self): ...\n"})
    assert felt(index, KIND, definition("turn"), definition("Gear", definition=DefinitionKind.CLASS)) == []


def test_both_names_of_a_renamed_method_count(index_of: IndexOf) -> None:
    source = IMPORT + "class N(Gear):\n    def turn(self): ...\n    def rotate(self): ...\n"
    found = felt(index_of({"mill_npu/a.py": source}), KIND, renamed("Gear.turn", "Gear.rotate"))
    assert [one.scope for one in found] == ["N.turn", "N.rotate"]


CALLS = {
    "super": ("super().turn(by)", True),
    "super with arguments": ("super(N, self).turn(by)", True),
    "super over lines": ("(super()\n            .turn(by))", True),
    "a saved super": ("f = super().turn\n        f(by)", True),
    "the class": ("Gear.turn(self, by)", True),
    "super in a nested function": ("def g():\n            super(N, self).turn(by)\n        g()", True),
    "another method of super": ("super().stop()", False),
    "a longer name": ("super().turn_back()", False),
    "in a comment": ("pass  # super().turn(by)", False),
    "in a string": ("'super().turn(by)'", False),
    "on self": ("self.turn(by)", False),
    "on another object": ("by.turn()", False),
    "nothing": ("pass", False),
}


@pytest.mark.parametrize(("body", "expected"), CALLS.values(), ids=CALLS.keys())
def test_whether_the_original_is_called(index_of: IndexOf, body: str, expected: bool) -> None:
    source = (
        f"{IMPORT}class N(Gear):\n    def turn(self, by=1):\n        {body}\n    def m(self):\n        super().turn()\n"
    )
    (found,) = felt(index_of({"mill_npu/a.py": source}), KIND, TURN)
    assert found.detail.calls_original is expected


def test_the_signature_is_compared_with_the_new_one(index_of: IndexOf) -> None:
    changed = resigned("Gear.turn", parameters=(Parameter(name="self"), Parameter(name="by"), keyword_only("quiet")))
    source = code("""
        from torch._mill.gears import Gear
        class Old(Gear):
            def turn(self, by): ...
        class New(Gear):
            def turn(self, by, /, *, quiet=False, loud=True): ...
        class Needs(Gear):
            def turn(self, by, force, *, quiet=False): ...
        class Any(Gear):
            def turn(self, *args, **kwargs): ...
        class Assigned(Gear):
            turn = npu_turn
        """)
    found = {one.detail.downstream_signature: one.detail for one in felt(index_of({"a.py": source}), KIND, changed)}
    assert {written: (detail.lacks, detail.signature_matches) for written, detail in found.items()} == {
        "(self, by)": (("quiet",), False),
        "(self, by, /, *, quiet=…, loud=…)": ((), True),
        "(self, by, force, *, quiet=…)": ((), False),
        "(self, *args, **kwargs)": ((), True),
        None: ((), None),
    }


def test_a_change_without_known_parameters_compares_nothing(index_of: IndexOf) -> None:
    source = IMPORT + "class N(Gear):\n    def turn(self, by): ...\n"
    (found,) = felt(index_of({"a.py": source}), KIND, definition("Gear.turn"))
    assert (found.detail.downstream_signature, found.detail.lacks, found.detail.signature_matches) == (
        "(self, by)",
        (),
        None,
    )


def test_an_assigned_function_brings_its_signature(index_of: IndexOf) -> None:
    source = IMPORT + "def npu_turn(self): ...\nclass N(Gear):\n    turn = npu_turn\n"
    changed = definition("Gear.turn", parameters=(Parameter(name="self"), keyword_only("quiet")))
    (found,) = felt(index_of({"a.py": source}), KIND, changed)
    assert (found.detail.downstream_signature, found.detail.lacks) == ("(self)", ("quiet",))
    assert ParameterKind.KEYWORD_ONLY in {parameter.kind for parameter in changed.parameters}
