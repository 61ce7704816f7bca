"""Reviews and subjects for the tests of comments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from reviewbot.forges.models import ForgeKind, PullRequest, Thread
from reviewbot.models import AnalysisState, Labels, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.publishing import ShownSubject
from reviewbot.service.models import Correction, Review, ReviewState, Subject, SubjectKind, SubjectOutcome, Trigger
from tests.reviewbot.analyses import example

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
THREAD = Thread(forge=ForgeKind.GITHUB, repository="mill/gears", number=7)
HEAD, BASE, NEWER = "a" * 40, "b" * 40, "c" * 40
CHECK = Labels(verdict=Verdict.CHECK, risk=Risk.LOW, needs_adaptation=NeedsAdaptation.NO, npu_affected=YesNo.NO)
TEST = Labels(verdict=Verdict.TEST, risk=Risk.MEDIUM, needs_adaptation=NeedsAdaptation.NO, npu_affected=YesNo.YES)
SHIM = Labels(verdict=Verdict.SHIM, risk=Risk.HIGH, needs_adaptation=NeedsAdaptation.YES, npu_affected=YesNo.YES)


def review(**change: Any) -> Review:
    known = {
        "id": "r1",
        "thread": THREAD,
        "trigger": Trigger.PUSH,
        "state": ReviewState.RUNNING,
        "head_sha": HEAD,
        "base_sha": BASE,
        "ordered_at": NOW,
        "due_at": NOW,
    }
    return Review.model_validate(known | change)


def pull(head: str = HEAD, **change: Any) -> PullRequest:
    return PullRequest(thread=THREAD, title="同步", base_ref="master", base_sha=BASE, head_sha=head, **change)


def subject(number: int, labels: Labels = TEST, *, correction: Correction | None = None, **change: Any) -> ShownSubject:
    analysis = example(number=number, **change)
    analysis = analysis.model_copy(update={"draft": analysis.draft.model_copy(update={"labels": labels})})
    outcome = SubjectOutcome(position=number, subject=named(number), state=AnalysisState.DONE, analysis=number)
    return ShownSubject(outcome, analysis, correction)


def without(number: int, state: AnalysisState | None, reason: str) -> ShownSubject:
    return ShownSubject(SubjectOutcome(position=number, subject=named(number), state=state, reason=reason))


def named(number: int) -> Subject:
    return Subject(kind=SubjectKind.PULL_REQUEST, name=f"pytorch/pytorch#{number}")
