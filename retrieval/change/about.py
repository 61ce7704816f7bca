"""What a patch cannot carry: a small JSON file beside it, typed and closed.

All keys are optional; an unknown key or a wrong type is one ``ChangeError`` naming the key. The file speaks for the
person who wrote it: ``number``, ``title``, ``body`` and ``date`` replace what the patch says, ``labels``, ``paths`` and
``tests`` are added to it. The labels Merged and Reverted set ``merged`` and ``reverted`` unless the file states these
itself (a pull request that landed again carries both labels and is not reverted).
"""

from __future__ import annotations

import datetime
import difflib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError

from retrieval import words
from retrieval.change.names import inside_tree
from retrieval.errors import ChangeError
from retrieval.models import Frozen, UpstreamChange


def _iso_day(text: str) -> str:
    """The day of an ISO 8601 date or date and time."""
    return datetime.datetime.fromisoformat(text).date().isoformat()


def _tree_path(text: str) -> str:
    path = inside_tree(text)
    if path is None:
        raise ValueError(text)
    return path


class About(Frozen):
    """``paths`` and ``tests`` belong to the change although no diff shows them.

    ``diff_complete`` false: the diff is a part or a reconstruction, no statement of size may be made. True cannot make
    a diff complete that says itself it is not.
    """

    number: Annotated[int, Field(ge=1, le=999_999_999)] | None = None
    title: str | None = None
    body: str | None = None
    labels: tuple[str, ...] = ()
    merged: bool | None = None
    reverted: bool | None = None
    date: Annotated[str, AfterValidator(_iso_day)] | None = None
    paths: tuple[Annotated[str, AfterValidator(_tree_path)], ...] = ()
    tests: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    diff_complete: bool | None = None


def load_about(path: Path) -> About:
    """Reads an about file; every failure is one ``ChangeError`` that names the file, and line or key."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ChangeError(str(path), words.unreadable_file(error.strerror or str(error))) from error
    return parse_about(data, str(path))


def parse_about(data: bytes, source: str) -> About:
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise ChangeError(source, words.ABOUT_NOT_UTF8) from error
    except json.JSONDecodeError as error:
        raise ChangeError(source, words.about_not_json(error.colno), error.lineno) from error
    except _DuplicateKeyError as error:
        raise ChangeError(source, words.about_duplicate_key(error.key)) from error
    except (RecursionError, ValueError) as error:  # nested too deep, a number of too many digits
        raise ChangeError(source, words.ABOUT_NOT_OBJECT) from error
    if not isinstance(content, dict):
        raise ChangeError(source, words.ABOUT_NOT_OBJECT)
    for key in content:
        if key not in About.model_fields:
            near = difflib.get_close_matches(key, About.model_fields, n=1, cutoff=0.5)
            raise ChangeError(source, words.about_unknown_key(key, near, list(About.model_fields)))
    try:
        return About.model_validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        key = str(error.errors()[0]["loc"][0])
        raise ChangeError(source, words.about_wrong_value(key)) from error


def apply_about(change: UpstreamChange, about: About) -> UpstreamChange:
    """``change`` as ``about`` completes it."""
    labels = _merged(change.labels, about.labels)
    known = {label.casefold() for label in labels}
    shown = {path for file in change.files for path in (file.path, file.base_path)}
    return change.model_copy(
        update={
            "number": change.number if about.number is None else about.number,
            "title": change.title if about.title is None else about.title,
            "body": change.body if about.body is None else about.body,
            "labels": labels,
            "merged": change.merged or "merged" in known if about.merged is None else about.merged,
            "reverted": change.reverted or "reverted" in known if about.reverted is None else about.reverted,
            "date": about.date or change.date,
            "other_paths": tuple(path for path in _merged(change.other_paths, about.paths) if path not in shown),
            "test_names": _merged(change.test_names, about.tests),
            "diff_complete": change.diff_complete and about.diff_complete is not False,
        }
    )


class _DuplicateKeyError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKeyError(key)
        found[key] = value
    return found


def _merged(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """Both in order, each once."""
    return tuple(dict.fromkeys((*first, *second)))
