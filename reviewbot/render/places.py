"""An evidence item in words, for the table of the comment and of the terminal.

Every function also takes a further coupling of an item (``reviewbot.couplings``), which is an item of one coupling.
"""

from __future__ import annotations

from retrieval.models import MODULE_SCOPE, AlignedBlock, EvidenceItem, EvidenceKind, Ledger
from reviewbot import words as common
from reviewbot.render import words

_WEAKEST = EvidenceKind.HOOK
_MOST_BLOCKS = 3


def scope_words(item: EvidenceItem) -> str:
    """The scope, module level in words: a tag-like ``<module>`` would not survive Markdown."""
    return words.MODULE_LEVEL if item.scope == MODULE_SCOPE else item.scope


def kind_words(item: EvidenceItem) -> str:
    """Every kind of coupling at the place, strongest first; a hook beside a stronger kind adds nothing."""
    kinds = [kind for kind in dict.fromkeys((item.kind, *item.kinds)) if kind is item.kind or kind is not _WEAKEST]
    return common.LIST_COMMA.join(common.EVIDENCE_KIND_WORDS[kind] for kind in kinds)


def why_words(item: EvidenceItem) -> str:
    """How the place relates to the change, and what the coupling knows beyond its place."""
    detail = item.detail
    parts = [words.RELATION_TO_CHANGE[item.relation]]
    if detail.access in words.DETAIL_ACCESS:
        parts.append(words.DETAIL_ACCESS[detail.access])
    if detail.registrar:
        told = words.detail_list if detail.listed else words.detail_registrar
        parts.append(told(detail.registrar))
    if detail.replacement:
        parts.append(words.detail_replacement(detail.replacement))
    if detail.similarity is not None:
        parts.append(words.detail_similarity(detail.similarity))
    if detail.copy_state is not None:
        parts.append(words.DETAIL_COPY[detail.copy_state])
    if detail.original:
        parts.append(words.detail_original(detail.original))
    if detail.aligned:
        shown = [_ranges(block) for block in detail.aligned[:_MOST_BLOCKS]]
        parts.append(words.detail_aligned(shown, len(detail.aligned)))
    if detail.calls_original is not None:
        parts.append(words.DETAIL_CALLS[detail.calls_original])
    if detail.lacks:
        parts.append(words.detail_lacks(list(detail.lacks)))
    elif detail.signature_matches is not None:
        parts.append(words.DETAIL_SIGNATURE[detail.signature_matches])
    if item.also_at:
        parts.append(words.also_at(list(item.also_at)))
    return common.LIST_COMMA.join(parts)


def _ranges(block: AlignedBlock) -> tuple[str, str]:
    """``("12-20", "40-48")``: lines upstream and downstream."""
    return _range(*block.upstream), _range(*block.downstream)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def kinds_in_all(ledger: Ledger) -> str:
    """引用 3、覆写 1: places by kind, before the cut."""
    return words.kind_counts([(kind, count) for kind, count in ledger.totals.by_kind.items() if count])
