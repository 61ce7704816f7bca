from __future__ import annotations

from evals.change_names import ChangeName, NameSource, change_names
from tests.support.values import config, definition, delta, moved, operator, renamed


def sources(*parts: object, **fields: object) -> dict[str, NameSource]:
    found = change_names(delta(*parts, **fields), lambda word: 0)  # type: ignore[arg-type]
    return {name.word: name.source for name in found}


def test_every_source_gives_last_parts() -> None:
    change = definition("Gear.turn", operators=("aten.spin",), touched=("torch._mill.teeth.count", "grease"))
    assert sources(
        change, operator("prims.roll"), config("torch._mill.config.turbo"), modules=("torch._mill.axle",)
    ) == {
        "turn": NameSource.DEFINITION,
        "spin": NameSource.OPERATOR,
        "roll": NameSource.OPERATOR,
        "turbo": NameSource.FLAG,
        "Gear": NameSource.HOLDER,
        "gears": NameSource.MODULE,
        "axle": NameSource.MODULE,
        "count": NameSource.TOUCHED,
        "grease": NameSource.TOUCHED,
    }


def test_old_names_and_old_modules_count() -> None:
    found = sources(renamed("spin", "rotate"), moved("stop", "torch._mill.wheels"))
    assert {"spin", "rotate", "stop", "gears", "wheels"} <= set(found)


def test_a_name_counts_as_the_strongest_it_is() -> None:
    found = sources(definition("spin", touched=("turn", "spin")), definition("Gear.turn"))
    assert found["turn"] is NameSource.DEFINITION
    assert found["spin"] is NameSource.DEFINITION


def test_special_methods_are_no_names_but_their_class_is() -> None:
    found = sources(definition("Gear.__init__"))
    assert "__init__" not in found
    assert found["Gear"] is NameSource.HOLDER


def test_cpp_names_lose_namespace_and_suffix() -> None:
    found = sources(definition("mill.spin", path="torch/csrc/gears.h", touched=("mill::teeth",)))
    assert {"spin", "gears", "teeth"} <= set(found)


def test_the_files_that_hold_a_word_are_counted() -> None:
    (first, *_) = change_names(delta(definition("spin")), {"spin": 3, "gears": 7}.__getitem__)
    assert first == ChangeName("spin", NameSource.DEFINITION, 3)
