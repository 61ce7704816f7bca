"""What the tests of the model writer share: one invented dossier, settings that reach the scripted server, a writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from retrieval.models import EvidenceItem, Ledger, Miss, UpstreamChange
from reviewbot.drafting.model.memory import Memory
from reviewbot.drafting.model.tokens import Counter, estimated_tokens
from reviewbot.drafting.model.writer import ModelWriter
from reviewbot.drafting.writer import Dossier
from reviewbot.models import Decision, FiredRule, Labels, NeedsAdaptation, Prior, Risk, RuleGroup, Track, Verdict, YesNo
from reviewbot.precedents import PastRecord
from reviewbot.settings import ModelSettings
from tests.support import values

KEY = "sk-proj-0123456789abcdefghij"
COUNTER = Counter(estimated_tokens)
MILD = Labels(verdict=Verdict.CHECK, risk=Risk.LOW, needs_adaptation=NeedsAdaptation.NO, npu_affected=YesNo.NO)
HARSH = Labels(
    verdict=Verdict.SHIM,
    risk=Risk.HIGH,
    needs_adaptation=NeedsAdaptation.YES,
    needs_cann=YesNo.YES,
    npu_affected=YesNo.YES,
)


def prior(labels: Labels = MILD, decision: Decision = Decision.OPEN, score: float = 0.1) -> Prior:
    rule = FiredRule(id="check-hooked", group=RuleGroup.VERDICT, reason="仅有挂钩点", because=("挂钩点 [E1]",))
    return Prior(
        labels=labels,
        needs_work_score=score,
        track=Track.A,
        decision=decision,
        rules=(rule,),
        rubric_version="rubric-1",
    )


def dossier(
    *found: EvidenceItem | Miss,
    change: UpstreamChange | None = None,
    ledger: Ledger | None = None,
    precedents: tuple[PastRecord, ...] = (),
    **of_prior: Any,
) -> Dossier:
    """By default ``spin`` gains a parameter; torch_npu patches it (E1), refers to it (E2), knows no ``halt`` (Z1)."""
    given = found or (values.patch(), values.reference(), values.missing("halt"))
    return Dossier(
        change=change or values.change(title="Teach spin to be quiet"),
        delta=values.delta(values.resigned("spin")),
        ledger=ledger or values.ledger(*given),
        prior=prior(**of_prior),
        precedents=precedents,
    )


def settings(base_url: str = "http://127.0.0.1:9/v1", **changes: Any) -> ModelSettings:
    return ModelSettings(**{"base_url": base_url, "name": "small", "timeout_seconds": 5.0, **changes})


@dataclass
class Waits:
    """Stands for ``time.sleep``: remembers and does not wait."""

    seconds: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@contextmanager
def model_writer(folder: Path, base_url: str, *, waits: Waits | None = None, **changes: Any) -> Iterator[ModelWriter]:
    """A writer over the scripted server; keywords are settings."""
    memory = Memory(folder / "model.sqlite")
    with ModelWriter(
        settings(base_url, **changes),
        memory,
        key=KEY,
        counter=COUNTER,
        sleep=waits or Waits(),
        today=lambda: date(2026, 3, 4),
    ) as writer:
        yield writer
