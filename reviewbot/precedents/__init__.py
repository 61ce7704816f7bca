"""Similar past records: which of them a writer may see, and which come nearest to the change at hand."""

from __future__ import annotations

from reviewbot.precedents.models import Archive, CitedPlace, PastRecord

__all__ = ["Archive", "CitedPlace", "PastRecord"]
