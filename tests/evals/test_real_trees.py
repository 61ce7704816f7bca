"""What only real code can show: every usable record, and one huge diff, go through and every printed claim holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest

from evals.audit import Auditor, FaultKind, TreeText, parse_record
from evals.demo import EXAMPLES
from evals.measuring import LONG, SHORT, measure_records
from evals.ranking import order, shipped_scoring
from evals.real_data import RealData
from evals.recall import recall_at
from evals.records import LabelledRecord, usable_records
from evals.workbench import Workbench, change_of, open_workbench
from retrieval.change import change_between_trees
from retrieval.closeness import DIRECT
from retrieval.models import EvidenceItem, EvidenceKind
from retrieval.source_tree import open_tree
from reviewbot.couplings import each_coupling
from reviewbot.models import Analysis, AnalysisState
from reviewbot.render.export import as_json

pytestmark = pytest.mark.full


class Analysed:
    """All usable records analysed once, in one run."""

    def __init__(self, bench: Workbench, real_data: RealData, records: tuple[LabelledRecord, ...]) -> None:
        self.by_id = {record.id: bench.analyse(change_of(record, real_data.diff(record))) for record in records}

    @cached_property
    def exports(self) -> list[dict[str, Any]]:
        return [as_json(analysis) for analysis in self.by_id.values()]


@pytest.fixture(scope="module")
def bench(real_data: RealData, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with open_workbench(real_data.base, real_data.downstream, tmp_path_factory.mktemp("cache")) as opened:
        yield opened


@pytest.fixture(scope="module")
def usable(labelled_records: tuple[LabelledRecord, ...]) -> tuple[LabelledRecord, ...]:
    return usable_records(labelled_records)


@pytest.fixture(scope="module")
def analysed(bench: Workbench, real_data: RealData, usable: tuple[LabelledRecord, ...]) -> Analysed:
    return Analysed(bench, real_data, usable)


def test_every_usable_record_is_analysed(analysed: Analysed) -> None:
    assert len(analysed.by_id) == 62
    states = {record_id: analysis.state for record_id, analysis in analysed.by_id.items()}
    assert not {record_id for record_id, state in states.items() if state is AnalysisState.FAILED}


def test_every_printed_place_miss_and_relation_is_true(analysed: Analysed, real_data: RealData) -> None:
    auditor = Auditor(TreeText.read(real_data.downstream))
    audited = [auditor.audit(parse_record(export, "export")) for export in analysed.exports]
    assert [str(fault) for one in audited for fault in one.faults] == []
    assert all(one.places + one.misses for one in audited)


def test_a_wrong_line_planted_in_any_record_is_found(analysed: Analysed, real_data: RealData) -> None:
    """The audit is not blind on real text: the first printed line of each record moved away is a fault each time."""
    auditor = Auditor(TreeText.read(real_data.downstream))
    blind = []
    for export in analysed.exports:
        analysis = export["record"]["analysis"]
        moved = re.sub(r"(\.\w+:)(\d+)", lambda found: f"{found[1]}{int(found[2]) + 100_000}", analysis, count=1)
        planted = export | {"record": export["record"] | {"analysis": moved}}
        if moved != analysis and not auditor.audit(parse_record(planted, "planted")).faults:
            blind.append(export["record"]["title"])
    assert not blind


def test_a_false_miss_planted_in_any_record_is_found(analysed: Analysed, real_data: RealData) -> None:
    auditor = Auditor(TreeText.read(real_data.downstream))
    for export in analysed.exports:
        lie = f"{export['record']['analysis']}全词检索 torch_npu 0 命中。"
        planted = export | {"record": export["record"] | {"analysis": lie}}
        kinds = {fault.kind for fault in auditor.audit(parse_record(planted, "planted")).faults}
        assert FaultKind.FALSE_MISS in kinds


def test_recall_reaches_its_floor(bench: Workbench, real_data: RealData, usable: tuple[LabelledRecord, ...]) -> None:
    measured = list(measure_records(usable, real_data.diffs, bench, real_data.downstream))
    recall = recall_at(20, [one.ranked for one in measured])
    assert (recall.scope.total, recall.file.total, recall.records) == (90, 67, 39)
    assert recall.scope.hits / recall.scope.total >= 0.6
    assert recall.file.hits / recall.file.total >= 0.7
    for one in measured:
        short, deep = (order(one.found, shipped_scoring(), limit) for limit in (SHORT, LONG))
        assert one.cut_by_tokens or list(one.ranked.found) == short[:SHORT]
        assert list(one.deep.found) == deep[: len(one.deep.found)]
        assert len(one.deep.found) <= LONG


def test_the_whole_release_difference_goes_through(bench: Workbench, real_data: RealData) -> None:
    """One diff of all of torch/_inductor and torch/_dynamo between two releases."""
    with open_tree(real_data.base) as base, open_tree(real_data.head) as head:
        release = change_between_trees(base, head)
    wanted = ("torch/_inductor/", "torch/_dynamo/")
    change = release.model_copy(update={"files": tuple(file for file in release.files if file.path.startswith(wanted))})
    assert len(change.files) > 200
    analysis = bench.analyse(change)
    assert analysis.state is not AnalysisState.FAILED
    assert analysis.ledger.items


def test_the_demo_shows_what_its_headings_say(analysed: Analysed) -> None:
    signature, patched, uncoupled = (analysed.by_id[example.record_id] for example in EXAMPLES)
    registrations = _items(signature, EvidenceKind.REGISTRATION)
    assert any(item.detail.lacks for item in registrations)
    assert _items(patched, EvidenceKind.PATCH)
    felt = [coupling for item in uncoupled.ledger.items for coupling in each_coupling(item)]
    assert {(one.kind, one.relation) for one in felt if one.relation in DIRECT} == set()


def _items(analysis: Analysis, kind: EvidenceKind) -> list[EvidenceItem]:
    return [item for item in analysis.ledger.items if kind in item.kinds]
