"""Tuning on couplings made by hand: it helps where it can, and never looks at the batch it is judged by."""

from __future__ import annotations

from dataclasses import fields

import pytest

from evals.measuring import SHORT
from evals.ranking import Found, Scoring, matters, numbers, order, scoring_from, shipped_scoring, shipped_table
from evals.recall import Ratio, recall_at
from evals.tune.examples import Example, Trials, goodness, outcome_of
from evals.tune.fitting import Tuned, Tuner
from evals.tune.folds import batches
from retrieval.coupling.coupling import Coupling
from retrieval.models import EvidenceKind, Relation
from tests.support.coupled import coupling, place

CALL, IMPORT, HOOK = EvidenceKind.REFERENCE, EvidenceKind.IMPORT, EvidenceKind.HOOK
TABLE = shipped_table()
RELATIONS = {CALL: Relation.SAME_SYMBOL, IMPORT: Relation.SAME_SYMBOL, HOOK: Relation.SAME_MODULE}


def weight_of(kind: EvidenceKind) -> str:
    """The name in the table of the weight that couplings of this kind have here."""
    (name,) = [name for name in numbers(TABLE) if name.endswith(f"{kind}.{RELATIONS[kind]}")]
    return name


#: Where the tests start from, whatever is shipped.
START = {**numbers(TABLE), weight_of(CALL): 1.0, weight_of(IMPORT): 0.9, weight_of(HOOK): 0.3}


def example(ident: str, batch: str, cited: EvidenceKind, crowd: EvidenceKind = CALL) -> Example:
    """A crowd of one kind that fills the ledger, and a cited place of another kind, alphabetically last; of kinds that
    no seat is kept for.
    """
    couplings: list[Coupling] = [coupling(f"f{at}", crowd, RELATIONS[crowd], word=f"w{at}") for at in range(SHORT + 5)]
    couplings.append(coupling("z", cited, RELATIONS[cited], path="mill_npu/z.py"))
    return Example(ident, batch, frozenset({place("z", "mill_npu/z.py")}), Found(tuple(couplings)))


def cited_imports(*batch_names: str) -> list[Example]:
    return [example(f"r{at:03}", batch, IMPORT) for at, batch in enumerate(batch_names)]


def tune(examples: list[Example]) -> Tuned:
    return Tuner(START, examples).tune()


def test_tuning_finds_what_people_cite_in_batches_it_has_not_seen() -> None:
    tuned = tune(cited_imports("b1", "b1", "b2", "b3"))
    assert recall_at(SHORT, tuned.by_hand).scope == Ratio(0, 4)
    assert recall_at(SHORT, tuned.held_out).scope == Ratio(4, 4)
    assert tuned.fitted[weight_of(IMPORT)] > tuned.fitted[weight_of(CALL)]


def test_what_moved_is_counted_by_fold() -> None:
    tuned = tune(cited_imports("b1", "b2", "b3"))
    moved = [one for one in tuned.movements if one.grew or one.shrank]
    assert {max(one.grew, one.shrank) for one in moved} == {3}
    (untouched,) = [one for one in tuned.movements if one.name == weight_of(HOOK)]
    assert (untouched.by_hand, untouched.fitted, untouched.grew, untouched.shrank) == (0.3, 0.3, 0, 0)


def test_two_runs_agree() -> None:
    examples = [*cited_imports("b1", "b2"), example("r009", "b3", HOOK, crowd=IMPORT)]
    assert tune(examples) == tune(examples)


@pytest.mark.parametrize("poison", [example("r666", "b9", CALL, crowd=IMPORT), example("r666", "b9", IMPORT)])
def test_the_batch_left_out_has_no_say(poison: Example) -> None:
    """Whatever the held-out batch cites, the weights it is judged by are those of the others alone."""
    others = cited_imports("b1", "b2", "b3")
    (fold,) = [fold for fold in tune([*others, poison]).folds if fold.batch == "b9"]
    assert fold.held_out == (poison,)
    assert fold.values == Tuner(START, others).fit(others)


def test_labels_that_contradict_the_rest_are_not_learnt_by_heart() -> None:
    """Whoever saw the poisoned batch would find its place; weights of the others alone do not."""
    poison = [example(f"r66{at}", "b9", CALL, crowd=IMPORT) for at in range(2)]
    tuned = tune([*cited_imports("b1", "b2", "b3"), *poison])
    for row in tuned.held_out:
        if row.id.startswith("r66"):
            assert row.missed(SHORT) == sorted(row.expected)
    assert recall_at(SHORT, tuned.by_hand).scope == Ratio(2, 5)


def test_every_record_is_judged_once_by_a_fold_of_its_own_batch() -> None:
    examples = cited_imports("b1", "b2", "b1", "b3")
    tuned = tune(examples)
    assert [row.id for row in tuned.held_out] == [one.id for one in examples]
    assert {fold.batch: [one.id for one in fold.held_out] for fold in tuned.folds} == {
        "b1": ["r000", "r002"],
        "b2": ["r001"],
        "b3": ["r003"],
    }


def test_progress_never_goes_back_or_past_the_end() -> None:
    steps: list[tuple[int, int]] = []
    Tuner(START, cited_imports("b1", "b2")).tune(lambda done, total: steps.append((done, total)))
    assert steps == sorted(steps)
    assert len({total for _, total in steps}) == 1
    assert all(0 < done <= total for done, total in steps)


def test_a_record_without_a_batch_is_left_out_alone() -> None:
    assert list(map(len, batches(cited_imports("", "", "b1", "b1")).values())) == [1, 1, 2]


def test_trials_rank_exactly_as_the_product_does() -> None:
    """Kept answers included: whichever number moves, each outcome is that of a fresh ranking."""
    examples = [example("r001", "b1", IMPORT), example("r002", "b2", HOOK, crowd=IMPORT)]
    trials = Trials(examples, START)
    for name in START:
        for factor in (0.8, 1.25, 1.0):
            values = {**START, name: type(START[name])(START[name] * factor)}
            for one in examples:
                fresh = outcome_of(one, order(one.found, scoring_from(values)))
                assert trials.outcome(one, values) == fresh


def test_the_numbers_of_the_table_are_all_the_scoring_has() -> None:
    assert scoring_from(numbers(TABLE)) == shipped_scoring()
    assert len(numbers(TABLE)) == len(shipped_scoring().pairs) + len(fields(Scoring)) - 1


def test_a_trial_ranks_only_the_records_it_concerns() -> None:
    examples = [example("r001", "b1", IMPORT), example("r002", "b2", HOOK)]
    trials = Trials(examples, START)
    for values in (START, START, {**START, weight_of(HOOK): 0.6}):
        for one in examples:
            trials.outcome(one, values)
    assert trials.ranked == 3  # the second record twice


def test_a_weight_matters_where_its_kind_and_relation_occur_and_any_other_number_does_everywhere() -> None:
    found = Found((coupling("f", CALL),))
    assert matters("reference.same_symbol", found)
    assert not matters("reference.member", found)
    assert not matters("import.same_symbol", found)
    assert matters("model.further", found)


def test_goodness_rises_on_the_way_up_and_leaps_into_the_ledger() -> None:
    one = example("r001", "b1", IMPORT)
    ranks = [60, 30, SHORT + 1, SHORT, 3, 1]
    worth = [
        goodness([one], [outcome_of(one, [*map(place, map(str, range(rank - 1))), *one.expected])]) for rank in ranks
    ]
    assert worth == sorted(worth)
    assert worth[3] - worth[2] > 0.4
    assert worth[-1] == 1.0
