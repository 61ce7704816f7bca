"""Which relations couple a place to what changed, which only to what is near it, and which not at all.

Direct ones make a coupling by themselves. Those of no coupling share words, or a rare part of a name, with the change
and use none of it. All others say that something near is used.
"""

from __future__ import annotations

from retrieval.models import Relation

DIRECT = frozenset({Relation.SAME_SYMBOL, Relation.SAME_OPERATOR, Relation.SAME_FLAG, Relation.MEMBER})
UNCOUPLED = frozenset({Relation.AKIN, Relation.ABOUT})
