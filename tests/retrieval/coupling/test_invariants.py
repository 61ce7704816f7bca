"""What holds for every fact of every file: its token stands on each of its lines, inside its scope."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence

import pytest

from retrieval.coupling.python_file import PythonFile
from retrieval.coupling.registry import KINDS
from retrieval.models import EvidenceKind
from retrieval.word_search import lines_with
from tests.retrieval.coupling.test_python_source import scopes_by_line

HEADERS = [
    "import torch",
    "import torch._mill.gears as g",
    "from torch._mill import config, gears, wheels as w",
    "from torch._mill.gears import (\n    Gear,  # 创建Gear选项\n    spin as s,\n    stop,\n)",
    "from . import own\nfrom ..compat import Gear as Other",
    "from torch._mill.more import *",
    "try:\n    from torch._mill.new import Cog\nexcept ImportError:\n    from torch._mill.old import Cog",
    "aten = torch.ops.aten",
]
STATEMENTS = [
    "gears.Gear.turn = f",
    "setattr(\n    gears.Gear,\n    'turn',\n    f,\n)",
    "gears.table[key] = f",
    "gears.table.append(f)",
    "config.turbo = not config.turbo",
    "config.patch({\n    'turbo': 1,\n    'deep.turbo': 2,\n})",
    "raw = (gears\n       .Gear  # turn\n       .turn)",
    "x = f'{gears.spin(1)!r:>{w.width}} gears.spin {{gears}}'",
    "y = [gears.spin(i) for i in range(3) if i]",
    "z = lambda gears: gears.spin",
    "make_fallback(aten.spin)",
    "register_lowering([\n    aten.spin.default,\n    aten.stop,\n])(f)",
    "lib.impl('aten::spin', f)",
    "k: gears.Gear = load()\nk.turn(s(1))",
    "super_turn = gears.Gear(1).turn()",
    "'''torch._mill.gears.spin\ngears.spin\n'''",
    "# gears.Gear.turn = 创建spin",
    "own.x.turn(Cog, Gear, stop)",
    "with gears.spin(1) as gears2:\n    gears2.stop()",
    "if config.turbo:\n    gears.stop()\nelse:\n    gears = None",
    "a, b = gears.spin, w.roll",
    "assert isinstance(k, gears.Gear), 'gears.Gear'",
    "print(torch.ops.aten.spin.default,\n      torch._mill.gears.spin)",
    "global_name = gears.spin  # type: gears.Gear",
]
BLOCKS = [
    "@gears.register(aten.spin)\ndef f(x, *, by=gears.spin):",
    "@functools.wraps(\n    gears.Gear.turn\n)\nasync def g(self, gears):",
    "class N(gears.Gear, w.Wheel[int]):",
    "class M(\n    Other,\n    metaclass=Meta,\n):",
    "def h(a, /, b: Gear, *c, d=1, **e) -> gears.Gear:",
    "@gears.each(\n    gears.spin\n)\ndef test_spin(self, by=gears.spin):",
    "for i in gears.spin():",
    "while True:",
]


def _block(draw: random.Random, depth: int) -> Iterator[str]:
    for _ in range(draw.randint(1, 5)):
        if depth < 4 and draw.random() < 0.4:
            yield from draw.choice(BLOCKS).split("\n")
            yield from (f"    {line}" for line in _block(draw, depth + 1))
        else:
            yield from draw.choice(STATEMENTS).split("\n")
    yield "pass"


def source(seed: int) -> bytes:
    """A file of its own for every seed; some with a mark, carriage returns, another encoding or an error."""
    draw = random.Random(seed)
    lines = [line for header in draw.sample(HEADERS, draw.randint(1, len(HEADERS))) for line in header.split("\n")]
    for _ in range(draw.randint(3, 9)):
        lines += _block(draw, 0)
    if draw.random() < 0.1:
        lines.insert(draw.randrange(len(lines)), "def (:")
    text = "\n".join(lines) + "\n" * draw.randint(0, 2)
    data = text.encode("gb18030" if draw.random() < 0.1 else "utf-8")
    if draw.random() < 0.2:
        data = data.replace(b"\n", b"\r\n")
    return b"\xef\xbb\xbf" + data if draw.random() < 0.2 else data


def owners_of(data: bytes) -> Sequence[str] | None:
    try:
        tree = ast.parse(data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n"))
    except (SyntaxError, ValueError):
        return None
    return scopes_by_line(tree, data.count(b"\n") + 1)


@pytest.mark.parametrize("part", range(6))
def test_every_fact_stands_where_it_says(part: int) -> None:
    seen: set[EvidenceKind] = set()
    for seed in range(part, 120, 6):
        data = source(seed)
        file, owners = PythonFile(data), owners_of(data)
        held: dict[str, set[int]] = {}
        for kind in KINDS:
            for fact in kind.extract(file) if kind.extract is not None else ():
                seen.add(fact.kind)
                where = f"seed {seed}: {fact}"
                assert fact.lines, where
                assert list(fact.lines) == sorted(set(fact.lines)), where
                if fact.token not in held:
                    held[fact.token] = set(lines_with(data, fact.token))
                assert set(fact.lines) <= held[fact.token], where
                if owners is not None:
                    assert {owners[line - 1] for line in fact.lines} == {fact.scope}, where
                if fact.span is not None:
                    assert fact.span[0] <= min(fact.lines) <= max(fact.lines) <= fact.span[1], where
    assert seen >= {kind.kind for kind in KINDS if kind.extract is not None}


def test_most_generated_files_are_good_python() -> None:
    parsed = sum(owners_of(source(seed)) is not None for seed in range(120))
    assert 70 < parsed < 120


def test_facts_do_not_depend_on_the_run() -> None:
    for seed in range(0, 120, 12):
        data = source(seed)
        once, again = ([list(kind.extract(PythonFile(data))) for kind in KINDS if kind.extract] for _ in range(2))
        assert once == again
