"""The one comment of a thread: what it says, how it is found again, how it gets there."""

from __future__ import annotations

from reviewbot.publishing.body import body_of
from reviewbot.publishing.posting import LeaseHeldError, publish
from reviewbot.publishing.shown import Links, ShownSubject, worst_verdict

__all__ = ["LeaseHeldError", "Links", "ShownSubject", "body_of", "publish", "worst_verdict"]
