"""AtomGit and GitCode: one backend under two names."""

from __future__ import annotations

from reviewbot.forges.atomgit.adapter import AtomgitForge

__all__ = ["AtomgitForge"]
