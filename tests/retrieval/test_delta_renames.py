"""Renames and moves: what lives on under another name or in another place, and what only looks like it."""

from __future__ import annotations

from retrieval.delta.bodies import Bodies
from retrieval.delta.renames import MOVED_LIKENESS, RENAMED_LIKENESS
from retrieval.models import ChangeKind, Language, Nature
from retrieval.symbols import parse_definitions
from tests.support.two_sides import PATH, change_of, delta_of, kinds

BODY = """\
    total = 0
    for tooth in gear.teeth:
        if tooth.worn and not force:
            continue
        total += tooth.size * ratio(gear, tooth)
    return total
"""
FUNCTION = f"def measure(gear, force):\n{BODY}"


def test_renamed_function() -> None:
    change = change_of(FUNCTION, FUNCTION.replace("def measure", "def weigh"))
    assert (change.kind, change.nature) == (ChangeKind.RENAMED, Nature.RENAME)
    assert (change.qualname, change.old_qualname, change.old_module) == ("weigh", "measure", "torch._mill.gears")
    assert (change.symbol, change.old_symbol) == ("torch._mill.gears.weigh", "torch._mill.gears.measure")
    assert (change.name, change.old_name) == ("weigh", "measure")


def test_renamed_and_edited() -> None:
    new = FUNCTION.replace("def measure(gear, force)", "def weigh(gear, force, unit)").replace("total = 0", "total = 1")
    change = change_of(FUNCTION, new)
    assert (change.kind, change.nature) == (ChangeKind.RENAMED, Nature.CODE)
    assert [item.words for item in change.signature_changes] == ["新增必填参数 unit"]


def test_a_recursive_function_is_renamed_with_its_calls() -> None:
    old = "def walk(tree):\n    for leaf in tree.leaves:\n        walk(leaf)\n    return tree.size + walk(tree.root)\n"
    assert change_of(old, old.replace("walk", "stroll")).nature is Nature.RENAME


def test_callers_of_a_renamed_function_are_renames() -> None:
    old = FUNCTION + "\n\ndef use(gear):\n    return measure(gear, True)\n"
    delta = delta_of({PATH: (old, old.replace("measure", "weigh"))})
    assert [(change.qualname, change.kind, change.nature) for change in delta.definitions] == [
        ("weigh", ChangeKind.RENAMED, Nature.RENAME),
        ("use", ChangeKind.REWRITTEN, Nature.RENAME),
    ]
    assert delta.natures == (Nature.RENAME,)


def test_the_best_of_two_candidates_wins() -> None:
    near = FUNCTION.replace("total += tooth.size", "total += tooth.length").replace("measure", "near")
    exact = FUNCTION.replace("measure", "exact")
    delta = delta_of({PATH: (FUNCTION, near + "\n\n" + exact)})
    assert kinds(delta) == {"exact": "renamed", "near": "added"}


OTHER = """\
def {name}(gear, force):
    total = 0
    for belt in gear.belts:
        if belt.slack:
            force.pull(belt, by=gear.torque)
        total += belt.length
    return total
"""


def test_unlike_bodies_are_no_rename() -> None:
    delta = delta_of({PATH: (FUNCTION, OTHER.format(name="weigh"))})
    assert kinds(delta) == {"measure": "removed", "weigh": "added"}


def test_unlike_bodies_of_one_name_are_no_move() -> None:
    files = {PATH: (FUNCTION, "x = 1\n"), "torch/_mill/b.py": ("y = 1\n", "y = 1\n" + OTHER.format(name="measure"))}
    assert [change.kind.value for change in delta_of(files).definitions if change.name == "measure"] == [
        "removed",
        "added",
    ]


def test_the_likeness_of_these_bodies_is_between_the_thresholds() -> None:
    (old,), (new,) = (
        parse_definitions(text.encode(), Language.PYTHON) for text in (FUNCTION, OTHER.format(name="measure"))
    )
    bodies = Bodies()
    assert 0.3 < bodies.of(old).likeness(bodies.of(new)) < RENAMED_LIKENESS < MOVED_LIKENESS


def test_a_function_that_was_edited_on_its_way() -> None:
    edited = FUNCTION.replace("total = 0", "total = start(gear)")
    files = {PATH: (FUNCTION, "x = 1\n"), "torch/_mill/b.py": ("y = 1\n", f"y = 1\n{edited}")}
    (moved,) = (change for change in delta_of(files).definitions if change.name == "measure")
    assert (moved.kind, moved.nature, moved.old_module) == (ChangeKind.MOVED, Nature.CODE, "torch._mill.gears")


def test_stubs_are_renamed_only_in_place_or_with_a_word_in_common() -> None:
    old = "def open_gate(): return False\n\n\nx = 1\n\n\ndef last(): pass\n"
    assert kinds(delta_of({PATH: (old, old.replace("open_gate", "close_gate"))})) == {"close_gate": "renamed"}
    far = "x = 1\n\n\ndef last(): pass\n\n\ndef unrelated(): return False\n"
    assert kinds(delta_of({PATH: (old, far)})) == {"open_gate": "removed", "unrelated": "added"}
    assert kinds(delta_of({PATH: ("red = 1\n", "blue = 1\n")})) == {"red": "removed", "blue": "added"}
    assert kinds(delta_of({PATH: ("gear_red = 1\n", "gear_blue = 1\n")})) == {"gear_blue": "renamed"}


def test_the_old_name_stays_as_a_wrapper() -> None:
    wrapper = "def measure(gear, force):\n    warn('old')\n    return weigh(gear, force)\n"
    delta = delta_of({PATH: (FUNCTION, FUNCTION.replace("measure", "weigh") + "\n\n" + wrapper)})
    by_name = {change.qualname: change for change in delta.definitions}
    assert (by_name["weigh"].kind, by_name["weigh"].old_qualname) == (ChangeKind.RENAMED, "measure")
    assert by_name["measure"].kind is ChangeKind.REWRITTEN


def test_a_copy_beside_a_living_original_is_added() -> None:
    delta = delta_of({PATH: (FUNCTION, FUNCTION + "\n\n" + FUNCTION.replace("measure", "weigh"))})
    assert kinds(delta) == {"weigh": "added"}


def test_moved_between_files() -> None:
    delta = delta_of({PATH: (FUNCTION, "x = 1\n"), "torch/_mill/scales.py": ("y = 1\n", f"y = 1\n\n\n{FUNCTION}")})
    (moved,) = (change for change in delta.definitions if change.qualname == "measure")
    assert (moved.kind, moved.nature, moved.path) == (ChangeKind.MOVED, Nature.RENAME, "torch/_mill/scales.py")
    assert (moved.module, moved.old_module) == ("torch._mill.scales", "torch._mill.gears")
    assert (moved.old_lines, moved.new_lines) == ((1, 7), (4, 10))


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n"))


def test_moved_between_classes() -> None:
    method = indented(FUNCTION.replace("gear,", "self, gear,"))
    old = f"class A:\n{method}\n\nclass B:\n    x = 1\n\n    def own(self):\n        return self.x + 1\n"
    new = f"class A:\n    pass\n\n\nclass B:\n    x = 1\n\n    def own(self):\n        return self.x + 1\n\n{method}"
    delta = delta_of({PATH: (old, new)})
    (moved,) = (change for change in delta.definitions if change.kind is ChangeKind.MOVED)
    assert (moved.qualname, moved.old_qualname) == ("B.measure", "A.measure")


def test_a_common_small_method_is_not_moved() -> None:
    old = "class A:\n    def get(self):\n        return self.x\n"
    new = "class B:\n    y = 1\n\n    def get(self):\n        return self.x\n"
    files = {PATH: (old, None), "torch/_mill/b.py": (None, new + OTHER.format(name="f"))}
    assert ChangeKind.MOVED not in {change.kind for change in delta_of(files).definitions}


def test_a_class_whose_methods_stayed_where_they_are_is_renamed() -> None:
    old = "class A:\n    def get(self):\n        return self.x\n"
    new = "class B(C):\n    y, z = make(3)\n\n    def get(self):\n        return self.x\n\n    def put(self): ...\n"
    delta = delta_of({PATH: (old, new)})
    assert {(change.qualname, change.kind.value, change.old_qualname) for change in delta.definitions} == {
        ("B", "renamed", "A"),
        ("B.get", "renamed", "A.get"),
        ("B.put", "added", None),
        ("B.y", "added", None),
        ("B.z", "added", None),
    }


def test_a_class_that_kept_one_line_of_many_methods_is_another() -> None:
    old = "class A:\n    def get(self):\n        return self.x\n\n    def a(self): ...\n\n    def b(self): ...\n"
    new = "class B:\n    def get(self):\n        return [3]\n\n    def c(self): self.y = 1\n\n    def d(self): pass\n"
    found = kinds(delta_of({PATH: (old, new)}))
    assert (found["A"], found["B"]) == ("removed", "added")


METHOD = indented(FUNCTION.replace("gear,", "self, gear,"))
CLASS = f"class Gear(Wheel):\n    size = 1\n\n{METHOD}\n    def halt(self):\n        return None\n"


def test_a_renamed_class_takes_its_methods_along() -> None:
    delta = delta_of({PATH: (CLASS, CLASS.replace("class Gear", "class Cog"))})
    assert {(change.qualname, change.kind.value, change.old_qualname) for change in delta.definitions} == {
        ("Cog", "renamed", "Gear"),
        ("Cog.measure", "renamed", "Gear.measure"),
        ("Cog.halt", "renamed", "Gear.halt"),
    }
    assert delta.natures == (Nature.RENAME,)


def test_a_method_of_a_renamed_class_that_changed() -> None:
    new = CLASS.replace("class Gear", "class Cog").replace("return None", "return self.size")
    halt = next(change for change in delta_of({PATH: (CLASS, new)}).definitions if change.name == "halt")
    assert (halt.kind, halt.nature, halt.old_qualname) == (ChangeKind.RENAMED, Nature.CODE, "Gear.halt")


def test_a_renamed_file_moves_its_definitions() -> None:
    new = "torch/_mill/cogs.py"
    delta = delta_of({new: (CLASS, CLASS)}, renames={new: PATH})
    assert {(change.symbol, change.kind.value, change.old_symbol) for change in delta.definitions} == {
        (f"torch._mill.cogs.{name}", "moved", f"torch._mill.gears.{name}")
        for name in ("Gear", "Gear.measure", "Gear.halt")
    }
    assert delta.natures == (Nature.RENAME,)
    assert delta.modules == ("torch._mill.cogs", "torch._mill.gears")


def test_importers_of_a_renamed_file_are_renames() -> None:
    new = "torch/_mill/cogs.py"
    user = "from torch._mill.{0} import Gear\n\n\ndef use():\n    import torch._mill.{0}\n    return Gear()\n"
    files = {new: (CLASS, CLASS), "torch/_mill/use.py": (user.format("gears"), user.format("cogs"))}
    delta = delta_of(files, renames={new: PATH})
    assert {file.nature for file in delta.files} == {Nature.RENAME}


def test_unwrapping_a_class_moves_its_methods() -> None:
    method = indented(FUNCTION)
    delta = delta_of({PATH: (f"class A:\n    @staticmethod\n{method}", f"@staticmethod\n{FUNCTION}")})
    assert kinds(delta) == {"A": "removed", "measure": "moved"}
