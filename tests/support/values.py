"""Builders of small change, delta and ledger values for tests, all about invented code.

Every builder fills what a test does not care about and takes the rest by keyword; ids are given in order by
``ledger`` (``E1, E2 …``, ``Z1, Z2 …``), so a test reads ``ledger(reference(...), patch(...), missing("Gadget"))``.
The invented upstream is the package ``torch._mill`` with the module ``gears``; its downstream is ``mill_npu``.
"""

from __future__ import annotations

from typing import Any

from retrieval.models import (
    ChangedFile,
    ChangeKind,
    ConfigChange,
    CouplingDetail,
    DefinitionChange,
    DefinitionKind,
    Delta,
    EvidenceItem,
    EvidenceKind,
    FileDelta,
    FileStatus,
    FurtherCoupling,
    Hunk,
    Language,
    Ledger,
    Miss,
    Nature,
    OperatorChange,
    OperatorRole,
    Parameter,
    ParameterKind,
    Relation,
    SignatureChange,
    SignatureChangeKind,
    SymbolCount,
    TestCaseChange,
    Totals,
    UpstreamChange,
)

GEARS = "torch/_mill/gears.py"


def module_of(path: str) -> str:
    """The dotted module of a Python path; other paths stand for themselves."""
    if not path.endswith((".py", ".pyi")):
        return path
    stem = path.rpartition(".")[0].removesuffix("/__init__")
    return stem.replace("/", ".")


# --- change ----------------------------------------------------------------------------------------------------------


def hunk(added: int = 3, removed: int = 1, start: int = 10) -> Hunk:
    """A hunk of ``removed`` minus and ``added`` plus lines between two lines of context."""
    lines = (" before", *["-old line"] * removed, *["+new line"] * added, " after")
    return Hunk(old_start=start, old_count=removed + 2, new_start=start, new_count=added + 2, lines=lines)


def changed_file(path: str = GEARS, added: int = 3, removed: int = 1, **fields: Any) -> ChangedFile:
    return ChangedFile(path=path, hunks=(hunk(added, removed),), **fields)


def change(*files: ChangedFile | str, title: str = "Turn the gears the other way", **fields: Any) -> UpstreamChange:
    """An upstream change; a file given as a path gets one hunk of +3 -1."""
    given = files or (GEARS,)
    return UpstreamChange(
        title=title,
        number=fields.pop("number", 4242),
        files=tuple(changed_file(file) if isinstance(file, str) else file for file in given),
        **fields,
    )


def renamed_file(old: str, new: str) -> ChangedFile:
    return ChangedFile(path=new, old_path=old, status=FileStatus.RENAMED, similarity=100)


# --- delta -----------------------------------------------------------------------------------------------------------


def definition(qualname: str = "spin", kind: ChangeKind = ChangeKind.REWRITTEN, **fields: Any) -> DefinitionChange:
    """One changed definition of ``torch._mill.gears``; a dotted qualname is a method unless said otherwise."""
    path: str = fields.pop("path", GEARS)
    guess = DefinitionKind.METHOD if "." in qualname else DefinitionKind.FUNCTION
    return DefinitionChange(
        kind=kind,
        definition=fields.pop("definition", guess),
        language=fields.pop("language", Language.PYTHON if path.endswith((".py", ".pyi")) else Language.CPP),
        path=path,
        module=fields.pop("module", module_of(path)),
        qualname=qualname,
        added=fields.pop("added", 3),
        removed=fields.pop("removed", 1),
        **fields,
    )


def keyword_only(name: str = "quiet", default: str | None = "False") -> Parameter:
    return Parameter(name=name, kind=ParameterKind.KEYWORD_ONLY, default=default)


def parameter_added(name: str = "quiet", default: str | None = "False", *, breaking: bool = False) -> SignatureChange:
    """``新增仅关键字参数 quiet=False``; breaking means that the old implementer or caller can fail."""
    written = name if default is None else f"{name}={default}"
    return SignatureChange(
        kind=SignatureChangeKind.PARAMETER_ADDED,
        name=name,
        new=written,
        breaking=breaking,
        words=f"新增仅关键字参数 {written}",
    )


def parameter_removed(name: str = "loud") -> SignatureChange:
    return SignatureChange(
        kind=SignatureChangeKind.PARAMETER_REMOVED, name=name, old=name, breaking=True, words=f"删除参数 {name}"
    )


def resigned(qualname: str = "spin", *changes: SignatureChange, **fields: Any) -> DefinitionChange:
    """A definition whose signature changed: by default it gains the keyword-only parameter ``quiet=False``."""
    return definition(
        qualname,
        ChangeKind.RESIGNED,
        signature=fields.pop("signature", "(x, *, quiet=False)"),
        old_signature=fields.pop("old_signature", "(x)"),
        parameters=fields.pop("parameters", (Parameter(name="x"), keyword_only())),
        signature_changes=changes or (parameter_added(),),
        **fields,
    )


def renamed(old: str = "spin", new: str = "rotate", **fields: Any) -> DefinitionChange:
    return definition(new, ChangeKind.RENAMED, old_qualname=old, nature=fields.pop("nature", Nature.RENAME), **fields)


def moved(qualname: str = "spin", old_module: str = "torch._mill.wheels", **fields: Any) -> DefinitionChange:
    nature = fields.pop("nature", Nature.RENAME)
    return definition(qualname, ChangeKind.MOVED, old_module=old_module, nature=nature, **fields)


def operator(
    name: str = "aten.spin",
    role: OperatorRole = OperatorRole.LOWERING,
    kind: ChangeKind = ChangeKind.REWRITTEN,
    qualname: str = "spin",
    path: str = GEARS,
) -> OperatorChange:
    return OperatorChange(operator=name, role=role, kind=kind, path=path, qualname=qualname)


def config(
    flag: str = "torch._mill.config.turbo",
    kind: ChangeKind = ChangeKind.REWRITTEN,
    old: str | None = "False",
    new: str | None = "True",
) -> ConfigChange:
    return ConfigChange(flag=flag, kind=kind, old=old, new=new, path="torch/_mill/config.py")


def case(scope: str = "TestGears.test_spin", path: str = "test/mill/test_gears.py") -> TestCaseChange:
    return TestCaseChange(path=path, scope=scope, kind=ChangeKind.ADDED)


def file_delta(path: str = GEARS, nature: Nature = Nature.CODE, **fields: Any) -> FileDelta:
    return FileDelta(
        path=path,
        language=fields.pop("language", Language.PYTHON if path.endswith((".py", ".pyi")) else Language.CPP),
        nature=nature,
        added=fields.pop("added", 3),
        removed=fields.pop("removed", 1),
        complete=fields.pop("complete", True),
    )


def delta(*parts: DefinitionChange | OperatorChange | ConfigChange | TestCaseChange, **fields: Any) -> Delta:
    """A delta of the given parts, its files, modules and natures derived from them unless given.

    A test file adds no module and makes no nature while other files are there.
    """
    definitions = tuple(part for part in parts if isinstance(part, DefinitionChange))
    cases = tuple(part for part in parts if isinstance(part, TestCaseChange))
    natures = {part.path: part.nature for part in definitions}
    for part in definitions:
        if part.nature is not natures[part.path]:
            natures[part.path] = Nature.CODE
    for other in parts:
        if isinstance(other, OperatorChange | ConfigChange):
            natures.setdefault(other.path, Nature.CODE)
    sources = tuple(_source(path, nature, definitions) for path, nature in natures.items())
    tests = tuple(file_delta(path, Nature.TEST) for path in dict.fromkeys(part.path for part in cases))
    files: tuple[FileDelta, ...] = fields.pop("files", sources + tests)
    modules = tuple(dict.fromkeys(module_of(file.path) for file in files if file.nature is not Nature.TEST))
    return Delta(
        definitions=definitions,
        operators=tuple(part for part in parts if isinstance(part, OperatorChange)),
        configs=tuple(part for part in parts if isinstance(part, ConfigChange)),
        tests=cases,
        files=files,
        modules=fields.pop("modules", modules),
        natures=fields.pop("natures", tuple(dict.fromkeys(file.nature for file in files))),
        **fields,
    )


def _source(path: str, nature: Nature, definitions: tuple[DefinitionChange, ...]) -> FileDelta:
    """A file with the changed lines of its definitions, or +3 -1 when it has none."""
    own = [one for one in definitions if one.path == path]
    if not own:
        return file_delta(path, nature)
    return file_delta(path, nature, added=sum(one.added for one in own), removed=sum(one.removed for one in own))


# --- evidence --------------------------------------------------------------------------------------------------------


def item(kind: EvidenceKind, symbol: str = "torch._mill.gears.spin", **fields: Any) -> EvidenceItem:
    """One evidence item; keywords of ``CouplingDetail`` go into its detail, the rest to the item itself."""
    detail = {name: fields.pop(name) for name in list(fields) if name in CouplingDetail.model_fields}
    token = fields.pop("token", symbol.rpartition(".")[2])
    return EvidenceItem(
        id=fields.pop("id", "E0"),
        kind=kind,
        kinds=fields.pop("kinds", (kind,)),
        relation=fields.pop("relation", Relation.SAME_SYMBOL),
        path=fields.pop("path", "mill_npu/gears.py"),
        scope=fields.pop("scope", "spin_npu"),
        lines=fields.pop("lines", (12,)),
        token=token,
        symbol=symbol,
        symbols=fields.pop("symbols", (symbol,)),
        snippet=fields.pop("snippet", f"{token}(x)"),
        detail=CouplingDetail(**detail),
        score=fields.pop("score", 1.0),
        **fields,
    )


def reference(symbol: str = "torch._mill.gears.spin", **fields: Any) -> EvidenceItem:
    return item(EvidenceKind.REFERENCE, symbol, **fields)


def imported(symbol: str = "torch._mill.gears.spin", **fields: Any) -> EvidenceItem:
    return item(EvidenceKind.IMPORT, symbol, scope=fields.pop("scope", "<module>"), **fields)


def patch(symbol: str = "torch._mill.gears.spin", **fields: Any) -> EvidenceItem:
    """An assignment patch that replaces ``symbol`` by ``mill_npu.gears.spin_npu`` and does not call it back."""
    replacement = fields.pop("replacement", "mill_npu.gears.spin_npu")
    calls_original = fields.pop("calls_original", False)
    return item(EvidenceKind.PATCH, symbol, replacement=replacement, calls_original=calls_original, **fields)


def override(symbol: str = "torch._mill.gears.Gear.turn", **fields: Any) -> EvidenceItem:
    base = fields.pop("base", symbol.rpartition(".")[0])
    scope = fields.pop("scope", f"NPUGear.{symbol.rpartition('.')[2]}")
    return item(EvidenceKind.OVERRIDE, symbol, base=base, scope=scope, **fields)


def subclass(symbol: str = "torch._mill.gears.Gear", **fields: Any) -> EvidenceItem:
    return item(
        EvidenceKind.SUBCLASS, symbol, base=fields.pop("base", symbol), scope=fields.pop("scope", "NPUGear"), **fields
    )


def registration(operator_name: str = "aten.spin", **fields: Any) -> EvidenceItem:
    """A downstream ``register_lowering`` of the operator."""
    return item(
        EvidenceKind.REGISTRATION,
        operator_name,
        relation=fields.pop("relation", Relation.SAME_OPERATOR),
        operators=fields.pop("operators", (operator_name,)),
        registrar=fields.pop("registrar", "register_lowering"),
        **fields,
    )


def flag_use(flag: str = "torch._mill.config.turbo", access: str = "set", **fields: Any) -> EvidenceItem:
    relation = fields.pop("relation", Relation.SAME_FLAG)
    scope = fields.pop("scope", "<module>")
    return item(EvidenceKind.CONFIG, flag, relation=relation, access=access, scope=scope, **fields)


def fork(symbol: str = "torch._mill.gears.spin", **fields: Any) -> EvidenceItem:
    return item(EvidenceKind.FORK, symbol, **fields)


def hook(symbol: str = "torch._mill.gears.stop", **fields: Any) -> EvidenceItem:
    return item(EvidenceKind.HOOK, symbol, relation=fields.pop("relation", Relation.SAME_MODULE), **fields)


def merged(strongest: EvidenceItem, *others: EvidenceItem) -> EvidenceItem:
    """One item at the place of ``strongest``, the others being its further couplings."""
    every = (strongest, *others)
    return strongest.model_copy(
        update={
            "kinds": tuple(dict.fromkeys(one.kind for one in every)),
            "symbols": tuple(dict.fromkeys(one.symbol for one in every)),
            "further": tuple(
                FurtherCoupling.model_validate(one.model_dump(include=set(FurtherCoupling.model_fields)))
                for one in others
            ),
        }
    )


def missing(pattern: str = "spin", symbol: str | None = None, files: int = 120) -> Miss:
    """A counted zero for a whole word."""
    return Miss(id="Z0", symbol=symbol or f"torch._mill.gears.{pattern}", pattern=pattern, files=files)


def ledger(*found: EvidenceItem | Miss, counts: tuple[SymbolCount, ...] = (), cut: int = 0) -> Ledger:
    """A ledger of the given items and misses, ids given in order; ``cut`` items were dropped beyond them."""
    items = [one for one in found if isinstance(one, EvidenceItem)]
    misses = [one for one in found if isinstance(one, Miss)]
    by_kind: dict[EvidenceKind, int] = {}
    for one in items:
        by_kind[one.kind] = by_kind.get(one.kind, 0) + 1
    return Ledger(
        downstream="mill_npu",
        revision="0123456789abcdef0123456789abcdef01234567",
        items=tuple(one.model_copy(update={"id": f"E{n}"}) for n, one in enumerate(items, 1)),
        misses=tuple(one.model_copy(update={"id": f"Z{n}"}) for n, one in enumerate(misses, 1)),
        counts=counts,
        totals=Totals(found=len(items) + cut, shown=len(items), cut=cut, by_kind=by_kind, files_searched=120),
    )
