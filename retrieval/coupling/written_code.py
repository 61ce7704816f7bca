"""Code that a file writes: statements in its strings that name upstream by its full dotted name.

``assert_size_stride = torch._C._dynamo.guards.assert_size_stride`` in the header of a generated module binds torch_npu
to that name as an import of its own would. Only whole lines of a string that are an import or an assignment of a
dotted name count: a sentence that mentions ``torch.foo`` is no code, and what an f-string fills in is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from retrieval.coupling.python_source import PythonSource

# Possessive throughout: a long word in a file of others must not be tried in every way it can be cut.
_AS = r"(?:[ \t]++as[ \t]++\w++)?+[ \t]*+"
_LISTED = rf"\w++{_AS}(?:,[ \t]*+\w++{_AS})*+(?:,[ \t]*+)?+"
_IMPORT = re.compile(
    rf"[ \t]*+from[ \t]++(torch(?:\.\w++)*+)[ \t]++import[ \t]++(?:\([ \t]*+({_LISTED})\)|({_LISTED}))[ \t]*+"
)
_PLAIN_IMPORT = re.compile(rf"[ \t]*+import[ \t]++(torch(?:\.\w++)++){_AS}")
_ASSIGNMENT = re.compile(r"[ \t]*+\w++[ \t]*+=[ \t]*+(torch(?:\.\w++){2,}+)[ \t]*+")
_HINT = b"torch."


class Written(NamedTuple):
    """One upstream name in generated code; ``position`` is a byte of its line."""

    target: str
    position: int
    line: int


def written_code(source: PythonSource) -> Iterator[Written]:
    """Every such name, in source order; docstrings write no code."""
    if _HINT not in source.data:
        return
    prose = {text.start_byte for node in source.each("prose") for text in source.texts_in(node)}
    for node in source.nodes("text"):
        start, end = node.byte_range
        if source.data.find(_HINT, start, end) < 0 or start in prose:
            continue
        at, lines = start, source.data[start:end].split(b"\n")
        whole = range(source.data[start - 1 : start] == b"}", len(lines) - (source.data[end : end + 1] == b"{"))
        for number, line in enumerate(lines):
            for target in _targets(line.decode("utf-8", "replace")) if number in whole else ():
                yield Written(target, at, source.line_at(at))
            at += len(line) + 1


def _targets(line: str) -> Iterator[str]:
    found = _IMPORT.fullmatch(line)
    if found is not None:
        for name in (found[2] or found[3]).split(","):
            if name.strip():
                yield f"{found[1]}.{name.split()[0]}"
        return
    plain = _PLAIN_IMPORT.fullmatch(line) or _ASSIGNMENT.fullmatch(line)
    if plain is not None:
        yield plain[1]
