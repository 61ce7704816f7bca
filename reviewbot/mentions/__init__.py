"""Which upstream changes a pull request is about: what its title, body and commits name."""

from __future__ import annotations

from reviewbot.mentions.found_in import FoundIn
from reviewbot.mentions.mentioned import mentioned
from reviewbot.mentions.upstream_layout import carries_upstream

__all__ = ["FoundIn", "carries_upstream", "mentioned"]
