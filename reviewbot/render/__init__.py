"""Writes an analysis for its readers: comment, table row, JSON, CSV, terminal. Values in, text out; no input or output.

Text from outside (titles, paths, snippets, a model's sentences) leaves through ``scrub.py`` only.
"""

from __future__ import annotations

from reviewbot.render.comment import comment
from reviewbot.render.export import as_csv, as_json, json_schema
from reviewbot.render.record import record
from reviewbot.render.scrub import scrub, scrub_line
from reviewbot.render.table import Layout, TableError, read_rows, row_new, row_old, rows
from reviewbot.render.terminal import record_panel

__all__ = [
    "Layout",
    "TableError",
    "as_csv",
    "as_json",
    "comment",
    "json_schema",
    "read_rows",
    "record",
    "record_panel",
    "row_new",
    "row_old",
    "rows",
    "scrub",
    "scrub_line",
]
