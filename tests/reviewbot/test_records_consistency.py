"""Labels that contradict each other within a row and between rows."""

from __future__ import annotations

import pytest

from reviewbot.records.consistency import inconsistencies
from reviewbot.records.models import ReadRow, Severity, TeamRecord
from tests.reviewbot.team_tables import team_record


def reasons(*records: TeamRecord) -> list[tuple[int, str]]:
    problems = inconsistencies(ReadRow(line=line, record=record) for line, record in enumerate(records, start=1))
    assert all(problem.severity is Severity.INCONSISTENT for problem in problems)
    return [(problem.line, problem.reason) for problem in problems]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"verdict": "Shim"}, "结论为 Shim，需改码却为否"),
        ({"verdict": "Check", "needs_adaptation": "是"}, "结论为 Check，需改码却为是"),
        ({"verdict": "Check", "risk": "high"}, "结论为 Check，风险却为 high"),
        ({"npu_affected": "否", "risk": "high"}, "影响 NPU 为否，风险却为 high"),
        ({"needs_cann": "是"}, "底层适配为是，却没有说明"),
        ({"needs_cann": "否", "cann_note": "补算子"}, "底层适配为否，却附有说明"),
    ],
)
def test_flags_that_exclude_each_other(fields: dict[str, str], reason: str) -> None:
    assert reasons(team_record(**fields)) == [(1, reason)]


def test_what_agrees_is_not_told_of() -> None:
    plain = team_record(upstream_pr=1)
    shim = team_record(verdict="Shim", needs_adaptation="待确认", needs_cann="是", cann_note="补算子", upstream_pr=2)
    assert reasons(plain, shim, team_record(), team_record()) == []


def test_a_pull_request_judged_twice() -> None:
    first, other = team_record(upstream_pr=7), team_record(upstream_pr=7, risk="low", compile_stage="Dynamo")
    assert reasons(first, team_record(upstream_pr=8), first, other) == [
        (3, "PR 7 与第 1 行重复"),
        (4, "PR 7 在第 1 行已有记录，风险、阶段不同"),
    ]
