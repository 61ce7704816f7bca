"""Commands in comments: what may be said (`grammar`), by whom (`permission`), and what it does (`execution`)."""

from __future__ import annotations
