"""Which files of two trees are one file under two paths: the same content, or the same end of the path."""

from __future__ import annotations

from collections.abc import Mapping


def renamed_files(deleted: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """Old path → new path; the arguments map paths to blobs. Each file is in one pair at most.

    Equal content comes first, then the longest common end of the paths, which may be the file name alone. The work
    grows with the number of files, however many of them are equal or go by one name.
    """
    found: dict[str, str] = {}
    depth = max((path.count("/") + 1 for path in deleted), default=0)
    endings = range(depth, 0, -1)
    for parts, by_content in (*((one, True) for one in (*endings, 0)), *((one, False) for one in endings)):
        olds = _groups({path: blob for path, blob in deleted.items() if path not in found}, parts, by_content)
        taken = set(found.values())
        news = _groups({path: blob for path, blob in added.items() if path not in taken}, parts, by_content)
        for key, paths in olds.items():
            found.update(zip(paths, news.get(key, ()), strict=False))
    return found


def _groups(files: Mapping[str, str], parts: int, by_content: bool) -> dict[tuple[str, ...], list[str]]:
    """Paths, sorted, by their last ``parts`` names and, if asked, content; those with fewer names are left out."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for path in sorted(files):
        names = path.split("/")
        if len(names) >= parts:
            key = (files[path] if by_content else "", *names[len(names) - parts :])
            groups.setdefault(key, []).append(path)
    return groups
