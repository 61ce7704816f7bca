"""Where the downstream tree feels a change: evidence, misses and the ledger that holds them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from retrieval.frozen import Frozen

MODULE_SCOPE = "<module>"


class EvidenceKind(StrEnum):
    """Ways in which a downstream place feels an upstream change, strongest first."""

    FORK = "fork"
    PATCH = "patch"
    OVERRIDE = "override"
    REGISTRATION = "registration"
    SUBCLASS = "subclass"
    REFERENCE = "reference"
    IMPORT = "import"
    CONFIG = "config"
    TEST_COPY = "test_copy"
    HOOK = "hook"


class Relation(StrEnum):
    """How close the downstream place is to what changed, closest first."""

    SAME_SYMBOL = "same_symbol"  # resolves to the changed definition (or its old name)
    SAME_OPERATOR = "same_operator"  # registers an operator whose lowering, decomposition or kernel changed
    SAME_FLAG = "same_flag"  # reads or sets a changed config flag
    MEMBER = "member"  # a member of the changed class, or the changed member through a subclass
    ENCLOSING = "enclosing"  # the class around the changed member
    TOUCHED = "touched"  # a name that the changed lines use
    SAME_NAME = "same_name"  # the name matches, its object could not be resolved
    SIBLING = "sibling"  # registers an operator of the family of the changed one
    REPLACEMENT = "replacement"  # the body that a patch puts in place of upstream's
    CONSUMER = "consumer"  # uses upstream code that runs the changed definition
    HEIR = "heir"  # uses a downstream class that derives from the changed one
    AKIN = "akin"  # uses a rare name that a changed or touched name is made of
    ABOUT = "about"  # made of the words of the change, coupled to nothing near it
    SAME_MODULE = "same_module"  # another name of the changed module
    SAME_PACKAGE = "same_package"


class CopyState(StrEnum):  # what a downstream copy has of the change
    CARRIES_OLD_CODE = "carries_old_code"
    ALREADY_SYNCED = "already_synced"
    DIVERGED = "diverged"


class AlignedBlock(Frozen):
    """Lines (first, last) of an upstream definition, counted within its file, that a downstream copy holds as well."""

    upstream: tuple[int, int]
    downstream: tuple[int, int]


class CouplingDetail(Frozen):
    """What a coupling kind knows beyond its place; a field is null when the kind has no such thing or cannot tell."""

    downstream_signature: str | None = None  # "(x, sizes)" of the replacing or overriding function
    lacks: tuple[str, ...] = ()  # parameters of the new upstream signature that the downstream one does not accept
    signature_matches: bool | None = None  # downstream accepts every call that the new upstream signature allows
    calls_original: bool | None = None  # a patch or override calls the original
    replacement: str | None = None  # dotted name of what is put in place
    registrar: str | None = None  # register_lowering, make_fallback, …; or the list that names the operators
    listed: bool = False  # the registrar is a list bound to a name; whoever reads it may do anything with its operators
    operators: tuple[str, ...] = ()
    base: str | None = None  # upstream class that is subclassed
    access: str | None = None  # config: "read" or "set"
    similarity: float | None = None  # fork, test copy: 0…1, see retrieval.copies.alignment
    copy_state: CopyState | None = None
    original: str | None = None  # fork: dotted name of the upstream definition it is a copy of
    aligned: tuple[AlignedBlock, ...] = ()  # fork: what both have, in the upstream file before the change


class FurtherCoupling(Frozen):
    """Another way in which the scope of an item feels the change, besides its strongest."""

    kind: EvidenceKind
    relation: Relation
    lines: tuple[int, ...]
    token: str
    symbol: str
    detail: CouplingDetail = CouplingDetail()


class EvidenceItem(Frozen):
    """One downstream scope that feels the change. ``kind`` is the strongest of ``kinds``.
    ``lines`` hold the coupling itself, all inside ``scope``; ``token`` is a word found on every one of them or, where
    several couplings were merged, on the first; ``symbol`` is the upstream symbol, operator or flag it is about.
    """

    id: str  # E1, E2 …
    kind: EvidenceKind
    kinds: tuple[EvidenceKind, ...]
    relation: Relation
    path: str
    scope: str
    lines: tuple[int, ...]
    token: str
    symbol: str
    symbols: tuple[str, ...] = ()  # every upstream symbol merged into it, ``symbol`` first
    snippet: str = ""
    detail: CouplingDetail = CouplingDetail()
    further: tuple[FurtherCoupling, ...] = ()  # strongest first
    also_at: tuple[str, ...] = ()  # paths of near-duplicates: the same scope in a copy of the file, coupled alike
    score: float = 0.0


class Miss(Frozen):
    """A counted zero: ``pattern`` as a whole word (ASCII word boundaries) occurs in none of ``files`` files."""

    id: str  # Z1, Z2 …
    symbol: str
    pattern: str
    files: int
    count: int = 0


class SymbolCount(Frozen):
    """Whole-word occurrences of a name in the downstream tree: lines that hold it, and files that hold it."""

    symbol: str
    pattern: str
    lines: int
    files: int


class Totals(Frozen):
    # Places before the cut, near-duplicates folded: shown and cut. Of those of affinity alone the shown ones count.
    found: int = 0
    shown: int = 0
    cut: int = 0
    by_kind: dict[EvidenceKind, int] = Field(default_factory=dict)
    tokens: int = 0  # estimated tokens of the shown items
    files_searched: int = 0


class Ledger(Frozen):
    """Where torch_npu feels the change, at one pinned revision. Every number in it was measured there."""

    downstream: str  # name of the tree, for people
    revision: str
    items: tuple[EvidenceItem, ...] = ()
    misses: tuple[Miss, ...] = ()
    counts: tuple[SymbolCount, ...] = ()
    totals: Totals = Totals()
