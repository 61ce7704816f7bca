"""Reading what was written gives the same records, in every form and for any record."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewbot.models import Record
from reviewbot.records.delimited import row_new, row_old
from reviewbot.records.forms import Form
from reviewbot.records.models import TeamRecord, canonical
from reviewbot.records.models import team_record as from_record
from reviewbot.records.reading import read_table
from reviewbot.records.writing import lost_in, write_table
from tests.reviewbot.team_tables import LEGACY, RECORDS, TEXT, team_record, team_records

COLUMN_FORMS = [form for form in Form if form is not Form.LEGACY]

ENOUGH = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=40)


def as_legacy_keeps(record: TeamRecord) -> TeamRecord:
    return TeamRecord(
        labels=record.labels, summary=record.summary, analysis=record.analysis, cann_note=record.cann_note
    )


@pytest.mark.parametrize("form", COLUMN_FORMS)
@ENOUGH
@given(records=st.lists(team_records(), min_size=1, max_size=3))
def test_any_records_come_back(form: Form, records: list[TeamRecord]) -> None:
    read = read_table(write_table(records, form), form=form)
    assert list(read.records) == records
    assert {problem.reason for problem in read.problems if problem.severity != "undecided"} == set()


@ENOUGH
@given(st.lists(team_records(), max_size=3))
def test_the_old_text_comes_back_as_far_as_it_goes(records: list[TeamRecord]) -> None:
    read = read_table(write_table(records, Form.LEGACY), form=Form.LEGACY)
    assert list(read.records) == [as_legacy_keeps(record) for record in records]


@pytest.mark.parametrize("form", COLUMN_FORMS)
def test_the_form_shows_without_a_name(form: Form) -> None:
    read = read_table(write_table(RECORDS, form))
    assert (read.form, read.records) == (form, RECORDS)


def test_the_team_s_own_text_is_written_again_letter_by_letter() -> None:
    assert write_table(RECORDS, Form.LEGACY).decode() == LEGACY


def test_quote_marks_of_two_rows_do_not_find_each_other() -> None:
    records = (team_record(analysis='"半'), team_record(analysis='尾"'), team_record(summary='"半', analysis="尾"))
    assert read_table(write_table(records, Form.LEGACY), form=Form.LEGACY).records == records


def test_what_the_old_text_has_no_place_for_is_named() -> None:
    records = [team_record(upstream_pr=7), team_record(batch="b1", cann_note="x", needs_cann="是")]
    assert lost_in(records, Form.LEGACY) == ("upstream_pr", "batch")
    assert lost_in(records, Form.CSV) == ()


@given(TEXT)
def test_canonical_text_stays(text: str) -> None:
    once = canonical(text)
    assert canonical(once) == once
    assert "\r" not in once
    once.encode()


def test_json_lines_have_the_fields_of_the_record() -> None:
    (line,) = write_table([team_record(date="2026-07-05", upstream_pr=7)], Form.JSONL).decode().splitlines()
    assert set(json.loads(line)) == set(TeamRecord.model_fields)
    assert json.loads(line)["date"] == "2026-07-05"


@ENOUGH
@given(team_records())
def test_a_pasted_row_of_an_analysis_reads_back(record: TeamRecord) -> None:
    printed = Record(
        upstream_pr=7,
        title="t",
        date="2026-07-05T10:00:00Z",
        labels=record.labels,
        summary=record.summary or "",
        analysis=record.analysis,
    )
    assert str(from_record(printed).date) == "2026-07-05"
    bare = TeamRecord(labels=record.labels, summary=record.summary, analysis=record.analysis)
    assert read_table(row_new(printed).encode(), form=Form.TSV).records == (bare,)
    old = bare.model_copy(update={"labels": bare.labels.model_copy(update={"needs_cann": None})})
    assert read_table(row_old(printed).encode(), form=Form.TSV).records == (old,)
