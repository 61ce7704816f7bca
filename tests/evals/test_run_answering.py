"""What a run keeps of an analysis, and how an exception becomes an error of a record."""

from __future__ import annotations

import pytest

from evals.run.answering import answer_of, prior_alone
from evals.run.case import error_of
from evals.run.changes import NoDiffError
from evals.run.models import ErrorKind
from retrieval.errors import ChangeError, SourceTreeError
from reviewbot.errors import InputFileError, WriterError, WriterFault
from reviewbot.models import AnalysisState, Finding, FindingKind, Usage
from reviewbot.precedents import CitedPlace
from tests.reviewbot.analyses import example


def proposing(text: str, summary: str = "") -> int:
    """How many of the citations of a proposed text resolve, times ten, plus how many there are."""
    analysis = example()
    assert analysis.proposed is not None
    proposed = analysis.proposed.model_copy(update={"summary": summary, "analysis": text})
    kept = answer_of(analysis.model_copy(update={"proposed": proposed}), 1.0)
    return 10 * kept.resolved + kept.citations


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("torch_npu 见 [E1] 与 [Z1]。", 22),
        ("torch_npu 见 [E1]，又见 [E1]。", 11),
        ("torch_npu 见 [E9]、[E1, Z7]。", 13),
        ("torch_npu 未涉及。", 0),
    ],
)
def test_citations_of_the_proposed_draft_are_counted_and_resolved(text: str, counted: int) -> None:
    assert proposing(text) == counted


def test_the_summary_cites_too() -> None:
    assert proposing("torch_npu 见 [E1]。", summary="上游改了 spin [E8]。") == 12


def test_places_are_distinct_and_in_order() -> None:
    analysis = example()
    draft = analysis.draft.model_copy(update={"cited": ("Z1", "E2", "E1", "E2")})
    kept = answer_of(analysis.model_copy(update={"draft": draft}), 1.0)
    places = [CitedPlace(path=item.path, scope=item.scope) for item in analysis.ledger.items]
    assert kept.shown == tuple(dict.fromkeys(places))
    assert kept.cited == tuple(dict.fromkeys(reversed(places)))


def test_findings_are_counted_by_kind() -> None:
    analysis = example()
    found = tuple(Finding(kind=kind, sentence="x", message="y") for kind in (*[FindingKind.LENGTH] * 2, *FindingKind))
    draft = analysis.draft.model_copy(update={"findings": found})
    kept = answer_of(analysis.model_copy(update={"draft": draft}), 1.0)
    assert kept.findings[FindingKind.LENGTH] == 3
    assert sum(kept.findings.values()) == len(found)


def test_texts_are_those_that_are_printed() -> None:
    kept = answer_of(example(), 1.23456)
    assert "[E1]" in kept.draft
    assert "[E1]" not in kept.analysis
    assert example().ledger.items[0].path in kept.analysis
    assert kept.seconds == 1.235


def test_the_prior_alone_says_nothing_and_is_never_held_up() -> None:
    analysis = example().model_copy(update={"state": AnalysisState.EVIDENCE_INSUFFICIENT, "reason": "x"})
    alone = answer_of(prior_alone(analysis), 1.0)
    assert (alone.state, alone.analysis, alone.draft, alone.cited) == (AnalysisState.DONE, "", "", ())
    assert alone.labels == analysis.prior.labels == alone.proposed


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (NoDiffError(), ErrorKind.INPUT),
        (ChangeError("a.diff", "no hunks", 3), ErrorKind.INPUT),
        (SourceTreeError("tree", "gone"), ErrorKind.INPUT),
        (FileNotFoundError(2, "No such file", "a.diff"), ErrorKind.INPUT),
        (WriterError("m", WriterFault.EMPTY), ErrorKind.WRITER),
        (InputFileError("key", "gone"), ErrorKind.ANALYSIS),
        (KeyError("E9"), ErrorKind.ANALYSIS),
    ],
)
def test_an_exception_is_told_by_where_it_comes_from(error: Exception, kind: ErrorKind) -> None:
    kept = error_of(error)
    assert kept.kind is kind
    assert str(error) in kept.message
    assert (kept.fault is not None) is (kind is ErrorKind.WRITER)


def test_what_was_paid_in_vain_is_kept() -> None:
    assert error_of(WriterError("m", WriterFault.TRUNCATED, usage=Usage(calls=2, cost=0.3))).usage.cost == 0.3
