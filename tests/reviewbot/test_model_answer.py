"""What a model may answer: one schema equal to the enumerations, lenient outside the object, strict inside."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path

import pytest

from reviewbot.drafting.model.answer import (
    AnswerError,
    ModelAnswer,
    answer_of,
    answer_schema,
    draft_of,
    is_chinese,
    read_answer,
)
from reviewbot.drafting.model.digest import rubric_digest
from reviewbot.drafting.model.prompt_files import load_prompt
from reviewbot.models import CompileStage, Labels, NeedsAdaptation, Risk, Verdict, YesNo
from tests.support.scripted_model import GOOD

TEXT = json.dumps(GOOD, ensure_ascii=False)
LISTS: dict[str, type[StrEnum]] = {
    "verdict": Verdict,
    "risk": Risk,
    "needs_adaptation": NeedsAdaptation,
    "needs_cann": YesNo,
    "npu_affected": YesNo,
    "compile_stage": CompileStage,
}


def test_the_schema_lists_the_values_of_the_enumerations() -> None:
    properties = answer_schema()["properties"]
    assert set(LISTS) == set(Labels.model_fields)
    for name, kind in LISTS.items():
        optional = Labels.model_fields[name].default is None
        assert properties[name]["enum"] == [*(value.value for value in kind), *([None] if optional else [])]


def test_the_schema_is_closed_and_has_no_references() -> None:
    schema = answer_schema()
    assert schema["required"] == list(schema["properties"]) == list(ModelAnswer.model_fields)
    assert schema["additionalProperties"] is False
    assert "$ref" not in json.dumps(schema)


def test_the_short_prompt_names_every_key_and_value() -> None:
    text = (Path(__file__).parents[2] / "prompts" / "brief.md").read_text(encoding="utf-8")
    for name in ModelAnswer.model_fields:
        assert name in text
    for kind in LISTS.values():
        assert not [value for value in kind if f'"{value.value}"' not in text]


def test_the_long_prompt_names_every_key_and_its_values_in_the_table_of_fields() -> None:
    text = load_prompt("system").filled(rubric=rubric_digest())
    asked = text.partition("# 输出格式")[2]
    for name in ModelAnswer.model_fields:
        assert name in asked
    for name, kind in LISTS.items():
        (line,) = [line for line in text.splitlines() if line.startswith(f"- {name}：")]
        assert " · ".join(kind) in line


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f'<think>也许 {{是}} 这样 {{"verdict": 1}}</think>\n{TEXT}',
        f"记录如下：\n{TEXT}\n以上。",
        f'{{"draft": 1}} {TEXT}',
        f'{TEXT} {{"note": 1}}',
        f"\ufeff {TEXT}",
        json.dumps({**GOOD, "confidence": 3}),
        json.dumps({key: value for key, value in GOOD.items() if key != "compile_stage"}),
    ],
)
def test_what_stands_around_the_object_does_not_matter(text: str) -> None:
    assert read_answer(text).verdict is Verdict.TEST


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "JSON"),
        ("没有影响", "JSON"),
        ("[]", "JSON"),
        ("{" * 5_000, "JSON"),
        (TEXT[:-1], "JSON"),
        (json.dumps({**GOOD, "verdict": "check"}), "verdict"),
        (json.dumps({**GOOD, "risk": None}), "risk"),
        (json.dumps({**GOOD, "needs_adaptation": "no"}), "needs_adaptation"),
        (json.dumps({**GOOD, "needs_work_score": 1.2}), "needs_work_score"),
        (json.dumps({**GOOD, "analysis": ["句子"]}), "analysis"),
        (json.dumps({**GOOD, "summary": ""}), "summary"),
        (json.dumps({key: value for key, value in GOOD.items() if key != "npu_affected"}), "npu_affected 缺失"),
    ],
)
def test_what_stands_in_it_does(text: str, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem):
        read_answer(text)


def test_an_answer_and_its_draft_say_the_same() -> None:
    answer = read_answer(TEXT)
    draft = draft_of(answer, "small")
    assert draft.writer == "small"
    assert answer_of(draft) == answer


def test_a_draft_is_one_paragraph() -> None:
    answer = read_answer(json.dumps({**GOOD, "analysis": "第一句 [E1]。\n\n- 第二句。"}))
    assert draft_of(answer, "m").analysis == "第一句 [E1]。 - 第二句。"


@pytest.mark.parametrize(
    ("analysis", "chinese"),
    [
        ("torch_npu 替换了 spin [E1]。", True),
        ("将 torch._inductor.lowering 的 register_lowering(aten.spin) 改为 fallback [E1]，dtype 不变。", True),
        ("The change is harmless for torch_npu [E1].", False),
        ("The change is harmless for NPU users. 无。", False),
        ("", False),
    ],
)
def test_chinese(analysis: str, chinese: bool) -> None:
    answer = read_answer(TEXT).model_copy(update={"analysis": analysis})
    assert is_chinese(answer) is chinese
