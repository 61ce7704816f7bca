"""The corpus of hostile diffs: each has one right reading, or one sentence with the line to blame."""

from __future__ import annotations

import pytest

from retrieval.change import parse_diff, parse_patch
from retrieval.errors import ChangeError
from tests.retrieval.hostile.cases import Reads, Refused, shape
from tests.retrieval.hostile.readable import READABLE
from tests.retrieval.hostile.refused import REFUSED


@pytest.mark.parametrize("case", READABLE, ids=lambda case: case.name)
def test_reads(case: Reads) -> None:
    change = parse_patch(case.data, "case.diff")
    assert tuple(shape(file) for file in change.files) == case.files
    assert change.diff_complete is not case.incomplete


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refuses_with_the_line(case: Refused) -> None:
    with pytest.raises(ChangeError) as caught:
        parse_diff(case.data, "case.diff")
    assert caught.value.line == case.line
    assert str(caught.value).startswith(f"case.diff:{case.line}：")
    assert case.words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_corpus_is_large_and_its_names_are_its_own() -> None:
    names = [case.name for case in (*READABLE, *REFUSED)]
    assert len(names) == len(set(names)) >= 40
