"""The team's verdict rubric as code: the rule table, its conditions, and the prior they give.

``prompts/rubric.yaml`` holds the rules, ``prompts/rubric.md`` says them to a model; ``python -m reviewbot.rubric``
writes the second from the first.
"""

from __future__ import annotations

from reviewbot.rubric.errors import RubricError
from reviewbot.rubric.judge import judge
from reviewbot.rubric.table import Rubric, Rule, load_rubric, parse_rubric

__all__ = ["Rubric", "RubricError", "Rule", "judge", "load_rubric", "parse_rubric"]
