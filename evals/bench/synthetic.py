"""Trees of any size in which every downstream file is coupled to upstream in the ordinary ways.

Upstream module ``n`` holds `FUNCTIONS` functions and a class. Downstream file ``n`` imports it, calls its functions,
subclasses its class, overrides and patches a method, registers a lowering and carries a copy of one function; it also
uses the module after it, so names are shared between files. Deterministic; all of it invented.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

FUNCTIONS = 8

_FUNCTION = '''
def {name}(wheel, teeth, *, speed={at}):
    """Turns one wheel by some teeth."""
    ratio = wheel.radius * teeth / {divisor}
    for tooth in range(teeth):
        ratio += wheel.friction(tooth, speed) * {factor}
    if ratio > speed:
        raise ValueError("wheel {at} of {part} runs too fast")
    return wheel.turned(ratio)
'''
_CLASS = """
class Gear{part}:
    def mesh(self, other, slack=0):
        return self.teeth * other.teeth - slack

    def turn(self, steps):
        return self.mesh(self, steps)
"""
_DOWNSTREAM = """import torch
from torch._mill import part_{part} as part
from torch._mill.part_{after} import {borrowed}
from torch._inductor.lowering import register_lowering


class NPUGear(part.Gear{part}):
    def mesh(self, other, slack=0):
        raw = super().mesh(other, slack)
        return raw + {borrowed}(self, slack)


@register_lowering(torch.ops.aten.mill_{part})
def lowered(gear, teeth):
    return part.{first}(gear, teeth, speed=2)


def npu_turn(self, steps):
    return self.mesh(self, steps + 1)


def apply_patches():
    part.Gear{part}.turn = npu_turn
"""
_CALLER = """
def npu_{name}(wheels):
    results = [part.{name}(wheel, 4) for wheel in wheels]
    return part.{name}(wheels[0], len(results)), results
"""


def upstream(modules: int) -> dict[str, str]:
    """Path → text."""
    return {f"torch/_mill/part_{_part(at)}.py": _module(at) for at in range(modules)}


def downstream(files: int) -> dict[str, str]:
    """Path → text."""
    return {f"mill_npu/part_{_part(at)}.py": _coupled(at, files) for at in range(files)}


def patch(symbols: int, modules: int) -> bytes:
    """A unified diff against ``upstream(modules)`` that rewrites so many functions, spread over the modules."""
    found = []
    chosen = [(at % modules, at // modules) for at in range(min(symbols, modules * FUNCTIONS))]
    for path, before in upstream(modules).items():
        number = int(path[-7:-3])
        after = before
        for at in (function for module, function in chosen if module == number):
            head = f"def {_function(number, at)}("
            start = after.index(head)
            after = after[:start] + after[start:].replace(
                "return wheel.turned(ratio)", "return wheel.turned(-ratio)", 1
            )
        if after != before:
            lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), f"a/{path}", f"b/{path}")
            found.append(f"diff --git a/{path} b/{path}\n{''.join(lines)}")
    return "".join(found).encode()


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Writes the files below ``folder`` and returns it."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return folder


def _module(at: int) -> str:
    functions = (_body(at, number) for number in range(FUNCTIONS))
    return "".join((*functions, _CLASS.format(part=_part(at)))).lstrip("\n")


def _coupled(at: int, files: int) -> str:
    after = (at + 1) % files
    head = _DOWNSTREAM.format(part=_part(at), after=_part(after), borrowed=_function(after, 0), first=_function(at, 0))
    callers = (_CALLER.format(name=_function(at, number)) for number in range(FUNCTIONS))
    return "".join((head, *callers, _body(at, FUNCTIONS - 1)))


def _body(part: int, at: int) -> str:
    return _FUNCTION.format(name=_function(part, at), at=at, part=_part(part), divisor=at + 3, factor=part % 7 + 2)


def _part(at: int) -> str:
    return f"{at:04d}"


def _function(part: int, at: int) -> str:
    return f"spin_{_part(part)}_{at}"
