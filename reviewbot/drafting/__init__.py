"""Writers of drafts. Here: the template writer, which needs no model and no key."""

from __future__ import annotations

from reviewbot.drafting.template import TEMPLATE_VERSION, WRITER, write_draft

__all__ = ["TEMPLATE_VERSION", "WRITER", "write_draft"]
