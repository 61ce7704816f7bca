"""One place as an item of the ledger: its strongest coupling, what else is worth telling of it, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.closeness import DIRECT
from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceItem, EvidenceKind, FurtherCoupling, Relation
from retrieval.rank import Place

MAX_FURTHER = 8
_SNIPPET_LINES = 3
_SNIPPET_WIDTH = 160
_BYTES_PER_TOKEN = 3  # code runs at 3.5 to 3.8 bytes per token of o200k; 3 leaves room for other tokenizers


def item_of(place: Place, source: Sequence[bytes]) -> EvidenceItem:
    """The item of a place, yet without its number."""
    best = place.best
    present = {coupling.kind for coupling in place.couplings}
    return EvidenceItem(
        id="",
        kind=best.kind,
        kinds=(best.kind, *(kind for kind in EvidenceKind if kind in present and kind is not best.kind)),
        relation=best.relation,
        path=place.path,
        scope=place.scope,
        lines=best.lines,
        token=best.token,
        symbol=best.symbol,
        symbols=tuple(dict.fromkeys(coupling.symbol for coupling in place.couplings)),
        snippet=_snippet(source, best.lines),
        detail=best.detail,
        further=tuple(_further(place.couplings))[:MAX_FURTHER],
        also_at=place.also_at,
        score=round(place.score, 4),
    )


def tokens_of(item: EvidenceItem) -> int:
    """An estimate, rather too high, of what a model pays to read the item."""
    further = (text for one in item.further for text in (one.kind, one.relation, one.symbol))
    numbers = (*item.lines, *(line for one in item.further for line in one.lines))
    lines = (f"{line}, " for line in numbers)
    told = item.path, item.scope, item.symbol, item.snippet, *item.kinds, *item.also_at, *lines, *further
    # id, relation and what joins the parts; of a further coupling its number
    return -(-len("".join(told).encode()) // _BYTES_PER_TOKEN) + 16 + 8 * len(item.further)


def _further(couplings: Sequence[Coupling]) -> Iterator[FurtherCoupling]:
    """All but the first, without what tells nothing new: hooks, the reference that a patch or registration itself is,
    and the same weak relation at the same lines again.
    """
    told: set[tuple[EvidenceKind, Relation, tuple[int, ...], str]] = set()
    for at, one in enumerate(couplings):
        said = (one.kind, one.relation, one.lines, one.token)
        if at and not _is_part(one, couplings[:at]) and (one.relation in DIRECT or said not in told):
            yield FurtherCoupling(
                kind=one.kind,
                relation=one.relation,
                lines=one.lines,
                token=one.token,
                symbol=one.symbol,
                detail=one.detail,
            )
        told.add(said)


def _is_part(one: Coupling, stronger: Sequence[Coupling]) -> bool:
    """A hook, or a reference that is the very statement of a stronger coupling to the same symbol, or an import that is
    the very line of a hook. A direct import is more than the hook, however they are ranked.
    """
    same = [other for other in stronger if other.symbol == one.symbol and set(one.lines) <= set(other.lines)]
    match one.kind:
        case EvidenceKind.REFERENCE:
            return bool(same)
        case EvidenceKind.IMPORT:
            return one.relation not in DIRECT and any(other.kind is EvidenceKind.HOOK for other in same)
        case _:
            return one.kind is EvidenceKind.HOOK


def _snippet(source: Sequence[bytes], lines: Sequence[int]) -> str:
    shown = (source[line - 1].decode("utf-8-sig", "replace").strip() for line in lines[:_SNIPPET_LINES])
    return "\n".join(line[:_SNIPPET_WIDTH] for line in shown)
