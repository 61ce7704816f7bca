"""The file of thresholds. Strict: an unknown key is an error that names it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from evals.errors import EvalsError
from evals.gate import words
from evals.scores.keys import KEYS
from retrieval.models import Frozen


class ThresholdsError(EvalsError):
    """``source`` is the file."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}：{reason}")
        self.source = source
        self.reason = reason


class Thresholds(Frozen):
    """``slack`` says by key how much worse a figure may be although it is worse beyond noise."""

    level: Annotated[float, Field(gt=0.5, lt=1)]
    new_errors: Annotated[int, Field(ge=0)]
    slack: Mapping[str, Annotated[float, Field(ge=0)]]


def load_thresholds(path: Path | None = None) -> Thresholds:
    """Those of ``path``, else the shipped ones. Raises `ThresholdsError`."""
    source = str(path or "thresholds.toml")
    try:
        text = path.read_text(encoding="utf-8") if path else _shipped()
        thresholds = Thresholds.model_validate(tomllib.loads(text))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ThresholdsError(source, words.unreadable(error)) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ThresholdsError(source, words.bad_value(key, first["msg"])) from error
    unknown = sorted(set(thresholds.slack) - set(KEYS))
    if unknown:
        raise ThresholdsError(source, words.unknown_key(unknown[0]))
    return thresholds


def _shipped() -> str:
    return files("evals.gate").joinpath("thresholds.toml").read_text(encoding="utf-8")
