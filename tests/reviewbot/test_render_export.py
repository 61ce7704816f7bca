"""JSON and CSV: the published shape, its schema, and nothing that leaks or runs."""

from __future__ import annotations

import csv
import io
import json
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval import models as retrieval_models
from retrieval.models import EvidenceKind, Relation
from reviewbot import models
from reviewbot import words as common
from reviewbot.models import Analysis, AnalysisState, Decision, Labels, Track, Verdict
from reviewbot.render import words
from reviewbot.render.export import CSV_COLUMNS, AnalysisExport, as_csv, as_json, json_schema
from reviewbot.render.labels import LABEL_ORDER
from tests.reviewbot.analyses import example
from tests.reviewbot.any_value import anything
from tests.support import values

TOP = {"state", "change", "delta", "ledger", "prior", "labels", "summary", "analysis", "draft", "record"}
TOP |= {"versions", "timing"}


def test_the_shape_that_others_build_on() -> None:
    made = as_json(example())
    assert set(made) >= TOP
    assert set(made["ledger"]) >= {"items", "misses", "counts", "totals", "revision"}
    assert all({"kind", "path", "scope", "lines"} <= set(item) for item in made["ledger"]["items"])
    assert list(made["labels"]) == list(LABEL_ORDER)
    assert made["labels"] == {
        "verdict": "Test",
        "risk": "medium",
        "needs_adaptation": "否",
        "needs_cann": None,
        "npu_affected": "是",
        "compile_stage": None,
    }
    assert "mill_npu/gears.py:12" in made["analysis"]
    assert "[E1]" in made["draft"]["analysis"]
    assert made["timing"]["total"] == example().timing.total
    json.dumps(made)


def test_hunks_only_when_asked() -> None:
    assert as_json(example())["change"]["files"][0]["hunks"] is None
    assert as_json(example(), hunks=True)["change"]["files"][0]["hunks"][0]["lines"]


def test_a_partial_diff_has_no_size() -> None:
    whole, part = as_json(example())["change"], as_json(example(diff_complete=False))["change"]
    assert (whole["added"], whole["removed"]) == (3, 1)
    assert (part["added"], part["removed"]) == (None, None)


def test_it_reads_back_into_its_model() -> None:
    made = as_json(example(), hunks=True)
    assert AnalysisExport.model_validate(made).model_dump(mode="json") == made


def test_further_couplings_are_exported_and_described() -> None:
    place = values.merged(values.patch(), values.imported(lines=(2, 3)))
    (item,) = as_json(example().model_copy(update={"ledger": values.ledger(place)}))["ledger"]["items"]
    (other,) = item["further"]
    assert (other["kind"], other["lines"], other["symbol"]) == ("import", [2, 3], "torch._mill.gears.spin")
    assert (item["detail"]["original"], item["detail"]["aligned"]) == (None, [])
    defined = json_schema()["$defs"]
    assert {"FurtherCoupling", "AlignedBlock"} <= set(defined)
    assert set(other) == set(defined["FurtherCoupling"]["properties"])


def test_secrets_and_invisible_characters_stay_inside() -> None:
    made = json.dumps(as_json(example(body="token ghp_Zm9vYmFyYmF6cXV4AB\u202e", title="@user\u200b"), hunks=True))
    assert "Zm9vYmFy" not in made
    assert "\\u202e" not in made
    assert as_json(example(title="@user"))["record"]["title"] == "＠user"


def enumerations(module: Any) -> list[type[StrEnum]]:
    return [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, StrEnum)]


@pytest.mark.parametrize(
    "enumeration", enumerations(retrieval_models) + enumerations(models), ids=lambda one: one.__name__
)
def test_schema_and_enumerations_agree(enumeration: type[StrEnum]) -> None:
    defined = json_schema()["$defs"]
    if enumeration is StrEnum:
        return
    assert defined[enumeration.__name__]["enum"] == [one.value for one in enumeration]


def test_the_schema_names_what_is_there() -> None:
    schema = json_schema()
    assert set(schema["required"]) >= TOP - {"versions"}
    assert set(schema["properties"]) == set(as_json(example()))


def test_the_catalogue_has_a_word_for_every_value() -> None:
    assert set(common.EVIDENCE_KIND_WORDS) == set(EvidenceKind)
    assert set(words.RELATION_TO_CHANGE) == set(Relation)
    assert set(words.DETAIL_COPY) == set(retrieval_models.CopyState)
    assert set(words.VERDICT_WORDS) == set(Verdict)
    assert set(words.STATE_WORDS) == set(AnalysisState)
    assert set(words.DECISION_WORDS) == set(Decision)
    assert set(words.TRACK_WORDS) == set(Track)
    assert list(words.LABEL_WORDS) == list(LABEL_ORDER) == list(Labels.model_fields)


# --- CSV --------------------------------------------------------------------------------------------------------------


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_has_one_row_per_analysis() -> None:
    (row,) = read(as_csv([example()]))
    assert tuple(row) == CSV_COLUMNS
    assert (row["upstream_pr"], row["verdict"], row["rules"], row["cited"], row["removed"]) == (
        "4242",
        "Test",
        "V01",
        "E1",
        "1",
    )
    assert as_csv([example()], bom=True)[0] == "\ufeff"
    assert read(as_csv([])) == []


@pytest.mark.parametrize("title", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "＝1+1", "|x"])
def test_csv_runs_no_formula(title: str) -> None:
    (row,) = read(as_csv([example(title=title)]))
    assert row["title"][0] == "'"


def test_csv_cells_hold_line_ends_and_quotes() -> None:
    analysis = example()
    draft = analysis.draft.model_copy(update={"analysis": '甲"乙"，\n丙,丁'})
    (row,) = read(as_csv([analysis.model_copy(update={"draft": draft})]))
    assert row["analysis"] == '甲"乙"，\n丙,丁'


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_any_analysis_can_be_exported(data: st.DataObject) -> None:
    analysis: Analysis = data.draw(anything(Analysis))
    json.dumps(as_json(analysis, hunks=True)).encode()
    assert len(read(as_csv([analysis]))) == 1
