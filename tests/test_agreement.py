"""One list of each enumeration: rule table, its text for a model, JSON Schema and database speak of the same values."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import pytest
import yaml

from retrieval import models as retrieval_models
from reviewbot import models as reviewbot_models
from reviewbot.models import CompileStage, Labels, NeedsAdaptation, Risk, RuleGroup, Track, Verdict, YesNo
from reviewbot.render.export import json_schema
from reviewbot.store.tables import Base

PROMPTS = Path(__file__).parents[1] / "prompts"
TABLE = yaml.safe_load((PROMPTS / "rubric.yaml").read_text(encoding="utf-8"))
LABEL_ENUMERATIONS: dict[str, type[StrEnum]] = {
    "verdict": Verdict,
    "risk": Risk,
    "needs_adaptation": NeedsAdaptation,
    "needs_cann": YesNo,
    "npu_affected": YesNo,
    "compile_stage": CompileStage,
}
ENUMERATIONS = {
    name: kind
    for module in (retrieval_models, reviewbot_models)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, StrEnum) and kind is not StrEnum
}


def effects(key: str) -> set[str]:
    return {str(rule["effect"][key]) for rule in TABLE["rules"] if key in rule["effect"] and rule["effect"][key]}


def test_the_labels_are_those_of_the_model() -> None:
    assert set(LABEL_ENUMERATIONS) == set(Labels.model_fields) == set(TABLE["labels"])


@pytest.mark.parametrize("label", LABEL_ENUMERATIONS)
def test_the_rule_table_gives_only_values_of_the_enumeration(label: str) -> None:
    assert effects(label) <= {str(value) for value in LABEL_ENUMERATIONS[label]}


@pytest.mark.parametrize("label", ["verdict", "risk", "needs_adaptation", "npu_affected"])
def test_the_rule_table_can_give_every_value(label: str) -> None:
    assert effects(label) >= {str(value) for value in LABEL_ENUMERATIONS[label]}


def test_every_group_of_rules_is_used_and_no_other() -> None:
    assert {rule["group"] for rule in TABLE["rules"]} == {str(group) for group in RuleGroup}
    assert len(TABLE["rules"]) >= 20


@pytest.mark.parametrize("kind", [*dict.fromkeys(LABEL_ENUMERATIONS.values()), Track], ids=lambda kind: kind.__name__)
def test_the_text_for_a_model_names_every_value(kind: type[StrEnum]) -> None:
    text = (PROMPTS / "rubric.md").read_text(encoding="utf-8")
    assert not [value for value in kind if value not in text]


def test_the_json_schema_lists_the_same_values() -> None:
    definitions = json_schema()["$defs"]
    listed = {name: set(definitions[name]["enum"]) for name in ENUMERATIONS if name in definitions}
    assert listed == {name: {str(value) for value in ENUMERATIONS[name]} for name in listed}
    assert {"Verdict", "Risk", "EvidenceKind", "Relation", "AnalysisState", "ChangeKind"} <= set(listed)


def test_the_database_lists_the_same_values() -> None:
    """A column that holds an enumeration allows its values and no others."""
    seen = 0
    for table in Base.metadata.tables.values():
        for column in table.columns:
            kind = getattr(column.type, "enum_class", None)
            if kind is not None:
                assert set(getattr(column.type, "enums", ())) == {str(value) for value in kind}, (
                    f"{table.name}.{column.name}"
                )
                seen += kind in ENUMERATIONS.values()
    assert seen >= 8
