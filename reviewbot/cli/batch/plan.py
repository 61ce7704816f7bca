"""The plan beside a file of requests: the change of every request, and what the request was made under.

A request names itself by its content, so an answer fits as long as the same change gives the same request; the plan
gives the change back without its patch, clone or pull request, and its conditions say what differs when it does not.
One JSON object a line, ASCII, since a diff may hold bytes that are no text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from retrieval.models import Frozen, UpstreamChange
from reviewbot.cli.batch import words
from reviewbot.errors import InputFileError
from reviewbot.models import Analysis
from reviewbot.settings import Settings

_SUFFIX = ".plan.jsonl"
#: Settings that shape a request.
_SETTINGS = (
    *("ledger.limit", "ledger.token_budget"),
    *("model.name", "model.prompt_tokens", "model.context_tokens", "model.records"),
)


class Planned(Frozen):
    """One change. ``custom_id`` names its request, None for a plain case, which the template writes."""

    custom_id: str | None
    source: str
    change: UpstreamChange
    conditions: dict[str, str]

    @property
    def name(self) -> str:
        """What people call the change."""
        number = self.change.number
        return self.source if number is None else f"pytorch/pytorch#{number}"


def plan_beside(requests: Path) -> Path:
    return requests.with_name(requests.name.removesuffix(".jsonl") + _SUFFIX)


def conditions_of(analysis: Analysis, settings: Settings, prompts: str) -> dict[str, str]:
    """What the request of an analysis depends on beside the change."""
    from reviewbot.settings import shown_value

    ledger, versions = analysis.ledger, analysis.versions
    return {
        "downstream": f"{ledger.downstream} {ledger.revision}",
        "rubric": versions["rubric"],
        "extractor": versions["extractor"],
        "prompts": prompts,
        **{key: str(shown_value(settings, key)) for key in _SETTINGS},
    }


def differences(then: dict[str, str], now: dict[str, str]) -> list[tuple[str, str, str]]:
    """Name, value at the export and value now of every condition that differs."""
    return [(name, then.get(name, ""), now[name]) for name in now if then.get(name, "") != now[name]]


def plan_text(planned: Iterable[Planned]) -> str:
    return "".join(json.dumps(one.model_dump(mode="json")) + "\n" for one in planned)


def read_plan(path: Path) -> tuple[Planned, ...]:
    """Raises ``InputFileError`` for a file that is absent, cannot be read, or holds a line that is no plan."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputFileError(str(path), words.PLAN_MISSING) from error
    except OSError as error:
        raise InputFileError(str(path), error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise InputFileError(str(path), words.NOT_UTF8) from error
    lines = enumerate(text.split("\n"), 1)
    return tuple(_planned(line, number, path) for number, line in lines if line.strip())


def _planned(line: str, number: int, path: Path) -> Planned:
    try:
        return Planned.model_validate(json.loads(line))
    except ValidationError as error:
        key = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
    except (ValueError, RecursionError):
        key = ""
    raise InputFileError(str(path), words.plan_line_wrong(number, key))
