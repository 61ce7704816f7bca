"""One list of scores: keys, Chinese names and the definitions in the docs are the same; every key can be computed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evals.scores import cost, words
from evals.scores.columns import PARTS
from evals.scores.intervals import draw_weights
from evals.scores.keys import DEFINITIONS, KEYS, LABEL_KEYS, Better, Kind, Topic, better, definition
from evals.scores.prepared import Prepared
from evals.scores.sheet import UNCLEAR
from reviewbot.models import AnalysisState
from tests.support.judged import IDLE, WORK, answer, judged

DOCS = Path(__file__).parents[2] / "docs" / "scores.md"
ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| ([↑↓]) \| (.+) \|$", re.MULTILINE)


def test_docs_define_every_key_once_in_order_of_topics() -> None:
    rows = ROW.findall(DOCS.read_text(encoding="utf-8"))
    assert [key for key, *_ in rows] == list(KEYS)
    assert {key: name for key, name, *_ in rows} == dict(words.NAMES)
    assert {key: way for key, _, way, _ in rows} == {one.key: words.BETTER[one.better] for one in DEFINITIONS}
    assert all(said.strip() for *_, said in rows)
    assert {key for key, *_, said in rows if "弱：" in said or said.endswith("弱")} == {
        one.key for one in DEFINITIONS if one.weak
    }


def test_every_enumeration_has_its_words() -> None:
    assert set(words.TOPICS) == {str(topic) for topic in Topic}
    assert set(words.BETTER) == {str(way) for way in Better}
    assert set(words.STATES) == {str(state) for state in AnalysisState} | {UNCLEAR}


def test_the_topics_of_baselines_need_no_text() -> None:
    assert set(LABEL_KEYS) == {one.key for one in DEFINITIONS if one.topic in {Topic.LABELS, Topic.WORK}}


def test_kinds_are_as_the_figures_are_computed() -> None:
    by_kind = {kind: {one.key for one in DEFINITIONS if one.kind is kind} for kind in Kind}
    assert by_kind[Kind.RATE] | by_kind[Kind.RATIO] | by_kind[Kind.MEAN] == set(PARTS)
    assert by_kind[Kind.COST] == {f"{amount}_{figure}" for amount in cost.AMOUNTS for figure in cost.FIGURES}
    assert len(KEYS) == len(DEFINITIONS), "a key is given twice"


@pytest.mark.parametrize("key", KEYS)
def test_every_key_can_be_computed_for_one_and_for_many_draws(key: str) -> None:
    some = [judged("r001", WORK, answer(0.9, **WORK), batch="a"), judged("r002", IDLE, answer(0.1), batch="b")]
    prepared = Prepared(some)
    assert prepared.values(key, draw_weights(prepared.clusters, 7)).shape == (7,)
    assert Prepared([]).value(key) is None


def test_better_is_data() -> None:
    assert better("miss_rate") is Better.LOWER
    assert better("risk_kappa") is Better.HIGHER
    with pytest.raises(KeyError):
        definition("verdict_elegance")
