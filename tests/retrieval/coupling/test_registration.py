"""`registration`: downstream registers something for an operator whose upstream registration changed."""

from __future__ import annotations

import pytest

from retrieval.coupling.question import CHANGE_WEIGHT
from retrieval.index import Index
from retrieval.models import EvidenceKind, OperatorChange, Parameter, Relation
from tests.support.tree import IndexOf, felt, places
from tests.support.values import definition, keyword_only, operator

KIND = EvidenceKind.REGISTRATION
SPIN = operator("aten.spin")
IMPORT = "import torch\naten = torch.ops.aten\n"

FORMS = {
    "decorator": ("@register_lowering(aten.spin)\ndef f(x): ...\n", "f", 3, "register_lowering", "f"),
    "decorator of a module": (
        "@lowering.register_lowering(aten.spin)\ndef f(x): ...\n",
        "f",
        3,
        "register_lowering",
        "f",
    ),
    "decorator with a list": (
        "@register_lowering(\n    [aten.stop, aten.spin.default],\n    type=None,\n)\ndef f(x): ...\n",
        "f",
        4,
        "register_lowering",
        "f",
    ),
    "decorator in a function": (
        "def load():\n    @register_lowering(aten.spin)\n    def f(x): ...\n",
        "load.f",
        4,
        "register_lowering",
        "load.f",
    ),
    "call of a call": ("def f(x): ...\nregister_lowering(aten.spin)(f)\n", "<module>", 4, "register_lowering", "f"),
    "fallback": ("make_fallback(aten.spin)\n", "<module>", 3, "make_fallback", None),
    "fallback with a constraint": (
        "def constrain(x): ...\nmake_fallback(aten.spin, constrain)\n",
        "<module>",
        4,
        "make_fallback",
        None,
    ),
    "decomposition": ("@register_decomposition(aten.spin)\ndef f(x): ...\n", "f", 3, "register_decomposition", "f"),
    "meta": ("@register_meta([aten.spin])\ndef f(x): ...\n", "f", 3, "register_meta", "f"),
    "full name": ("@register_lowering(torch.ops.aten.spin)\ndef f(x): ...\n", "f", 3, "register_lowering", "f"),
    "table entry": ("def f(x): ...\nlowerings[aten.spin] = f\n", "<module>", 4, "lowerings", "f"),
    "table entry of a module": (
        "def f(x): ...\nl.decompositions[aten.spin] = f\n",
        "<module>",
        4,
        "decompositions",
        "f",
    ),
    "entry in a function": ("def g():\n    lowerings[aten.spin.default] = f\n", "g", 4, "lowerings", None),
    "library": ("def f(x): ...\nlib.impl('aten::spin', f)\n", "<module>", 4, "impl", "f"),
    "library, overload": ("def f(x): ...\nlib.impl('aten::spin.out', f, 'CPU')\n", "<module>", 4, "impl", "f"),
    "library by namespace": (
        "lib = torch.library.Library('aten', 'IMPL')\ndef f(x): ...\nlib.impl('spin', f)\n",
        "<module>",
        5,
        "impl",
        "f",
    ),
    "decorator of a library": (
        "lib = Library('aten', 'IMPL', 'Meta')\n@impl(lib, 'spin.default')\ndef f(x): ...\n",
        "f",
        4,
        "impl",
        "f",
    ),
    "schema": ("lib.define('aten::spin(Tensor x) -> Tensor')\n", "<module>", 3, "define", None),
    "fake": ("@torch.library.register_fake('aten::spin')\ndef f(x): ...\n", "f", 3, "register_fake", "f"),
    "layout": ("add_layout_constraint(aten.spin, constrain)\n", "<module>", 3, "add_layout_constraint", None),
    "alias of the operator": ("op = aten.spin\nmake_fallback(op)\n", "<module>", 4, "make_fallback", None),
    "several strings": ("f(register_op('aten::spin_up', 'aten::spin'))\n", "<module>", 3, "register_op", None),
}


@pytest.mark.parametrize(("source", "scope", "line", "registrar", "own"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_registration(
    index_of: IndexOf, source: str, scope: str, line: int, registrar: str, own: str | None
) -> None:
    (found,) = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, SPIN)
    assert (found.scope, found.lines, found.relation) == (scope, (line,), Relation.SAME_OPERATOR)
    assert found.detail.registrar == registrar
    assert found.detail.operators == ("aten.spin",)
    assert found.detail.replacement == (f"mill_npu.a.{own}" if own else None)


LOOK_ALIKES = {
    "another operator": "make_fallback(aten.spin_up)\n",
    "another namespace": "make_fallback(torch.ops.prims.spin)\n",
    "a comment": "# make_fallback(aten.spin)\n",
    "a comment in the call": "make_fallback(  # aten.spin 'aten::spin'\n    aten.stop\n)\n",
    "a string": "x = 'make_fallback(aten.spin)'\n",
    "a dotted string": "make_fallback('aten.spin')\n",
    "a call of the operator": "aten.spin(1)\n",
    "a call that only asks": "get_decompositions([aten.spin])\n",
    "a call of a fallback": "fallback_handler(aten.spin)(x)\n",
    "a shadowed namespace": "def f(aten):\n    make_fallback(aten.spin)\n",
    "a shadowed operator": "from mill import aten as a\ndef f(a):\n    make_fallback(a.spin)\n",
    "an entry of another table": "counts[aten.spin] = 1\n",
    "a look-up in a table": "x = lowerings[aten.spin]\n",
    "next to Chinese": "make_fallback(aten.创建spin)\nmake_fallback('aten::创建spin')\n",
    "C++ names": "register_backend('at::spin', 'torch::spin')\n",
    "a package": "make_fallback(torch.nn.quantized.spin)\n",
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes_of_a_registration(index_of: IndexOf, source: str) -> None:
    index = index_of({"mill_npu/a.py": IMPORT + source})
    assert felt(index, KIND, SPIN, operator("at.spin"), operator("torch.spin"), operator("quantized.spin")) == []


def test_one_place_per_operator_and_call(index_of: IndexOf) -> None:
    source = "@register_lowering([aten.spin, aten.spin.default, aten.spin.out])\ndef f(x): ...\n"
    assert places(felt(index_of({"a.py": IMPORT + source}), KIND, SPIN)) == [("f", (3,), "spin")]


def test_two_decorators_are_two_registrations(index_of: IndexOf) -> None:
    source = "@register_decomposition(aten.spin)\n@register_lowering(aten.spin)\ndef f(x): ...\n"
    found = felt(index_of({"a.py": IMPORT + source}), KIND, SPIN)
    assert [(one.detail.registrar, one.lines) for one in found] == [
        ("register_decomposition", (3,)),
        ("register_lowering", (4,)),
    ]


def test_the_registered_function_is_compared_with_the_one_upstream_registers(index_of: IndexOf) -> None:
    changed = definition("spin", parameters=(Parameter(name="x"), keyword_only()), operators=("aten.spin",))
    source = "@register_lowering(aten.spin)\ndef f(x): ...\nmake_fallback(aten.spin)\n"
    found = felt(index_of({"a.py": IMPORT + source}), KIND, changed, SPIN)
    assert [(one.detail.downstream_signature, one.detail.lacks, one.detail.signature_matches) for one in found] == [
        ("(x)", ("quiet",), False),
        (None, (), None),
    ]


def test_registrars_upstream_does_not_know_weigh_less(index_of: IndexOf) -> None:
    source = "@register_lowering(aten.spin)\ndef f(x): ...\n@register_mill_converter(aten.spin)\ndef g(x): ...\n"
    weights = {one.scope: one.weight for one in felt(index_of({"a.py": IMPORT + source}), KIND, SPIN)}
    assert weights["g"] < weights["f"] / 2


def test_the_token_stands_on_the_line_even_behind_a_longer_name(index_of: IndexOf) -> None:
    source = "lib.impl('aten::spin_up',\n    'aten::spin')\n"
    assert places(felt(index_of({"a.py": source}), KIND, SPIN)) == [("<module>", (2,), "spin")]


LISTS = {
    "a list": ("SPIN_FALLBACK_LIST = [\n    aten.stop,\n    aten.spin.default,\n]\n", "SPIN_FALLBACK_LIST", 5),
    "a set": ("decomps_to_exclude = {aten.spin}\n", "decomps_to_exclude", 3),
    "a tuple": ("fallback_ops = (aten.stop, aten.spin)\n", "fallback_ops", 3),
    "with a type": ("LOWERINGS: list[object] = [aten.spin]\n", "LOWERINGS", 3),
    "of names in quotes": ("FALLBACKS = ['aten::stop', 'aten::spin.out']\n", "FALLBACKS", 3),
    "of full names": ("FALLBACKS = [torch.ops.aten.spin.default]\n", "FALLBACKS", 3),
    "of what is not to be registered": ("META_BLACKLIST = [aten.spin]\n", "META_BLACKLIST", 3),
    "of what has no fallback": ("NO_FALLBACK_OPS = [aten.spin]\n", "NO_FALLBACK_OPS", 3),
}


@pytest.mark.parametrize(("source", "registrar", "line"), LISTS.values(), ids=LISTS.keys())
def test_an_entry_of_a_list_that_is_named_for_what_it_registers(
    index_of: IndexOf, source: str, registrar: str, line: int
) -> None:
    (found,) = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, SPIN)
    assert (found.scope, found.lines, found.token) == ("<module>", (line,), "spin")
    assert (found.detail.registrar, found.detail.operators) == (registrar, ("aten.spin",))
    assert found.detail.replacement is None
    assert found.detail.listed
    assert found.weight == CHANGE_WEIGHT[SPIN.kind]


@pytest.mark.parametrize(
    "source",
    [
        "make_fallback(aten.spin)\n",
        "register_lowering([aten.spin])\n",
        "fallbacks[aten.spin] = 1\n",
        "@register_lowering([aten.spin])\ndef f(x): ...\n",
    ],
    ids=["call", "call with a list", "table entry", "decorator"],
)
def test_what_registers_an_operator_is_no_list(index_of: IndexOf, source: str) -> None:
    (found,) = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, SPIN)
    assert not found.detail.listed


def test_a_sibling_in_a_list_is_listed(index_of: IndexOf) -> None:
    found = felt(index_of({"mill_npu/a.py": f"{IMPORT}FALLBACKS = [aten.spin_as]\n"}), KIND, SPIN)
    assert [(one.relation, one.detail.listed) for one in found] == [(Relation.SIBLING, True)]


def test_a_list_in_a_function_belongs_to_it(index_of: IndexOf) -> None:
    source = "def load():\n    fallbacks = [aten.spin]\n    return fallbacks\n"
    assert places(felt(index_of({"a.py": IMPORT + source}), KIND, SPIN)) == [("load", (4,), "spin")]


NO_LISTS = {
    "named for something else": "INTERESTING = [aten.spin]\n",
    "an attribute": "x.fallbacks = [aten.spin]\n",
    "of other operators": "FALLBACKS = [aten.spin_up, aten.stop]\n",
    "of plain words": "FALLBACKS = ['spin', 'aten.spin']\n",
    "a single operator": "fallback = aten.spin\n",
    "a comprehension": "FALLBACKS = [f(x) for x in aten.spin]\n",
    "in a comment": "FALLBACKS = [\n    # aten.spin,\n    aten.stop,\n]\n",
    "a comparison": "fallbacks == [aten.spin]\n",
}


@pytest.mark.parametrize("source", NO_LISTS.values(), ids=NO_LISTS.keys())
def test_look_alikes_of_a_list(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, SPIN) == []


# --- siblings ---------------------------------------------------------------------------------------------------------


def siblings(index: Index, *operators: OperatorChange) -> list[tuple[str, str, int]]:
    found = felt(index, KIND, *(operators or (SPIN,)))
    return sorted((one.path, one.symbol, one.lines[0]) for one in found if one.relation is Relation.SIBLING)


def test_an_operator_of_the_family_in_the_file_that_registers_the_changed_one(index_of: IndexOf) -> None:
    source = "make_fallback(aten.spin)\nmake_fallback(aten.spin_)\nmake_fallback(aten.stop)\n"
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, SPIN)
    assert [(one.relation, one.symbol, one.lines, one.detail.operators) for one in found] == [
        (Relation.SAME_OPERATOR, "aten.spin", (3,), ("aten.spin",)),
        (Relation.SIBLING, "aten.spin_", (4,), ("aten.spin_",)),
    ]


def test_the_usual_relatives_are_siblings_wherever_they_are_registered(index_of: IndexOf) -> None:
    source = "make_fallback(aten.spin_as)\nmake_fallback(aten._spin_backward)\nmake_fallback(aten.spin_)\n"
    index = index_of({"mill_npu/a.py": IMPORT + source})
    assert siblings(index) == [("mill_npu/a.py", "aten._spin_backward", 4), ("mill_npu/a.py", "aten.spin_as", 3)]


def test_a_sibling_is_told_once_per_operator_it_is_one_of(index_of: IndexOf) -> None:
    index = index_of({"mill_npu/a.py": f"{IMPORT}make_fallback(aten.spin)\nmake_fallback(aten.spin_as)\n"})
    assert siblings(index) == [("mill_npu/a.py", "aten.spin_as", 4)]


NO_SIBLINGS = ["aten.spin_up", "aten.respin", "aten.stop_as", "torch.ops.prims.spin_as", "aten.spinas"]


@pytest.mark.parametrize("operator_name", NO_SIBLINGS)
def test_look_alikes_of_a_sibling(index_of: IndexOf, operator_name: str) -> None:
    index = index_of({"mill_npu/a.py": f"{IMPORT}make_fallback(aten.spin)\nmake_fallback({operator_name})\n"})
    assert siblings(index) == []


def test_a_mere_use_of_a_relative_is_no_sibling(index_of: IndexOf) -> None:
    assert siblings(index_of({"mill_npu/a.py": f"{IMPORT}make_fallback(aten.spin)\naten.spin_as(1)\n"})) == []


def test_a_sibling_of_a_registrar_upstream_does_not_know_weighs_less(index_of: IndexOf) -> None:
    source = "@register_lowering(aten.spin_as)\ndef f(x): ...\n@register_mill_converter(aten.spin_as)\ndef g(x): ...\n"
    weights = {one.scope: one.weight for one in felt(index_of({"a.py": IMPORT + source}), KIND, SPIN)}
    assert 0 < weights["g"] < weights["f"] / 2
