"""Places: paths and line numbers belong to the ids cited in the same sentence, or to the change.

A path that exists somewhere is not enough: a true path beside the wrong id, or an upstream file the change does not
touch, makes a sentence false. Tests are the same: a test case is named only when the change or a cited place has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.models import ChangedFile, EvidenceItem
from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.claims import ids_beside
from reviewbot.verification.context import Context
from reviewbot.verification.names import fits, part_of
from reviewbot.verification.reading import PathMention, Sentence


def paths(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_PATH for a path of another place, UNKNOWN_NAME for one that exists nowhere and for foreign tests."""
    for mention in sentence.paths:
        items = context.cited_items(ids_beside(sentence, mention.start))
        if _belongs(mention, items, context, changed=_said_changed(mention, sentence, context)):
            if not _test_belongs(mention, items, context):
                message = words.unknown_test(f"{mention.path}::{mention.test}")
                yield Finding(kind=FindingKind.UNKNOWN_NAME, sentence=sentence.text, message=message)
        elif context.names.path_exists(mention.path) or context.is_downstream(mention.path):
            message = words.wrong_path(mention.path)
            yield Finding(kind=FindingKind.WRONG_PATH, sentence=sentence.text, message=message)
        else:
            message = words.unknown_path(mention.path)
            yield Finding(kind=FindingKind.UNKNOWN_NAME, sentence=sentence.text, message=message)


def _said_changed(mention: PathMention, sentence: Sentence, context: Context) -> bool:
    """The clause says that upstream changed the file."""
    clause = next(one for one in sentence.clauses if one.start <= mention.start < one.end)
    return all(
        context.lexicon[name].search(sentence.masked, clause.start, clause.end) for name in ("upstream", "file_changed")
    )


def _belongs(mention: PathMention, items: tuple[EvidenceItem, ...], context: Context, *, changed: bool) -> bool:
    if any(fits(mention.path, item.path) for item in items):
        return True
    # `config.patch` and `gear.h` look like files and can be names: of a cited symbol, then
    if not mention.lines and any(part_of(mention.path, symbol) for item in items for symbol in item.symbols):
        return True
    if context.is_downstream(mention.path):
        return False
    if context.in_change(mention.path):
        return True
    # the upstream file behind a cited symbol: torch._inductor.ir.Buffer lives in torch/_inductor/ir.py
    dotted = mention.path.removesuffix(".py").removesuffix("/__init__").strip("/").replace("/", ".")
    symbols = [symbol for item in items for symbol in item.symbols]
    return not changed and "/" in mention.path and any(f"{symbol}.".startswith(f"{dotted}.") for symbol in symbols)


def _test_belongs(mention: PathMention, items: tuple[EvidenceItem, ...], context: Context) -> bool:
    if mention.test is None or context.tests_of(mention):
        return True
    return any(part_of(mention.test, item.scope) for item in items if fits(mention.path, item.path))


def lines(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """WRONG_LINE for a typed line number that no cited place has; drafts cite ids, so a typed one is rare."""
    couplings = context.couplings(context.cited_items(sentence.cited))
    for mention in sentence.paths:
        beside = context.couplings(context.cited_items(ids_beside(sentence, mention.start)))
        own = {line for one in beside if fits(mention.path, one.path) for line in one.lines}
        own |= _hunk_lines(mention.path, context)
        for line in mention.lines:
            if line not in own:
                message = words.wrong_line(f"{mention.path}:{line}")
                yield Finding(kind=FindingKind.WRONG_LINE, sentence=sentence.text, message=message)
                break
    cited = {line for one in couplings for line in one.lines}
    for line in (*sentence.bare_lines, *_numbered_lines(sentence, context)):
        if line not in cited:
            message = words.wrong_line(str(line))
            yield Finding(kind=FindingKind.WRONG_LINE, sentence=sentence.text, message=message)


def _numbered_lines(sentence: Sentence, context: Context) -> Iterator[int]:
    for match in context.lexicon["line_number"].finditer(sentence.masked):
        first, last = match.groups()
        yield int(first)
        if last:
            yield int(last)


def _hunk_lines(path: str, context: Context) -> set[int]:
    """Line numbers of either side that the hunks of an upstream file show."""
    touched: list[ChangedFile] = [
        file for file in context.change.files if fits(path, file.path) or fits(path, file.base_path)
    ]
    numbers: set[int] = set()
    for file in touched:
        for hunk in file.hunks:
            numbers |= set(range(hunk.old_start, hunk.old_start + hunk.old_count))
            numbers |= set(range(hunk.new_start, hunk.new_start + hunk.new_count))
    return numbers
