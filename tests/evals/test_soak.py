"""A short soak: the service is killed and the forges fail, and every pull request ends with one right comment."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from evals import soak


@pytest.mark.full
def test_nothing_is_lost_and_nothing_posted_twice() -> None:
    arguments = ["--deliveries", "150", "--pulls", "6", "--kill-every", "3", "--seed", "5"]
    done = CliRunner().invoke(soak.app, arguments, standalone_mode=False)
    assert done.return_value == 0, done.output
