"""What a comment is made of: subjects with their analyses and corrections, and links to the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reviewbot.models import Analysis, Labels, Risk, Verdict, needs_work
from reviewbot.service.models import Correction, SubjectOutcome

_VERDICTS = (Verdict.SHIM, Verdict.TEST, Verdict.CHECK)
_RISKS = (Risk.HIGH, Risk.MEDIUM, Risk.LOW)


@dataclass(frozen=True, slots=True)
class ShownSubject:
    """``analysis`` is None where there is none; ``outcome.state`` and ``outcome.reason`` say why."""

    outcome: SubjectOutcome
    analysis: Analysis | None = None
    correction: Correction | None = None

    @property
    def name(self) -> str:
        return self.outcome.subject.name

    @property
    def labels(self) -> Labels | None:
        """Those that hold: a person's before the draft's."""
        if self.correction is not None:
            return self.correction.labels
        return None if self.analysis is None else self.analysis.draft.labels

    @property
    def needs_work(self) -> bool:
        return self.labels is not None and needs_work(self.labels)


@dataclass(frozen=True, slots=True)
class Links:
    """``public_url`` is where the service can be reached; without it there are no links."""

    public_url: str | None = None

    def analysis(self, number: int | None) -> str:
        return f"{self._api()}/analyses/{number}" if self.public_url and number is not None else ""

    def review(self, identifier: str) -> str:
        return f"{self._api()}/reviews/{identifier}" if self.public_url else ""

    def _api(self) -> str:
        return f"{(self.public_url or '').rstrip('/')}/api/v1"


def by_urgency(shown: Sequence[ShownSubject]) -> tuple[ShownSubject, ...]:
    """What needs work first, worst first; then the rest; then what has no analysis. Else in order of mention."""
    return tuple(sorted(shown, key=_urgency))


def _urgency(one: ShownSubject) -> tuple[int, int, int, int]:
    if one.labels is None:
        return 2, 0, 0, one.outcome.position
    rank = 0 if one.needs_work else 1
    return rank, _VERDICTS.index(one.labels.verdict), _RISKS.index(one.labels.risk), one.outcome.position


def worst_verdict(shown: Sequence[ShownSubject]) -> Verdict | None:
    """The verdict of the worst subject, None where no subject has one."""
    return min((one.labels.verdict for one in shown if one.labels), key=_VERDICTS.index, default=None)


def tally(shown: Sequence[ShownSubject]) -> tuple[int, int, int]:
    """How many there are, need work, and came to no verdict."""
    return len(shown), sum(one.needs_work for one in shown), sum(one.labels is None for one in shown)
