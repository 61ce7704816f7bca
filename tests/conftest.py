"""Fixtures that every test may use: the real trees, where they are at hand."""

from __future__ import annotations

import os

import pytest

from evals.real_data import RealData, default_root
from evals.records import LabelledRecord, load_records


@pytest.fixture(scope="session")
def labelled_records() -> tuple[LabelledRecord, ...]:
    """All development records; tests that need a diff take those that are ``usable``."""
    return load_records()


@pytest.fixture(scope="session")
def real_data(labelled_records: tuple[LabelledRecord, ...]) -> RealData:
    """The real trees and diffs as ``make real-data`` laid them. Only tests marked ``full`` may ask for them.

    Without them a test skips and says why, unless ``REQUIRE_REAL_DATA`` is set (``.ci/run``): then it fails.
    """
    data = RealData(default_root())
    if not data.is_complete(labelled_records):
        reason = f"no real trees in {data.root}: run `make real-data` (it needs the package index)"
        if os.environ.get("REQUIRE_REAL_DATA"):
            pytest.fail(reason)
        pytest.skip(reason)
    return data
