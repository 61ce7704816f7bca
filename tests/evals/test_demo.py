"""The demo without network: three situations on miniature trees, each with what its heading says, all claims true."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evals import demo, miniature, words
from evals.audit import Auditor, TreeText, parse_record
from evals.errors import FetchError
from evals.real_data import RealData
from retrieval.models import EvidenceKind
from reviewbot.models import Analysis, AnalysisState
from reviewbot.render import as_json


@pytest.fixture(scope="module")
def analysed() -> Iterator[list[Analysis]]:
    with demo._miniature_scene() as (bench, changes, _):
        yield [bench.analyse(change) for change in changes]


def test_each_example_shows_what_its_heading_says(analysed: list[Analysis]) -> None:
    signature, patched, uncoupled = analysed
    registration = signature.ledger.items[0]
    assert registration.kind is EvidenceKind.REGISTRATION
    assert registration.detail.lacks == ("quiet",)
    assert patched.ledger.items[0].kind is EvidenceKind.PATCH
    assert not [item for item in uncoupled.ledger.items if item.kind is not EvidenceKind.HOOK]
    assert {analysis.state for analysis in analysed} == {AnalysisState.DONE}


def test_every_printed_claim_is_true(analysed: list[Analysis]) -> None:
    auditor = Auditor(TreeText({path: text.encode() for path, text in miniature.DOWNSTREAM.items()}))
    audited = [auditor.audit(parse_record(as_json(analysis), "demo")) for analysis in analysed]
    assert [str(fault) for one in audited for fault in one.faults] == []


def test_the_patches_change_what_they_say() -> None:
    for change in miniature.CHANGES:
        assert miniature.UPSTREAM[change.path].count(change.old) == 1
        assert change.patch().count(b"\n@@ ") == 1


def test_it_prints_three_records_with_their_times(capsys: pytest.CaptureFixture[str]) -> None:
    demo.main(offline=True)
    printed = capsys.readouterr().out
    for example in demo.EXAMPLES:
        assert example.heading in printed
        assert example.stand_in.title in printed
    assert printed.count(" ms") >= 3


def test_without_network_it_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_network(*_: object) -> bool:
        raise FetchError("torch.whl", "no network")

    monkeypatch.setattr(RealData, "prepare", no_network)
    demo.main(data=tmp_path)
    printed = capsys.readouterr()
    assert words.demo_without_network("torch.whl：no network") in printed.err
    assert demo.EXAMPLES[0].stand_in.title in printed.out
