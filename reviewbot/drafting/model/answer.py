"""What a model answers: labels, a score and two texts; its JSON schema, and how an answer is read.

The schema has no references, requires every key and allows no other, as the strict modes of providers ask; a key that
may be absent is null. Reading is lenient about what stands around the object (a fence, reasoning) and strict about
what is in it.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from types import NoneType
from typing import Any, get_args

from pydantic import ConfigDict, Field, ValidationError

from retrieval.models import Frozen
from reviewbot.drafting.model import words
from reviewbot.models import CompileStage, Draft, Labels, NeedsAdaptation, Risk, Score, Verdict, YesNo

#: The name of the schema and of the function that a model is asked to call.
ANSWER_NAME = "record"
_LABELS = tuple(Labels.model_fields)
_REASONING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_CODE = re.compile(r"\S*[./_`()\[\]:=<>]\S*")
_WORD = re.compile(r"[A-Za-z]{2,}")


class ModelAnswer(Frozen):
    """Texts cite ledger ids in brackets. Unknown keys are left aside: the closed modes never give any."""

    model_config = ConfigDict(extra="ignore")

    verdict: Verdict
    risk: Risk
    needs_adaptation: NeedsAdaptation
    needs_cann: YesNo | None = None
    npu_affected: YesNo
    compile_stage: CompileStage | None = None
    needs_work_score: Score
    summary: str = Field(min_length=1)
    analysis: str = Field(min_length=1)

    @property
    def labels(self) -> Labels:
        return Labels(**{name: getattr(self, name) for name in _LABELS})


class AnswerError(ValueError):
    """``problem`` says in Chinese what is wrong with the answer, for the model as much as for people."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def draft_of(answer: ModelAnswer, writer: str) -> Draft:
    return Draft(
        labels=answer.labels,
        needs_work_score=answer.needs_work_score,
        summary=" ".join(answer.summary.split()),
        analysis=" ".join(answer.analysis.split()),
        writer=writer,
    )


def answer_of(draft: Draft) -> ModelAnswer:
    """The answer that a draft was made of, as a model is shown it again."""
    return ModelAnswer(
        **draft.labels.model_dump(),
        needs_work_score=draft.needs_work_score,
        summary=draft.summary,
        analysis=draft.analysis,
    )


def read_answer(text: str) -> ModelAnswer:
    """The answer in ``text``. Raises ``AnswerError``."""
    try:
        return ModelAnswer.model_validate(_object_in(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = str(first["loc"][0]) if first["loc"] else ""
        raise AnswerError(
            words.wrong_key(key, words.KEY_MISSING if first["type"] == "missing" else words.KEY_WRONG)
        ) from None


def _object_in(text: str) -> dict[str, Any]:
    """The last JSON object that holds a verdict: reasoning may show others, or parts, before it."""
    text = _REASONING.sub("", text)
    decoder = json.JSONDecoder()
    found: dict[str, Any] | None = None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict) and (found is None or "verdict" in value):
            found = value
        at = text.find("{", end)
    if found is None:
        raise AnswerError(words.NOT_JSON)
    return found


def is_chinese(answer: ModelAnswer) -> bool:
    """Whether the analysis is written in Chinese at all; which sentences are, the verifier says."""
    prose = _CODE.sub(" ", answer.analysis)
    return len(_HAN.findall(prose)) > len(_WORD.findall(prose))


def answer_schema() -> dict[str, Any]:
    """JSON Schema of ``ModelAnswer``, every key required, nothing else allowed."""
    properties = {name: _schema_of(field.annotation) for name, field in ModelAnswer.model_fields.items()}
    properties["needs_work_score"] = {"type": "number", "minimum": 0, "maximum": 1}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _schema_of(annotation: object) -> dict[str, Any]:
    kinds = get_args(annotation) or (annotation,)
    values = [member.value for kind in kinds if isinstance(kind, type) and issubclass(kind, StrEnum) for member in kind]
    if not values:
        return {"type": "string"}
    if NoneType in kinds:
        return {"type": ["string", "null"], "enum": [*values, None]}
    return {"type": "string", "enum": values}
