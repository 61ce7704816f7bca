"""Hostile drafts about invented code: what is claimed, what is made false, what the verifier leaves of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

import pytest

import evals.hostile
from evals.hostile import words
from evals.hostile.claims import Form, true_claims
from evals.hostile.driving import drive
from evals.hostile.lies import UNCOVERED, Falsehood
from evals.hostile.mutations import MUTATIONS
from evals.hostile.phrasing import fields_of, say
from evals.hostile.report import as_document, holds
from evals.hostile.trial import Leak, Tally, try_record
from evals.real_data import RealData
from evals.records import LabelledRecord, usable_records
from reviewbot.settings_sources import load_settings
from tests.evals.hostile_scene import bench, facts, liar

_FORBIDDEN = ("reviewbot.verification", "reviewbot.drafting")


def tried(root: Path, seed: int = 1, samples: int = 4) -> Tally:
    tally, given = Tally(), liar(root, seed)
    try_record(tally, bench(root), given.scene, given.facts, given.rng, samples)
    return tally


def test_claims_are_those_of_the_ledger(tmp_path: Path) -> None:
    said = {(claim.form, claim.cites) for claim in true_claims(liar(tmp_path).scene)}
    assert {
        (Form.SUBCLASS, ("E1",)),
        (Form.REFERENCE, ("E2",)),
        (Form.PATCH, ("E3",)),
        (Form.FORK, ("E4",)),
        (Form.STALE, ("E4",)),
        (Form.LISTED, ("E5",)),
        (Form.NEIGHBOUR, ("E6",)),
        (Form.MISS, ("Z1",)),
    } <= said
    assert (Form.REGISTRATION, ("E5",)) not in said


def test_what_invents_knows_nothing_of_what_verifies() -> None:
    folder = Path(evals.hostile.__file__).parent
    inventing = [path for path in folder.rglob("*.py") if path.stem not in ("trial", "driving")]
    for path in inventing:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not [one for one in imported if one.startswith(_FORBIDDEN)], path


def test_every_class_is_made_and_named() -> None:
    assert set(MUTATIONS) == set(Falsehood)
    assert set(words.NAMES) == {one.value for one in Falsehood}
    assert set(words.PHRASES) == {one.value for one in Form}


@pytest.mark.parametrize("seed", range(3))
def test_true_sentences_stay_and_covered_lies_go(tmp_path: Path, seed: int) -> None:
    tally = tried(tmp_path, seed)
    assert tally.true > 10
    assert tally.lost == []
    made = {one for one, count in tally.classes.items() if count.tried}
    assert {Falsehood.WRONG_PATH, Falsehood.WRONG_RELATION, Falsehood.LISTED_AS_REGISTERED, Falsehood.NEGATION} <= made
    assert {Falsehood.WRONG_COPY_STATE, Falsehood.FALSE_CLOSENESS, Falsehood.UPSTREAM_ACT} <= made
    assert [leak for one, count in tally.classes.items() if one not in UNCOVERED for leak in count.printed] == []


def test_the_trial_sees_lies_that_no_code_can_tell(tmp_path: Path) -> None:
    assert tried(tmp_path).classes[Falsehood.CONDITION].printed


def test_the_same_seed_asks_the_same(tmp_path: Path) -> None:
    first, second = (as_document(tried(tmp_path, 7), seed=7, samples=4) for _ in range(2))
    assert first == second


def test_a_mutation_that_may_be_true_is_left_out(tmp_path: Path) -> None:
    known = facts(tmp_path)
    assert known.holds("mill_npu/wheel.py", "torch._mill.gears.Gear")
    assert not known.holds("mill_npu/other.py", "torch._mill.gears.Gear")
    given = liar(tmp_path)
    subclass = next(place for place in given.scene.places if place.id == "E1")
    assert known.may_show("import", subclass)
    assert known.may_show("patch", subclass) is False


def test_a_wording_is_chosen_among_those_that_can_be_filled(tmp_path: Path) -> None:
    claim = next(one for one in true_claims(liar(tmp_path).scene) if one.form is Form.PATCH)
    named = {say(claim, Random(seed), naming="line") for seed in range(20)}
    assert named == {"mill_npu/patches.py:4 对 torch._mill.gears.halt_all 做了 monkey patch [E3]"}
    assert say(claim, Random(0), naming="name") is None
    assert fields_of("{path} 第 {line} 行") == {"path", "line"}


def test_one_lie_printed_or_too_much_truth_lost_fails() -> None:
    tally = Tally(true=100, kept=95)
    assert holds(tally)
    tally.classes[Falsehood.EFFECT].printed.append(Leak("r001", ""))
    assert holds(tally)
    tally.classes[Falsehood.NEGATION].printed.append(Leak("r001", ""))
    assert not holds(tally)
    assert not holds(Tally(true=100, kept=94))
    assert not holds(Tally())


def test_the_page_names_every_class() -> None:
    page = (Path(evals.hostile.__file__).parents[2] / "docs/verification.md").read_text(encoding="utf-8")
    covered, _, uncovered = page.partition("## 挡不住的")
    for one in Falsehood:
        part = uncovered if one in UNCOVERED else covered
        assert re.search(rf"(?m)^\| {words.NAMES[one]} \|", part), one


@pytest.mark.full
def test_real_ledgers(real_data: RealData, labelled_records: tuple[LabelledRecord, ...]) -> None:
    cache = load_settings().settings.cache.dir
    tally = drive(real_data, usable_records(labelled_records), cache, seed=0, samples=1)
    assert tally.records == 62
    assert [leak for one, count in tally.classes.items() if one not in UNCOVERED for leak in count.printed] == []
    assert (tally.kept_share or 0) >= 0.95
