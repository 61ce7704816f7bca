"""What a change does, in names: definitions, signatures, operators, config flags, test cases.

One way through: ``fragments`` (both sides parsed) → ``pairing`` and ``renames`` (which is which) → ``changes`` (what
happened to each) → ``compute`` (put together).
"""

from __future__ import annotations

from retrieval.delta.compute import compute_delta

__all__ = ["compute_delta"]
