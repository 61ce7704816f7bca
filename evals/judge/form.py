"""The form as text. It is made of `words.CRITERIA` alone, for the prompt as for the sheet that people fill in."""

from __future__ import annotations

from evals.judge import words
from evals.judge.models import GRADES, Criterion
from reviewbot.drafting.model.prompt_files import Prompt, load_prompt

PROMPT = "judge"


def judge_prompt() -> Prompt:
    return load_prompt(PROMPT)


def form_text() -> str:
    """Every criterion with its question and what each grade means."""
    return "\n".join(
        line for criterion in Criterion for line in (words.criterion_heading(criterion), *grade_lines(criterion))
    )


def grade_lines(criterion: Criterion) -> tuple[str, ...]:
    meanings = words.CRITERIA[criterion].grades
    return tuple(words.grade_line(grade, meaning) for grade, meaning in zip(GRADES, meanings, strict=True))
