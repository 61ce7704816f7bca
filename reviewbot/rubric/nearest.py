"""The right name nearest to a wrong one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(wrong: str, known: Iterable[str]) -> str | None:
    """The known name most like ``wrong``, ``None`` when none is near."""
    found = difflib.get_close_matches(wrong, list(known), n=1, cutoff=0.5)
    return found[0] if found else None
