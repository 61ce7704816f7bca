"""Writers of drafts. Here: the template writer, which needs no model and no key."""

from __future__ import annotations

from reviewbot.drafting.phrases import template_version
from reviewbot.drafting.template import WRITER, write_draft

__all__ = ["WRITER", "template_version", "write_draft"]
