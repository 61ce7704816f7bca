"""The couplings of one evidence item, each as an item that holds that coupling alone.

An item is one downstream scope, and several couplings may meet there. ``E3`` names the scope and its strongest
coupling, ``E3.2`` its second, ``E3.3`` its third. Rules, writer, verifier and pages ask for kind, symbol, lines and
detail of one coupling and never need to know which of them was the strongest.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.models import EvidenceItem, FurtherCoupling, Ledger


def place_id(one: str) -> str:
    """``E3`` of ``E3.2``: the id of the item; other ids stand for themselves."""
    return one.partition(".")[0]


def each_coupling(item: EvidenceItem) -> tuple[EvidenceItem, ...]:
    """One item per coupling, strongest first: ``E3.1``, ``E3.2`` …; without further couplings the item itself.

    An item whose further couplings were not kept (an old analysis) stays whole, with all its kinds and symbols.
    """
    if not item.further:
        return (item,)
    alone = {"id": f"{item.id}.1", "kinds": (item.kind,), "symbols": (item.symbol,), "further": ()}
    return (item.model_copy(update=alone), *further_couplings(item))


def further_couplings(item: EvidenceItem) -> tuple[EvidenceItem, ...]:
    """The couplings besides the strongest. The snippet shows the strongest and is left out."""
    return tuple(
        item.model_copy(
            update={
                "id": ident,
                "kind": one.kind,
                "kinds": (one.kind,),
                "relation": one.relation,
                "lines": one.lines,
                "token": one.token,
                "symbol": one.symbol,
                "symbols": (one.symbol,),
                "snippet": "",
                "detail": one.detail,
                "further": (),
                "also_at": (),
            }
        )
        for ident, one in numbered(item)
    )


def numbered(item: EvidenceItem) -> Iterator[tuple[str, FurtherCoupling]]:
    """The further couplings with their ids."""
    return ((f"{item.id}.{number}", one) for number, one in enumerate(item.further, 2))


def citable(ledger: Ledger) -> dict[str, EvidenceItem]:
    """What an id stands for: ``E3`` the item as a whole, ``E3.2`` a further coupling alone. In the ledger's order."""
    return {one.id: one for item in ledger.items for one in (item, *further_couplings(item))}
