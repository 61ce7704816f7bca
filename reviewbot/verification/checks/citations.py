"""Ids: every id exists, and every sentence about torch_npu's code carries one."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.citations import cited_ids
from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.context import Context
from reviewbot.verification.reading import Sentence
from reviewbot.verification.subject import needs_citation


def unknown_ids(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """``[E9]`` that the ledger does not have, and ids without brackets, which nothing would resolve."""
    for one in sentence.cited:
        if one not in context.items and one not in context.misses:
            yield Finding(kind=FindingKind.UNKNOWN_ID, sentence=sentence.text, message=words.unknown_id(one))
    for one in cited_ids(sentence.text):
        if one not in sentence.cited:  # inside a quoted title, where resolving it would forge a citation
            yield Finding(kind=FindingKind.UNKNOWN_ID, sentence=sentence.text, message=words.unknown_id(one))
    for one in sentence.bare_ids:
        if one in context.items or one in context.misses:
            yield Finding(kind=FindingKind.UNKNOWN_ID, sentence=sentence.text, message=words.bare_id(one))


def uncited_claims(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """A statement about torch_npu's code without any id that exists."""
    if any(one in context.items or one in context.misses for one in sentence.cited):
        return
    if needs_citation(sentence, context):
        yield Finding(kind=FindingKind.UNCITED_CLAIM, sentence=sentence.text, message=words.uncited())
