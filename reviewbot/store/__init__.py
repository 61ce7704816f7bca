"""The program's own database: every analysis, with the ledger and the drafts it came from."""

from __future__ import annotations

from reviewbot.store.costs import AnalysisCost
from reviewbot.store.database import Store, StoredAnalysis, open_store
from reviewbot.store.mapping import change_key

__all__ = ["AnalysisCost", "Store", "StoredAnalysis", "change_key", "open_store"]
