"""What each name in a file stands for, scope by scope, as far as reading the file can tell.

Python's rules: a name bound anywhere in a function is local to all of it; class bodies are invisible to their methods;
a parameter, lambda parameter or comprehension variable shadows an import; ``global`` and ``nonlocal`` bind outside.

Of several bindings of one name in one scope, a use sees the last one that must have run before it, and those that may
have run since: ``try: from a import x`` … ``except ImportError: from b import x`` leaves both; ``x = None`` in the same
block hides the import above it. A function body sees what the end of the enclosing scope leaves.

Aliases (``raw = ir.View.create``) and instances (``k = ir.View(…)``, ``k: ir.View``, ``def f(k: ir.View)``,
``self.k = ir.View(…)``) are followed one step; an instance stands for its class, and `holds_instance` tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from retrieval.coupling.chains import dotted
from retrieval.coupling.facts import OWN
from retrieval.coupling.flow import Binding, Flow
from retrieval.coupling.python_source import PythonSource

_LOCAL: tuple[str, ...] = ()  # bound, but to nothing that could be named


class Imported(NamedTuple):
    """One imported name. ``target`` is what it stands for, ``bound`` the name it gets; star imports bind ``*``."""

    target: str
    bound: str
    line: int
    scope: int
    token: str  # a word of the target that stands on ``line``
