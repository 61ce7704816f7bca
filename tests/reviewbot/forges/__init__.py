"""Tests of the forges. `contract` holds what every adapter is put through, `worlds` what it is put through in."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.reviewbot.forges.contract")
