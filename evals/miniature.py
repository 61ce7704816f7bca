"""Trees of a few lines for a demo without network: invented code in the places where real code would lie.

The three changes show what the demo shows on the real trees: a downstream registration of the operator whose signature
changes, a patched method that changes, and a refactor that nothing downstream knows.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

UPSTREAM = {
    "torch/_inductor/lowering.py": """\
from torch._inductor import ir

lowerings = {}


def register_lowering(op):
    def decorate(fn):
        lowerings[op] = fn
        return fn

    return decorate


@register_lowering(aten.stretch)
def stretch(x, sizes):
    view = ir.StretchView.create(x, sizes)
    return ir.box(view)
""",
    "torch/_inductor/ir.py": """\
class StretchView:
    @classmethod
    def create(cls, x, sizes):
        return cls(x, tuple(sizes))


class OpaqueKernel:
    def codegen(self, wrapper):
        wrapper.writeline(self.call_line())
        self.check_outputs(wrapper)


def box(view):
    return view
""",
    "torch/_inductor/journal.py": """\
def format_journal(entries):
    lines = []
    for entry in entries:
        lines.append(str(entry))
    return "\\n".join(lines)
""",
}

DOWNSTREAM = {
    "torch_npu/_inductor/lowering.py": """\
from torch._inductor.lowering import register_lowering
from torch_npu._inductor.views import npu_view


@register_lowering(aten.stretch)
def stretch_npu(x, sizes):
    return npu_view(x, sizes)
""",
    "torch_npu/_inductor/patches.py": """\
from torch._inductor import ir


def codegen_npu(self, wrapper):
    wrapper.writeline(self.call_line())
    wrapper.writeline("npu_synchronize()")


def apply_patches():
    ir.OpaqueKernel.codegen = codegen_npu
""",
    "torch_npu/_inductor/views.py": """\
def npu_view(x, sizes):
    return x.reshape(sizes)
""",
}


@dataclass(frozen=True, slots=True)
class MiniatureChange:
    """One change of one upstream file: ``old`` becomes ``new``."""

    number: int
    title: str
    path: str
    old: str
    new: str

    def patch(self) -> bytes:
        """The change as a unified diff against ``UPSTREAM``."""
        before = UPSTREAM[self.path]
        after = before.replace(self.old, self.new)
        names = (f"a/{self.path}", f"b/{self.path}")
        lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), *names)
        return f"diff --git {names[0]} {names[1]}\n{''.join(lines)}".encode()


SIGNATURE = MiniatureChange(
    number=1,
    title="[inductor] Let stretch accept the quiet flag of its schema",
    path="torch/_inductor/lowering.py",
    old="def stretch(x, sizes):\n",
    new="def stretch(x, sizes, *, quiet=False):\n    del quiet\n",
)
PATCHED_METHOD = MiniatureChange(
    number=2,
    title="[inductor] Check outputs of an opaque kernel before its call",
    path="torch/_inductor/ir.py",
    old="        wrapper.writeline(self.call_line())\n        self.check_outputs(wrapper)\n",
    new="        self.check_outputs(wrapper)\n        wrapper.writeline(self.call_line())\n",
)
UNCOUPLED = MiniatureChange(
    number=3,
    title="[inductor] Simplify format_journal",
    path="torch/_inductor/journal.py",
    old='    lines = []\n    for entry in entries:\n        lines.append(str(entry))\n    return "\\n".join(lines)\n',
    new='    return "\\n".join(map(str, entries))\n',
)
CHANGES = (SIGNATURE, PATCHED_METHOD, UNCOUPLED)


def write_trees(folder: Path) -> tuple[Path, Path]:
    """Writes both trees below ``folder`` and returns (upstream base, downstream)."""
    for name, files in (("upstream", UPSTREAM), ("downstream", DOWNSTREAM)):
        for path, text in files.items():
            target = folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
    return folder / "upstream", folder / "downstream"
