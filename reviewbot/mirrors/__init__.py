"""Clones of both sides, kept fresh: a revision is pinned for each analysis, and the trees of a pin are opened here."""

from __future__ import annotations

from reviewbot.mirrors.changes import ChangeSource
from reviewbot.mirrors.errors import MirrorError
from reviewbot.mirrors.mirrors import Mirrors, Side, open_mirrors
from reviewbot.mirrors.trees import Trees

__all__ = ["ChangeSource", "MirrorError", "Mirrors", "Side", "Trees", "open_mirrors"]
