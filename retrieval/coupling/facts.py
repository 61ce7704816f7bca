"""Facts: what one downstream file says about names, kept per blob and therefore free of the file's own path.

A fact's ``target`` is a dotted name in one of these forms, so that equal blobs under different paths share facts:

* ``torch._inductor.ir.View`` — absolute;
* ``@.View.create`` — defined in the file itself;
* ``..ir.View`` — relative import, leading dots as in the source;
* ``""`` — an attribute of an object nobody could name (``buffer.layout``);
* ``::at.native.add`` — C++, in any file (see `retrieval.coupling.cpp.naming`);
* ``c10/core/Allocator.h`` — a header.

`absolute` turns the second and third form into the first once a path is known.
"""

from __future__ import annotations

from typing import NamedTuple

from retrieval.models import CouplingDetail, EvidenceKind, ParameterKind

OWN = "@"
UPSTREAM = "torch."  # where upstream names live; torch_npu has another first part


class Shape(NamedTuple):
    """Parameters of a function as facts keep them: (name, kind, has default)."""

    name: str
    kind: ParameterKind
    has_default: bool


class Fact(NamedTuple):
    """One thing one scope says. ``lines`` are sorted and hold ``token``; ``name`` is the key it is looked up by.

    ``owner`` is the class that an override, subclass or fork fact is about (``@.C``), or the dotted replacement of a
    patch. ``shape`` holds the parameters of the function the fact is about, null when there is none or it is not in the
    file; ``span`` the first and last line of a whole definition.
    """

    kind: EvidenceKind
    name: str
    target: str
    scope: str
    lines: tuple[int, ...]
    token: str
    owner: str = ""
    shape: tuple[Shape, ...] | None = None
    detail: CouplingDetail | None = None
    span: tuple[int, int] | None = None


def last_part(name: str) -> str:
    """The key that facts about a dotted name, C++ ones included, or a header are looked up by."""
    return name.rpartition("/")[2] if "/" in name else name.removeprefix("::").rpartition(".")[2]


def is_held(target: str) -> bool:
    """True for an attribute of what a class or an object of it holds: nobody can tell whose it is.

    ``torch._inductor.virtualized.V.graph.sizevars.x`` is one, ``torch._inductor.ir.View.create`` is not.
    """
    names = target.split(".")
    # By its name `torch._C` looks like a class, and is a module.
    classes = [at for at, name in enumerate(names) if name.lstrip("_")[:1].isupper() and name != "_C"]
    return bool(classes) and len(names) - 1 - classes[-1] > 1


def absolute(target: str, module: str, is_package: bool) -> str:
    """``target`` as an absolute dotted name, seen from ``module``.

    A relative import that climbs out of the tree keeps its dots: it resolves to nothing, and so matches nothing.
    """
    if target.startswith(OWN):
        return module + target[len(OWN) :]
    if not target.startswith("."):
        return target
    rest = target.lstrip(".")
    climb = len(target) - len(rest) - (1 if is_package else 0)
    parts = module.split(".")
    if climb >= len(parts):
        return target
    package = ".".join(parts[: len(parts) - climb]) if climb else module
    return f"{package}.{rest}" if rest else package
