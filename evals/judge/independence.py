"""Is the judge the model that wrote the paragraphs? Names are compared without what providers add to them. Pure.

Too many names taken for the same cost one option to type; one too few would let a model grade itself unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from evals.judge.cases import Case
from evals.run.models import Manifest

#: ``openai/``, ``accounts/x/models/``; ``us.anthropic.``; ``:free``, ``:0``, ``@default``.
_FOLDERS = re.compile(r"^.*/")
_VENDORS = re.compile(r"^(?:[a-z]+\.)+(?=[a-z])")
_VARIANT = re.compile(r"[:@](?!\d{6}).*$")
_PUNCTUATION = re.compile(r"[._@:\s-]+")
#: A date or a word for the newest one, perhaps a version of the wrapping: ``-20241022-v2``, ``-2024-08-06``, ``-0324``.
_RELEASE = re.compile(
    r"-(?:(?:\d{4}-\d{2}(?:-\d{2})?|\d{8}|\d{6}|\d{4}|\d{2}-\d{2})(?:-v\d+)?|latest|preview|exp(?:erimental)?)$"
)


def normalised(model: str) -> str:
    """``anthropic/claude-3.5-sonnet:beta`` and ``claude-3-5-sonnet-20241022`` are both ``claude-3-5-sonnet``."""
    name = _VENDORS.sub("", _FOLDERS.sub("", model.strip().lower()))
    name = _PUNCTUATION.sub("-", _VARIANT.sub("", name)).strip("-")
    while (shorter := _RELEASE.sub("", name)) != name and shorter:
        name = shorter
    return name


def drafting_models(manifest: Manifest, cases: Iterable[Case]) -> tuple[str, ...]:
    """Every name under which these paragraphs may have been written: the run's model, its fallbacks, each writer."""
    parameters = manifest.parameters
    stated = [manifest.versions.get("model", ""), parameters.get("model", ""), parameters.get("model.name", "")]
    stated += parameters.get("model.fallbacks", "").split()
    stated += [case.analysis.draft.writer for case in cases]
    return tuple(dict.fromkeys(name for name in stated if name))


def same_as(judge: str, drafting: Iterable[str]) -> str | None:
    """The first drafting model that is the judge under another name, or its own."""
    return next((name for name in drafting if normalised(name) == normalised(judge)), None)
