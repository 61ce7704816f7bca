"""A folder that stands in for a forge."""

from __future__ import annotations

from reviewbot.forges.local.adapter import LocalForge

__all__ = ["LocalForge"]
