"""Writes an analysis for its readers: comment, JSON, CSV, terminal. Values in, text out; no input or output.

Text from outside (titles, paths, snippets, a model's sentences) leaves through ``scrub.py`` only.
"""

from __future__ import annotations

from reviewbot.render.comment import comment
from reviewbot.render.export import as_csv, as_json, json_schema
from reviewbot.render.record import record
from reviewbot.render.scrub import scrub, scrub_line
from reviewbot.render.terminal import record_panel

__all__ = [
    "as_csv",
    "as_json",
    "comment",
    "json_schema",
    "record",
    "record_panel",
    "scrub",
    "scrub_line",
]
