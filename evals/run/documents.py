"""Reads one JSON file of a run: a newer format is told from a damaged file, and both are one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from evals.run import words
from evals.run.errors import RunFolderError
from evals.run.models import RUN_FORMAT

_Model = TypeVar("_Model", bound=BaseModel)


def parse_document(path: Path, model: type[_Model]) -> _Model:
    """Raises RunFolderError for a file that is absent, of a newer format, or no such document."""
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise RunFolderError(str(path), words.NO_SUCH_FILE) from error
    except OSError as error:
        raise RunFolderError(str(path), words.unreadable(error)) from error
    try:
        shape = json.loads(content)
    except ValueError as error:
        raise RunFolderError(str(path), words.NOT_JSON) from error
    written = _format(shape)
    if isinstance(written, int) and written > RUN_FORMAT:
        raise RunFolderError(str(path), words.newer_format(written, RUN_FORMAT))
    try:
        return model.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RunFolderError(str(path), words.bad_key(".".join(map(str, first["loc"])), first["msg"])) from error


def _format(shape: object) -> object:
    """The format a manifest states, whether it stands alone or inside a whole run."""
    if not isinstance(shape, dict):
        return None
    inner = shape.get("manifest", shape)
    return inner.get("format") if isinstance(inner, dict) else None
