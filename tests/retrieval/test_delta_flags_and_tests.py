"""Config flags and test cases that a change touches, and names that its lines use."""

from __future__ import annotations

import pytest

from retrieval.models import Delta
from tests.support.two_sides import PATH, change_of, delta_of

CONFIG_PATH = "torch/_mill/config.py"
CONFIG = """\
import os

speed = 3
_private = 1
mode: str = os.environ.get(
    "MILL_MODE", "slow"
)


class triton:
    cudagraphs = False
    unique: bool = Config(default=True, env_name_default="MILL_UNIQUE")
"""


def configs(delta: Delta) -> list[tuple[str, str, str | None, str | None]]:
    return [(item.flag, item.kind.value, item.old, item.new) for item in delta.configs]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("speed = 3", "speed = 4", [("torch._mill.config.speed", "rewritten", "3", "4")]),
        ("speed = 3", "speed: int = 3", []),
        ("speed = 3\n", "", [("torch._mill.config.speed", "removed", "3", None)]),
        ("speed = 3", "speed = 3\ngrain: int = 2", [("torch._mill.config.grain", "added", None, "2")]),
        ("_private = 1", "_private = 2", []),
        (
            '"slow"',
            '"fast"',
            [
                (
                    "torch._mill.config.mode",
                    "rewritten",
                    'os.environ.get("MILL_MODE", "slow")',
                    'os.environ.get("MILL_MODE", "fast")',
                )
            ],
        ),
        (
            "cudagraphs = False",
            "cudagraphs = True",
            [("torch._mill.config.triton.cudagraphs", "rewritten", "False", "True")],
        ),
        ("speed = 3", "speed = 3  # fast", []),
        (
            "speed = 3",
            "mill_speed = 3",
            [
                ("torch._mill.config.speed", "removed", "3", None),
                ("torch._mill.config.mill_speed", "added", None, "3"),
            ],
        ),
    ],
)
def test_flags(old: str, new: str, expected: list[tuple[str, str, str | None, str | None]]) -> None:
    assert old in CONFIG
    assert configs(delta_of({CONFIG_PATH: (CONFIG, CONFIG.replace(old, new))})) == expected


@pytest.mark.parametrize(
    ("path", "value", "is_flag"),
    [
        ("torch/_mill/mill_config.py", "3", True),
        ("torch/_mill/gears.py", "3", False),
        ("torch/_mill/gears.py", 'os.getenv("MILL") == "1"', True),
        ("torch/_mill/gears.py", "Config(default=1)", True),
        ("torch/_mill/configure.py", "3", False),
        ("test/mill/config.py", "3", False),
    ],
)
def test_where_flags_live(path: str, value: str, is_flag: bool) -> None:
    delta = delta_of({path: ("x = 1\n", f"x = 1\nMILL_FLAG = {value}\n")})
    assert bool(delta.configs) is is_flag


TEST_PATH = "test/mill/test_gears.py"
TESTS = """\
class TestGears(TestCase):
    def setUp(self):
        self.x = 1

    def test_turn(self):
        self.assertEqual(turn(1), 2)

    def helper(self):
        return 1


def test_plain():
    assert turn(1)
"""


def cases(delta: Delta) -> list[tuple[str, str, str]]:
    return [(item.path, item.scope, item.kind.value) for item in delta.tests]


def test_changed_test_cases() -> None:
    new = (
        TESTS.replace("turn(1), 2", "turn(1), 3").replace("def test_plain", "def test_simple").replace("x = 1", "x = 2")
    )
    new = new.replace("    def helper", "    def test_stop(self):\n        stop()\n\n    def helper")
    assert sorted(cases(delta_of({TEST_PATH: (TESTS, new)}))) == [
        (TEST_PATH, "TestGears.test_stop", "added"),
        (TEST_PATH, "TestGears.test_turn", "rewritten"),
        (TEST_PATH, "test_simple", "renamed"),
    ]


def test_cosmetic_edits_and_other_files_give_no_test_cases() -> None:
    assert delta_of({TEST_PATH: (TESTS, TESTS.replace("    assert turn", "    # x\n    assert turn"))}).tests == ()
    assert delta_of({PATH: ("x = 1\n", "def test_speed():\n    return 1\n")}).tests == ()


def test_gtest_cases() -> None:
    old = "TEST(Gear, Turns) {\n  EXPECT_EQ(turn(1), 2);\n}\n"
    path = "test/cpp/mill_test.cpp"
    assert cases(delta_of({path: (old, old + "TEST_F(Gear, Stops) {\n  stop();\n}\n")})) == [
        (path, "Gear.Stops", "added")
    ]


def test_known_test_names_are_added_once() -> None:
    delta = delta_of(
        {TEST_PATH: (TESTS, TESTS.replace("turn(1), 2", "turn(1), 3"))},
        test_names=("test_turn", "test_elsewhere", "test/a.py::TestA::test_b[cpu]", "not a name"),
    )
    assert cases(delta) == [
        (TEST_PATH, "TestGears.test_turn", "rewritten"),
        (TEST_PATH, "test_elsewhere", "rewritten"),
        ("test/a.py", "TestA.test_b", "rewritten"),
    ]


def test_known_test_names_without_a_test_file_have_no_path() -> None:
    assert cases(delta_of({PATH: ("x = 1\n", "x = 2\n")}, test_names=("test_x",))) == [("", "test_x", "rewritten")]


USING = """\
import torch
import functools
from torch._mill import cogs as c, wheels
from .. import config
from .belts import Belt

aten = torch.ops.aten
log = torch._logging.getArtifactLogger(__name__, "mill")


def helper(x):
    return x


class Gear(Belt):
    def size(self):
        return 1

    def turn(self, load, *, by=1):
        {line}
        return load
"""


def used(line: str) -> tuple[str, ...]:
    return change_of(USING.format(line="pass"), USING.format(line=line)).touched


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("c.Cog(load)", ("torch._mill.cogs.Cog",)),
        ("wheels.spin()", ("torch._mill.wheels.spin",)),
        ("config.mill.fast", ("torch.config.mill.fast",)),
        ("helper(load)", ("torch._mill.gears.helper",)),
        ("self.size()", ("torch._mill.gears.Gear.size",)),
        ("self.tension.release()", ("tension.release",)),
        ("aten.mul.Tensor(load)", ("torch.ops.aten.mul.Tensor",)),
        ("load.get_stride(by=2)", ("get_stride",)),
        ("make(load)[0].realize()", ("make", "realize")),
        ("x = f'{c.Cog(1)!r}'", ("torch._mill.cogs.Cog",)),
        ("getattr(load, 'worn_teeth')", ("worn_teeth",)),
        ("print(len(load), [1].append(2), None, 'text here')", ()),
        ("functools.partial(load)", ()),
        ("log.debug(load)", ()),
        ("for item in load: item", ()),
        ("from torch._mill.axle import Axle; Axle(load)", ("torch._mill.axle.Axle",)),
    ],
)
def test_touched_names(line: str, names: tuple[str, ...]) -> None:
    assert used(line) == names


def test_rare_names_come_first() -> None:
    old = "def f(x):\n    return x\n"
    new = "def f(x):\n    common(x)\n    rare(x)\n    common(x)\n    return x\n"
    assert change_of(old, new).touched == ("rare", "common")


def test_reindented_lines_touch_nothing() -> None:
    old = "def f(x):\n    grind(x)\n    turn(x)\n"
    new = "def f(x):\n    if ready(x):\n        grind(x)\n        turn(x)\n"
    assert change_of(old, new).touched == ("ready",)


def test_names_of_the_change_itself_are_left_out_and_the_rest_is_bounded() -> None:
    lines = "".join(f"    name_{index}()\n" for index in range(60))
    touched = change_of("def f():\n    pass\n", f"def f():\n{lines}    f()\n").touched
    assert len(touched) == 40
    assert "f" not in touched


def test_cpp_names() -> None:
    old = "int f(int a) {\n  return a;\n}\n"
    new = "int f(int a) {\n  auto b = at::mill::turn<int>(a);\n  b.grind(std::move(a));\n  return a;\n}\n"
    (change,) = delta_of({"aten/src/mill.cpp": (old, new)}).definitions
    assert change.touched == ("at.mill.turn", "grind")
