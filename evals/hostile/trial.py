"""Puts mixed drafts before the verifier and counts what would have been printed.

Each draft is what a hostile model could hand in: the labels of the prior, an opening sentence that cites the first
place (or a miss), up to two true sentences and one false one, in random order; every third false clause shares its
sentence with a true one. The false sentence is the summary, too. Printed is what ``final_state`` leaves of both,
however the analysis ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from evals.hostile import words
from evals.hostile.claims import Claim, Form, true_claims
from evals.hostile.lies import Falsehood, Liar
from evals.hostile.mutations import MUTATIONS
from evals.hostile.phrasing import say, sentence
from evals.hostile.scene import Scene
from evals.hostile.truth import Facts
from retrieval.models import Ledger
from reviewbot.models import Analysis, CheckedDraft, Draft, Finding
from reviewbot.verification.names import NameLookup
from reviewbot.verification.verify import final_state, verify

_BESIDE = 2
_TRIES = 12
_NOT_BESIDE = frozenset({Form.TEST, Form.NEED_NOT, Form.MUST, Form.VERDICT, Form.RISK, Form.REACHES, Form.REVERTED})


@dataclass(frozen=True, slots=True)
class Leak:
    """A sentence that went the wrong way: a false one printed, or a true one lost to ``findings``."""

    record: str
    text: str
    findings: tuple[str, ...] = ()


@dataclass(slots=True)
class Count:
    """Of one class: false sentences tried, mutations left out because they may be true, and those printed."""

    tried: int = 0
    left_out: int = 0
    printed: list[Leak] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """Everything of one run. ``kept`` of ``true`` sentences were printed."""

    records: int = 0
    drafts: int = 0
    true: int = 0
    kept: int = 0
    lost: list[Leak] = field(default_factory=list)
    classes: dict[Falsehood, Count] = field(default_factory=lambda: {one: Count() for one in MUTATIONS})

    @property
    def kept_share(self) -> float | None:
        return self.kept / self.true if self.true else None


@dataclass(frozen=True)
class Bench:
    """One analysed change before the verifier."""

    record: str
    analysis: Analysis
    names: NameLookup

    def check(self, text: str, summary: str = "") -> CheckedDraft:
        proved = self.analysis
        draft = Draft(
            labels=proved.prior.labels,
            needs_work_score=proved.prior.needs_work_score,
            summary=summary,
            analysis=text,
            writer="hostile",
        )
        checked = verify(draft, proved.change, proved.delta, proved.ledger, self.names)
        return final_state(checked, proved.ledger)[0]


@dataclass(frozen=True, slots=True)
class Said:
    claim: Claim
    text: str


def try_record(tally: Tally, bench: Bench, scene: Scene, facts: Facts, rng: Random, samples: int) -> None:
    """All true sentences of a record once, then ``samples`` false ones of each class."""
    claims = true_claims(scene)
    said = list(_sentences(claims, rng))
    opening = _opening(said, scene.ledger)
    if opening is None:
        return
    tally.records += 1
    for start in range(0, len(said), _BESIDE + 1):
        _try_true(tally, bench, opening, said[start : start + _BESIDE + 1])
    liar = Liar(scene, facts, rng)
    for falsehood in MUTATIONS:
        for _ in range(samples):
            _try_false(tally, falsehood, bench, liar, (opening, claims, said))


def _sentences(claims: Sequence[Claim], rng: Random) -> Iterator[Said]:
    """Every claim once, every fourth one in a sentence with another about a different place."""
    for claim in claims:
        clause = say(claim, rng)
        if clause is None:
            continue
        other = rng.choice(claims) if rng.random() < 0.25 else claim
        beside = say(other, rng) if other is not claim and _may_join(claim, other) else None
        yield Said(claim, sentence([clause, beside] if beside else [clause], rng))


def _may_join(claim: Claim, other: Claim) -> bool:
    """Both are about couplings, so that one sentence can hold them."""
    return not {claim.form, other.form} & _NOT_BESIDE and bool(claim.cites) and bool(other.cites)


def _opening(said: Sequence[Said], ledger: Ledger) -> str | None:
    """What satisfies the floor, so that the labels stay as they are: the first place, else the first miss."""
    found, missed = words.OPENINGS
    if ledger.items:
        return found.format(cite=words.cite([ledger.items[0].id])) if said else None
    return missed.format(cite=words.cite([ledger.misses[0].id])) if ledger.misses and said else None


def _try_true(tally: Tally, bench: Bench, opening: str, said: Sequence[Said]) -> None:
    printed = bench.check(opening + "".join(one.text for one in said))
    tally.drafts += 1
    for one in said:
        tally.true += 1
        if one.text in printed.analysis:
            tally.kept += 1
        else:
            tally.lost.append(Leak(bench.record, one.text, _messages(printed.findings, one.text)))


def _try_false(
    tally: Tally,
    falsehood: Falsehood,
    bench: Bench,
    liar: Liar,
    material: tuple[str, Sequence[Claim], Sequence[Said]],
) -> None:
    opening, claims, said = material
    rng, count = liar.rng, tally.classes[falsehood]
    order = rng.sample(range(len(claims)), len(claims))
    tries = 0
    for place in order:
        lie = MUTATIONS[falsehood](claims[place], liar)
        if lie is None:
            continue
        tries += 1
        if lie.text is None:
            count.left_out += 1
        else:
            text = _with_truth(lie.text, claims, rng)
            beside = [one.text for one in rng.sample(list(said), min(_BESIDE, len(said))) if one.text != text]
            beside.insert(rng.randint(0, len(beside)), text)
            printed = bench.check(opening + "".join(beside), summary=text)
            tally.drafts += 1
            count.tried += 1
            if text in printed.analysis or text in printed.summary:
                count.printed.append(Leak(bench.record, text))
            return
        if tries == _TRIES:
            return


def _with_truth(clause: str, claims: Sequence[Claim], rng: Random) -> str:
    """The false clause alone, or behind or before a true one about some place."""
    if rng.random() < 1 / 3:
        other = rng.choice(claims)
        true = say(other, rng) if other.cites and other.form not in _NOT_BESIDE else None
        if true:
            return sentence([true, clause] if rng.random() < 0.5 else [clause, true], rng)
    return sentence([clause], rng)


def _messages(findings: Sequence[Finding], text: str) -> tuple[str, ...]:
    return tuple(f"{one.kind}: {one.message}" for one in findings if one.sentence.strip() == text)
