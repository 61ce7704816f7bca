"""What a change does, in names: definitions, operators, config flags and tests that it touches."""

from __future__ import annotations

from enum import StrEnum

from retrieval.frozen import Frozen


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
