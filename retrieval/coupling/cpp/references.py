"""`reference` 引用 in C++: qualified names, names that ``using`` brought, calls, types and macros of upstream.

One fact per scope, name and spelling, with all its lines. Each step of a qualified name counts, as in Python:
``c10d::ProcessGroup::Options`` refers to ``c10d::ProcessGroup`` and to its ``Options``. A bare call or type that
nothing in the file explains keeps its bare name, a called member of some object only its key: both count where they are
rare. A method marked ``override`` refers to its name in some base, which may be an upstream class between the two.

What the file defines itself, the standard library, locals, comments and strings are no references; neither are the few
names that every file uses (`vocabulary`), such as ``at::Tensor`` and ``TORCH_CHECK``.

A string such as ``"aten::add"`` names an operator, as in Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache

from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.masking import blanked
from retrieval.coupling.cpp.naming import UNKNOWN_OBJECT, UPSTREAM_ROOTS, cpp_name
from retrieval.coupling.cpp.resolution import NameTable, parts_of
from retrieval.coupling.cpp.vocabulary import EVERYWHERE, KEYWORDS, PLAIN_MEMBERS
from retrieval.coupling.facts import Fact
from retrieval.coupling.operators import quoted_operator
from retrieval.models import DefinitionKind, EvidenceKind

KIND = EvidenceKind.REFERENCE

# Bytes above 0x7f belong to a name in code: an identifier with Chinese in it is another name.
_WORD = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
_QUALIFIED = re.compile(
    rb"(?<![\w\x80-\xff>:~])(?:::\s*)?"
    + _WORD
    + rb"(?:\s*(?:<[\w:,\s*&]*>\s*)?::\s*(?:template\s+)?~?"
    + _WORD
    + rb")+"
)
_TEMPLATE = re.compile(rb"<[^<>]*>|\btemplate\s+|\s+")
_BARE = re.compile(rb"(?<![\w\x80-\xff.:~])(?<!->)" + _WORD + rb"(?!\s*::)(?P<call>\s*(?:<[\w:,\s*&]*>\s*)?\()?")
_MEMBER = re.compile(rb"(?:\.|->)\s*(?P<name>" + _WORD + rb")\s*(?:<[\w:,\s*&]*>\s*)?\(")
_OPERATOR = re.compile(rb'"(?P<text>\w+::\w+[\w.]*)"')
_OVERRIDING = re.compile(rb"\)[\s\w]*\b(?:override|final)\b[^()]*\Z")
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:include|if|ifdef|ifndef|elif|undef|pragma)(?:[^\\\n]|\\.)*", re.M | re.S)

_TYPE = re.compile(r"_?[A-Z]\w*[a-z]\w*\Z")
_C_NAME = re.compile(
    r"(?:THP\w+|aoti_\w+|AOTITorch\w+|Aten\w+Handle)\Z"
)  # C has no namespaces: such a name is global wherever it is used
_PYTHON_API = re.compile(r"Py[A-Z_]\w*\Z")
_SHOUTED = re.compile(r"[A-Z][A-Z0-9_]+\Z")
_MACRO = re.compile(r"(?:TORCH|C10|AT|AOTI|CAFFE2|THP|PYBIND11|STD_TORCH)_(?!NPU_)[A-Z0-9_]+\Z")
_FOREIGN = re.compile(r"(?:std|pybind11|py|fmt|nlohmann|chrono|testing)\Z")
# Namespaces of torch_npu itself. Of what lies in them classes count alone: one may derive from a changed class.
_OWN = re.compile(r"\w+_npu\Z")
_SHORTEST = 5  # of unexplained bare names and of members: shorter ones (`size`, `get`) say nothing

_REMEMBERED = 20_000  # words and names: files use the same ones over and over


class _Sort(Enum):
    """What a bare word may be by its looks alone."""

    PLAIN = auto()  # what every file uses, and macros of others
    GLOBAL = auto()  # an upstream macro or a C name: it means the same wherever it stands
    TYPE = auto()
    OTHER = auto()  # says something where it is called


_Key = tuple[str, str, str, str]  # scope, name, target, token


def extract(file: CppFile, names: NameTable) -> Iterator[Fact]:
    found: dict[_Key, set[int]] = {}
    code = _DIRECTIVE.sub(lambda match: blanked(match[0]), file.code)
    for at, name, target, token in (*_qualified(code, names), *_bare(code, file, names), *_members(code)):
        found.setdefault((file.scope_at(at), name, target, token), set()).add(file.line_at(at))
    for match in _OPERATOR.finditer(file.text):
        operator = quoted_operator(match["text"].decode())
        if operator is not None and operator.partition(".")[0] not in UPSTREAM_ROOTS:
            key = (file.scope_at(match.start()), operator, f"torch.ops.{operator}", operator.rpartition(".")[2])
            found.setdefault(key, set()).add(file.line_at(match.start()))
    for scope, name, line in overriding(file):
        found.setdefault((scope, name, UNKNOWN_OBJECT, name), set()).add(line)
    for (scope, name, target, token), lines in found.items():
        yield Fact(KIND, name, target, scope, tuple(sorted(lines)), token)


def overriding(file: CppFile) -> Iterator[tuple[str, str, int]]:
    """(scope, name, line) of the methods that are marked as overriding something."""
    for scope in file.callables:
        name = scope.qualname.rpartition(".")[2]
        heading = file.code[scope.start : scope.body if scope.body >= 0 else scope.end]
        if scope.kind is DefinitionKind.METHOD and name.isidentifier() and _OVERRIDING.search(heading):
            yield scope.qualname, name, file.named_at(scope, name)


_Use = tuple[int, str, str, str]  # byte, name, target, token


def _qualified(code: bytes, names: NameTable) -> Iterator[_Use]:
    for match in _QUALIFIED.finditer(code):
        parts = _written(match[0])
        for target in names.resolve(parts, match.start()) if parts else ():
            for word, known in _steps(parts, target):
                yield _word_at(code, match, word), known[-1], cpp_name(known), word


@lru_cache(_REMEMBERED)
def _written(text: bytes) -> tuple[str, ...]:
    """The parts of a qualified name as written; none of a name from elsewhere or with letters beyond ASCII."""
    text = _TEMPLATE.sub(b"", text)
    parts = parts_of(text)
    return () if not text.isascii() or _FOREIGN.match(parts[0]) else parts


@lru_cache(_REMEMBERED)
def _steps(parts: tuple[str, ...], target: str) -> Sequence[tuple[str, Sequence[str]]]:
    """(word, parts of the name it stands for) of each step of a name written as ``parts`` that means ``target``."""
    known, written = target.split("."), [part for part in parts if part]
    if _FOREIGN.match(known[0]):
        return ()
    found = []
    for end in range(1 if parts[0][:1].isupper() else 2, len(known) + 1):  # from a class, or behind a namespace
        word = written[end - 1 - len(known)] if len(known) - end < len(written) else ""
        # A step that no word of the text stands for, or that is a namespace on the way, is none.
        if not word or (not word[:1].isupper() and (end < len(known) or _OWN.match(known[0]))):
            continue
        if ".".join(known[:end]) not in EVERYWHERE:
            found.append((word, known[:end]))
    return found


def _word_at(code: bytes, match: re.Match[bytes], word: str) -> int:
    """Where the last occurrence of a word stands in a name that may run over several lines."""
    return match.start() if b"\n" not in match[0] else code.rindex(word.encode(), match.start(), match.end())


def _bare(code: bytes, file: CppFile, names: NameTable) -> Iterator[_Use]:
    own = {qualname.rpartition(".")[2] for qualname in file.defined}
    for match in _BARE.finditer(code):
        raw = match[0][: match.start("call") - match.start()] if match["call"] is not None else match[0]
        if not raw.isascii():
            continue
        word = raw.decode("ascii")
        sort = _sort_of(word)
        if sort is _Sort.PLAIN or word in own:
            continue
        if sort is _Sort.GLOBAL:
            yield match.start(), word, cpp_name((word,)), word
        elif match["call"] is not None or sort is _Sort.TYPE:
            for target in names.resolve((word,), match.start()):
                said = len(word) >= _SHORTEST or target != word
                if said and not _FOREIGN.match(target.partition(".")[0]) and target not in EVERYWHERE:
                    yield match.start(), target.rpartition(".")[2], f"::{target}", word


@lru_cache(_REMEMBERED)
def _sort_of(word: str) -> _Sort:
    if word in EVERYWHERE or word in KEYWORDS or _PYTHON_API.match(word):
        return _Sort.PLAIN
    if _SHOUTED.match(word):
        return _Sort.GLOBAL if _MACRO.match(word) else _Sort.PLAIN
    if _C_NAME.match(word):
        return _Sort.GLOBAL
    return _Sort.TYPE if _TYPE.match(word) else _Sort.OTHER


def _members(code: bytes) -> Iterator[_Use]:
    for match in _MEMBER.finditer(code):
        raw = match["name"]
        if raw.isascii() and len(raw) >= _SHORTEST and (word := raw.decode("ascii")) not in PLAIN_MEMBERS:
            yield match.start("name"), word, UNKNOWN_OBJECT, word
