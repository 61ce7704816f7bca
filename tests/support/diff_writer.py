"""Writes unified diffs of bytes the way git does, with difflib: an oracle that shares no code with the parser."""

from __future__ import annotations

import difflib


def write_diff(path: str, old: bytes | None, new: bytes | None, *, context: int = 3) -> bytes:
    """The git section that leads from ``old`` to ``new``, None being no file; empty when they are equal."""
    if old == new:
        return b""
    old_name, new_name = ("/dev/null" if old is None else f"a/{path}"), ("/dev/null" if new is None else f"b/{path}")
    lines = difflib.unified_diff(_lines(old or b""), _lines(new or b""), old_name, new_name, n=context, lineterm="\n")
    body = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    mode = "new file mode 100644\n" if old is None else "deleted file mode 100644\n" if new is None else ""
    return f"diff --git a/{path} b/{path}\n{mode}{body}".encode("utf-8", "surrogateescape")


def _lines(content: bytes) -> list[str]:
    """Lines with their ends, ``\\n`` being the only one; bytes that are not UTF-8 survive the way there and back."""
    parts = content.decode("utf-8", "surrogateescape").split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
