"""The diff of a pull request out of the parts that ``/pulls/N/files`` shows, or nothing where it leaves anything out.

Contract: every part is read back by our own parser, and has to be of the file and of as many lines as the forge says. A
part that was cut, a binary file, a name that reads as a header: each makes the whole None, and git tells instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.change import parse_patch
from retrieval.errors import ChangeError
from reviewbot.forges.atomgit.values import Json, is_true

#: Where the blocks begin: some versions write the file's header in front of them.
_BLOCKS = re.compile(r"^@@ ", re.MULTILINE)
_MODE = re.compile(r"1[0-7]{5}")
_PLAIN = "100644"
#: Pages of all forges are of a multiple of ten rows, and ``/files`` says neither how many it gives nor where it stops.
_PAGES_ARE_OF = 10
_LEAST_PAGE = 20


def may_be_cut(shown: int) -> bool:
    """True for so many files as a page may hold: whether there are more has to be asked."""
    return shown >= _LEAST_PAGE and shown % _PAGES_ARE_OF == 0


def diff_of(files: Sequence[Json]) -> str | None:
    """Raises as `values` does for a shape that is none of the known ones."""
    parts: list[str] = []
    for file in files:
        part = _part(file)
        if part is None:
            return None
        parts.append(part)
    return "".join(parts)


def _part(file: Json) -> str | None:
    patch = file.get("patch")
    if not isinstance(patch, dict) or is_true(patch.get("too_large")) or not isinstance(patch.get("diff"), str):
        return None
    new = patch.get("new_path") or file["filename"]
    old = patch.get("old_path") or new
    is_new, deleted, renamed = (is_true(patch.get(key)) for key in ("new_file", "deleted_file", "renamed_file"))
    blocks = _BLOCKS.search(patch["diff"])
    if blocks is None and not renamed:
        return None  # a binary file, an empty one, or one that is not shown
    before, after = _mode(patch.get("a_mode")), _mode(patch.get("b_mode"))
    lines = [f"diff --git a/{old} b/{new}"]
    if is_new:
        old = new
        lines.append(f"new file mode {after}")
    elif deleted:
        new = old
        lines.append(f"deleted file mode {before}")
    elif before != after:
        lines += [f"old mode {before}", f"new mode {after}"]
    if renamed:
        lines += [f"rename from {old}", f"rename to {new}"]
    if blocks is not None:
        body = patch["diff"][blocks.start() :].removesuffix("\n")
        lines += ["--- /dev/null" if is_new else f"--- a/{old}", "+++ /dev/null" if deleted else f"+++ b/{new}", body]
    text = "\n".join(lines) + "\n"
    return text if _reads_as(text, old, new, file) else None


def _reads_as(text: str, old: str, new: str, file: Json) -> bool:
    try:
        read = parse_patch(text.encode("utf-8", "surrogatepass"), new).files
    except ChangeError:
        return False
    if [(one.base_path, one.path) for one in read] != [(old, new)]:
        return False
    counted = ((file.get("additions"), read[0].added), (file.get("deletions"), read[0].removed))
    return all(said is None or int(said) == seen for said, seen in counted)


def _mode(said: object) -> str:
    """Zero, or nothing, where a file has none on that side."""
    return str(said) if _MODE.fullmatch(str(said)) else _PLAIN
