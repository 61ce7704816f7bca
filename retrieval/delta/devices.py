"""Whose device a changed definition or line is, when it is one device's alone.

Conservative on purpose (see ``path_kinds``): the name of the definition or of a class around it must say it, or every
changed line must lie in branches that a test for one device guards: ``x.device.type == "xpu"``, ``is_xpu``,
``torch.version.hip``. An ``else`` is everybody else's. Names with ``gpu`` say nothing, nor do names that end in
``cpu``: such classes are often the base that the other devices derive from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tree_sitter import Node

from retrieval.definitions import Definition
from retrieval.delta.path_kinds import DEVICE_WORDS
from retrieval.models import Language
from retrieval.syntax import Source, captures, line_span

_NAME_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_SHARED_AFTER = frozenset({"graph", "graphs", "like"})  # CUDAGraph, cuda_like: words for a kind of device
_HINT = re.compile(rb"\b(?:xpu|mps|hip|rocm|mtia|cuda|cpu)\b|is_(?:xpu|mps|hip|rocm|mtia|cuda|cpu)\b")
_TEST = re.compile(
    r"(?:[\w.()\[\]]+ == [\"'](?P<literal>\w+)[\"']"
    r"|(?:\w+\.)*is_(?P<is>xpu|mps|hip|rocm|mtia|cuda|cpu)(?:\(.*\))?"
    r"|(?:torch\.)?version\.(?P<version>hip|xpu)(?: is not None)?"
    r"|torch\.(?P<available>xpu|mps|mtia)\.is_available\(\))"
)
_BRANCHES = "(if_statement condition: (_) @condition) @if (elif_clause condition: (_) @condition) @elif"


def device_of_name(definition: Definition) -> str | None:
    """The device that the name of a definition, or of what is around it, belongs to."""
    devices: set[str] = set()
    for part in definition.qualname.split("."):
        words = [word.lower() for word in _NAME_WORD.findall(part)]
        devices.update(
            DEVICE_WORDS[word]
            for index, word in enumerate(words)
            if word in DEVICE_WORDS
            and (word != "cpu" or index == 0)
            and not _SHARED_AFTER & set(words[index + 1 : index + 2])
        )
    return next(iter(devices)) if len(devices) == 1 else None


def device_of_lines(definition: Definition, lines: Iterable[int]) -> str | None:
    """The one device that all of ``lines`` of a definition run for; null when a line is anybody else's too."""
    source = definition.source
    text = source.text[definition.whole.start_byte : definition.whole.end_byte]
    if source.language is not Language.PYTHON or not _HINT.search(text):
        return None
    ranges = list(_branches(source, definition.whole))
    devices: set[str | None] = set()
    for line in lines:
        around = [item for item in ranges if item[0] <= line <= item[1]]
        devices.add(max(around)[2] if around else None)  # the innermost test decides
    return devices.pop() if len(devices) == 1 else None


def _branches(source: Source, within: Node) -> Iterable[tuple[int, int, str]]:
    found = captures(source, _BRANCHES, within)
    for node in (*found.get("if", ()), *found.get("elif", ())):
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None or body is None:
            continue
        device = _tested(source, condition)
        if device is not None:
            yield line_span(node)[0], line_span(body)[1], device


def _tested(source: Source, condition: Node) -> str | None:
    """The device a condition demands: one of the members of its conjunction does."""
    pending, devices = [condition], set()
    while pending:
        node = pending.pop()
        if node.type == "parenthesized_expression" or (
            node.type == "boolean_operator" and any(child.type == "and" for child in node.children)
        ):
            pending.extend(node.named_children)
            continue
        match = _TEST.fullmatch(source.folded(node))
        word = next((group for group in match.groups() if group), "") if match is not None else ""
        if word in DEVICE_WORDS:
            devices.add(DEVICE_WORDS[word])
    return next(iter(devices)) if len(devices) == 1 else None
