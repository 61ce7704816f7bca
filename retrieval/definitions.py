"""What a definition is, in any language: the values that ``symbols`` hands out.

``Definition`` is cheap: names and line numbers only. Everything that costs a walk over the tree (parameters, bases,
tokens) is computed when asked for and not kept; keep it yourself when you need it twice.

Trap: a ``Definition`` holds its tree-sitter node, and with it the whole tree. Take names and lines out of it before
it crosses a process border or lives in a cache.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from enum import IntEnum
from hashlib import blake2b
from typing import Protocol

from tree_sitter import Node

from retrieval.models import DefinitionKind, Parameter
from retrieval.syntax import Source

#: First characters of the tokens that mark tree structure rather than text.
OPEN, CLOSE = "\x01", "\x02"


class Layer(IntEnum):
    """What a token is there for. Bodies that agree on ``CODE`` behave alike but for what the other layers say."""

    CODE = 0
    COMMENT = 1
    TYPE_COMMENT = 2  # "type: ignore" and its relatives
    DOC = 3  # docstrings, bare strings, pass
    ASSERT = 4  # how an assertion is spelt, and its message
    TYPING = 5  # annotations, typing imports, casts
    LOGGING = 6  # log calls, messages of exceptions


#: The text of a token and its layer. A plain tuple: a change can have millions.
Token = tuple[str, Layer]


@dataclass(frozen=True, slots=True)
class Header:
    """What a definition says before its body. Texts are as written, white space folded."""

    parameters: tuple[Parameter, ...] = ()
    returns: str | None = None
    signature: str | None = None  # "(x, sizes, *, implicit=False) -> TensorBox"; None for classes and variables
    bases: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()  # without "@"
    annotation: str | None = None  # variables
    value: str | None = None  # variables: the assigned expression


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Hashes over the whole definition: ``exact`` over all tokens, ``code`` over those that can change behaviour.

    White space, line breaks, redundant parentheses and trailing commas enter neither.
    """

    exact: str
    code: str


class LanguageRules(Protocol):
    """The questions about a node whose answers depend on the language."""

    def header(self, definition: Definition) -> Header: ...

    def tokens(self, source: Source, node: Node, skip: Set[int]) -> list[Token]:
        """Tokens of ``node`` in order, leaving out the nodes whose ids are in ``skip``."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One definition at one place. Duplicated qualnames (overloads, redefinitions) are separate values, in order.

    Lines are 1-based and inclusive; ``start_line`` includes decorators and template headers, ``name_line`` is the
    line of the name itself. ``whole`` is the node with decorators, ``node`` the one without. ``outer`` is the
    enclosing definition; C++ namespaces are in ``qualname`` but are no definitions.
    """

    qualname: str
    kind: DefinitionKind
    start_line: int
    end_line: int
    name_line: int
    outer: Definition | None = field(repr=False)
    source: Source = field(repr=False)
    node: Node = field(repr=False)
    whole: Node = field(repr=False)
    rules: LanguageRules = field(repr=False)

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]

    @property
    def parent(self) -> str:
        """Qualname of what encloses it (class, function or C++ namespace), empty at top level."""
        return self.qualname.rpartition(".")[0]

    def header(self) -> Header:
        """Parameters, return type, bases, decorators; walks the header only."""
        return self.rules.header(self)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.header().parameters

    @property
    def returns(self) -> str | None:
        return self.header().returns

    @property
    def signature(self) -> str | None:
        return self.header().signature

    @property
    def bases(self) -> tuple[str, ...]:
        return self.header().bases

    @property
    def decorators(self) -> tuple[str, ...]:
        return self.header().decorators

    def tokens(self, skip: Set[int] = frozenset()) -> list[Token]:
        """All its tokens, decorators included; ``skip`` holds ids of nodes to leave out (nested definitions)."""
        return self.rules.tokens(self.source, self.whole, skip)

    def fingerprint(self) -> Fingerprint:
        """Hashes that tell a format-only and a comment- or typing-only difference from a real one."""
        tokens = self.tokens()
        return Fingerprint(
            exact=_digest([text for text, _ in tokens]),
            code=_digest([text for text, layer in tokens if layer is Layer.CODE]),
        )


def _digest(texts: list[str]) -> str:
    return blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=12).hexdigest()
