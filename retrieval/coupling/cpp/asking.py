"""What a question knows of a changed C++ definition, and when a downstream C++ name means it.

Parts may be missing at the front of either name: ``using namespace`` may stand in a header, and a hunk does not show
what is around it. So two names agree when one ends with the other. How many parts the shorter must have depends on what
is asked: two where any name counts, one where a base class does.

The trap: a qualname does not tell namespaces from classes. What holds a method is a class, whatever its name; of the
rest classes are capitalised, and namespaces are not.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.coupling.cpp.naming import MARK, UNKNOWN_OBJECT, cpp_name
from retrieval.models import DefinitionChange, DefinitionKind, Delta, Language, Nature, Relation

_PARTS_THAT_TELL = 2
_ASIDE = frozenset({Nature.TEST, Nature.DOCS, Nature.BUILD})
_HEADERS = (".h", ".hpp", ".cuh")


def same_name(one: str, other: str, least: int = _PARTS_THAT_TELL) -> bool:
    """Do two names mean the same, as far as they say? Names of other languages must be equal."""
    if one == other:
        return True
    if not (one.startswith(MARK) and other.startswith(MARK)):
        return False
    shorter, longer = sorted((one[len(MARK) :].split("."), other[len(MARK) :].split(".")), key=len)
    return shorter != [""] and len(shorter) >= least and longer[-len(shorter) :] == shorter


def known_as(change: DefinitionChange) -> tuple[str, ...]:
    """The names that facts have for a changed definition, new and old: none of its file's path is in them."""
    qualnames = (change.qualname, change.old_qualname or change.qualname)
    return tuple(dict.fromkeys(cpp_name((qualname,)) for qualname in qualnames))


def classes_around(change: DefinitionChange) -> tuple[str, ...]:
    """The classes around a changed definition, innermost first."""
    names = (change.old_qualname or change.qualname).split(".")
    if change.definition is DefinitionKind.FUNCTION:
        return ()
    held = change.definition is DefinitionKind.METHOD
    found: list[str] = []
    for at in range(len(names) - 1, 0, -1):
        if not (names[at - 1][:1].isupper() or (held and at == len(names) - 1)):
            break
        found.append(cpp_name(names[:at]))
    return tuple(found)


def relation_in_cpp(target: str, names: Sequence[str], holders: Sequence[str]) -> Relation | None:
    """How the C++ name of a fact relates to a definition that goes by ``names``, inside of ``holders``.

    A bare name that may be the definition's is ``SAME_NAME``: whether that says anything is the asker's to tell.
    """
    if not target.startswith(MARK):
        return None
    if target == UNKNOWN_OBJECT:
        return Relation.SAME_NAME if holders else None
    if any(same_name(target, name) for name in names):
        return Relation.SAME_SYMBOL
    if any(same_name(target, holder) for holder in holders):
        return Relation.ENCLOSING
    outer = target.rpartition(".")[0]
    if any(same_name(outer, name) for name in names):
        return Relation.MEMBER
    return Relation.SAME_NAME if any(same_name(target, name, least=1) for name in names) else None


def changed_headers(delta: Delta) -> tuple[str, ...]:
    """Changed C++ headers under their new and their old path."""
    paths = [file.path for file in delta.files if file.language is Language.CPP and file.nature not in _ASIDE]
    old = [one.old_module for one in delta.definitions if one.language is Language.CPP and one.old_module]
    return tuple(dict.fromkeys(path for path in (*paths, *old) if path.endswith(_HEADERS)))
