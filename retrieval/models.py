"""Values that travel from a change to its evidence ledger.

Every enumeration and model of *change*, *delta* and *evidence* lives here, once; prompt schema, rule table, database
and pages are tested equal to these lists. All are frozen: a step takes values and returns new ones.

Paths are POSIX, relative to the root of their tree; lines are 1-based, sorted, without duplicates. A *scope* is a
dotted qualname without ``<locals>``, ``<module>`` at top level: a decorator belongs to what it decorates, a nested hit
to the innermost scope. A *module* is a dotted import path, a *symbol* ``module.qualname``, an *operator*
``namespace.name`` without overload (``aten.expand``).
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from retrieval.frozen import Frozen as Frozen

MODULE_SCOPE = "<module>"


class FileStatus(StrEnum):
    ADDED = "added"
    DELETED = "deleted"
    MODIFIED = "modified"
    RENAMED = "renamed"
    COPIED = "copied"
    MODE = "mode"  # only the permission bits or the file type changed


class Hunk(Frozen):
    """One ``@@`` block: ``lines`` keep their first character (blank, ``+``, ``-``) and a ``\\r``, not their ``\\n``."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: str = ""
    lines: tuple[str, ...]
    old_ends_open: bool = False  # the last old line is the file's last and has no line end
    new_ends_open: bool = False

    @property
    def added(self) -> int:
        return sum(line[:1] == "+" for line in self.lines)

    @property
    def removed(self) -> int:
        return sum(line[:1] == "-" for line in self.lines)


class ChangedFile(Frozen):
    """``path`` is the new path (the old one for a deletion); ``old_path`` is set for renames and copies only."""

    path: str
    old_path: str | None = None
    status: FileStatus = FileStatus.MODIFIED
    hunks: tuple[Hunk, ...] = ()
    binary: bool = False
    old_mode: str | None = None
    new_mode: str | None = None
    similarity: int | None = None  # percent, as git printed it

    @property
    def base_path(self) -> str:
        return self.old_path or self.path

    @property
    def added(self) -> int:
        return sum(hunk.added for hunk in self.hunks)

    @property
    def removed(self) -> int:
        return sum(hunk.removed for hunk in self.hunks)


class UpstreamChange(Frozen):
    """One upstream pull request, as far as its source could tell.

    ``other_paths`` and ``test_names`` belong to the change although no diff shows them.
    ``diff_complete`` is false when the diff is a part or a reconstruction: then no statement of size may be made.
    """

    number: int | None = None
    title: str = ""
    body: str = ""
    labels: tuple[str, ...] = ()
    merged: bool = False
    reverted: bool = False
    date: str | None = None  # ISO 8601 day
    base_sha: str | None = None
    head_sha: str | None = None
    source: str = ""  # how it was obtained, for people
    files: tuple[ChangedFile, ...] = ()
    other_paths: tuple[str, ...] = ()
    test_names: tuple[str, ...] = ()
    diff_complete: bool = True

    @property
    def added(self) -> int:
        return sum(file.added for file in self.files)

    @property
    def removed(self) -> int:
        return sum(file.removed for file in self.files)


class Language(StrEnum):
    PYTHON = "python"
    CPP = "cpp"
    OTHER = "other"


class ChangeKind(StrEnum):
    """What happened to one definition: the strongest that applies, in this order."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    MOVED = "moved"
    RESIGNED = "resigned"
    REWRITTEN = "rewritten"
    REFORMATTED = "reformatted"  # same tokens, or only comments, docstrings or annotations differ


class DefinitionKind(StrEnum):
    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    VARIABLE = "variable"  # module or class level assignment


class SignatureChangeKind(StrEnum):
    PARAMETER_ADDED = "parameter_added"
    PARAMETER_REMOVED = "parameter_removed"
    PARAMETER_RENAMED = "parameter_renamed"
    PARAMETER_REORDERED = "parameter_reordered"
    DEFAULT_CHANGED = "default_changed"
    KIND_CHANGED = "kind_changed"
    RETURN_CHANGED = "return_changed"


class ParameterKind(StrEnum):
    POSITIONAL_ONLY = "positional_only"
    POSITIONAL_OR_KEYWORD = "positional_or_keyword"
    VAR_POSITIONAL = "var_positional"
    KEYWORD_ONLY = "keyword_only"
    VAR_KEYWORD = "var_keyword"


class Parameter(Frozen):
    name: str
    kind: ParameterKind = ParameterKind.POSITIONAL_OR_KEYWORD
    default: str | None = None  # source text, whitespace folded
    annotation: str | None = None


class SignatureChange(Frozen):
    """One difference between two signatures; ``words`` says it in Chinese (新增仅关键字参数 implicit=False)."""

    kind: SignatureChangeKind
    name: str  # the parameter (its new name when renamed), "return" for the return type
    old: str | None = None
    new: str | None = None
    breaking: bool = False  # can a caller or an overrider of the old signature fail?
    words: str


class Nature(StrEnum):
    """What a change of a definition, a file or a whole amounts to, when it is no more than that."""

    COMMENT = "comment"  # comments, docstrings
    FORMAT = "format"  # same tokens
    TYPING = "typing"  # annotations, typing imports, casts, `# type:`
    LOGGING = "logging"  # only log or message calls differ
    TEST = "test"
    DOCS = "docs"
    BUILD = "build"  # CI, packaging
    DEVICE = "device"  # only code of devices other than NPU: see Delta.devices
    RENAME = "rename"  # names or places change, bodies do not
    CODE = "code"  # none of the above


class DefinitionChange(Frozen):
    """One definition that the change touches.

    ``module``/``qualname`` name it on the head side (on the base side when removed); ``old_module``/``old_qualname``
    are set when they differ (renamed, moved). Line ranges are inclusive, decorators included, in the file of their
    side; they are exact with full files, and limited to what hunks show without. ``touched`` are the identifiers that
    the changed lines call or read, rarest first.
    """

    kind: ChangeKind
    definition: DefinitionKind
    language: Language = Language.PYTHON
    nature: Nature = Nature.CODE
    path: str
    module: str
    qualname: str
    old_module: str | None = None
    old_qualname: str | None = None
    old_lines: tuple[int, int] | None = None
    new_lines: tuple[int, int] | None = None
    signature: str | None = None  # new signature as written, "(x, sizes, *, implicit=False)"
    old_signature: str | None = None
    parameters: tuple[Parameter, ...] = ()  # of the new signature (old one when removed)
    signature_changes: tuple[SignatureChange, ...] = ()
    operators: tuple[str, ...] = ()  # operators that it registers (lowering, decomposition, meta, fallback)
    bases: tuple[str, ...] = ()  # classes: bases as written on the head side
    touched: tuple[str, ...] = ()
    added: int = 0  # changed lines inside it, nested definitions excluded
    removed: int = 0

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]

    @property
    def old_name(self) -> str:
        return (self.old_qualname or self.qualname).rpartition(".")[2]

    @property
    def symbol(self) -> str:
        return f"{self.module}.{self.qualname}"

    @property
    def old_symbol(self) -> str:
        return f"{self.old_module or self.module}.{self.old_qualname or self.qualname}"


class OperatorRole(StrEnum):
    LOWERING = "lowering"
    FALLBACK = "fallback"
    DECOMPOSITION = "decomposition"
    META = "meta"
    KERNEL = "kernel"  # C++ registration, TORCH_LIBRARY_IMPL and friends
    SCHEMA = "schema"


class OperatorChange(Frozen):
    """An operator whose registration the change adds, removes or whose registered body it rewrites."""

    operator: str
    role: OperatorRole
    kind: ChangeKind
    path: str
    qualname: str


class ConfigChange(Frozen):
    """A config flag, dotted in full (``torch._inductor.config.triton.cudagraphs``)."""

    flag: str
    kind: ChangeKind  # added, removed, or rewritten (default changed)
    old: str | None = None
    new: str | None = None
    path: str


class TestCaseChange(Frozen):
    """A test case, ``scope`` being ``Class.test_name`` or ``test_name``."""

    __test__ = False
    path: str
    scope: str
    kind: ChangeKind


class FileDelta(Frozen):
    path: str
    language: Language
    nature: Nature
    added: int
    removed: int
    complete: bool  # both sides' full files were at hand


class Delta(Frozen):
    """What a change does, in names. ``natures`` is the set over its files, ``CODE`` alone being the plain case."""

    definitions: tuple[DefinitionChange, ...] = ()
    operators: tuple[OperatorChange, ...] = ()
    configs: tuple[ConfigChange, ...] = ()
    tests: tuple[TestCaseChange, ...] = ()
    files: tuple[FileDelta, ...] = ()
    modules: tuple[str, ...] = ()  # dotted modules of the changed source files, tests left out
    devices: tuple[str, ...] = ()  # cuda, rocm, xpu, mps, cpu … when the change is theirs alone
    natures: tuple[Nature, ...] = ()


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
    SAME_MODULE = "same_module"  # another name of the changed module
    SAME_PACKAGE = "same_package"


class CopyState(StrEnum):  # what a downstream copy has of the change
    CARRIES_OLD_CODE = "carries_old_code"
    ALREADY_SYNCED = "already_synced"
    DIVERGED = "diverged"


class CouplingDetail(Frozen):
    """What a coupling kind knows beyond its place; a field is null when the kind has no such thing or cannot tell."""

    downstream_signature: str | None = None  # "(x, sizes)" of the replacing or overriding function
    lacks: tuple[str, ...] = ()  # parameters of the new upstream signature that the downstream one does not accept
    signature_matches: bool | None = None  # downstream accepts every call that the new upstream signature allows
    calls_original: bool | None = None  # a patch or override calls the original
    replacement: str | None = None  # dotted name of what is put in place
    registrar: str | None = None  # register_lowering, make_fallback, …
    operators: tuple[str, ...] = ()
    base: str | None = None  # upstream class that is subclassed
    access: str | None = None  # config: "read" or "set"
    similarity: float | None = None  # fork: 0…1, see retrieval.likeness
    copy_state: CopyState | None = None


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
    found: int = 0  # places before the cut, one per scope: shown and cut
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
