"""The program's own database: every analysis, with the ledger and the drafts it came from."""

from __future__ import annotations

from reviewbot.store.database import Store, StoredAnalysis, open_store
from reviewbot.store.mapping import change_key

__all__ = ["Store", "StoredAnalysis", "change_key", "open_store"]
