"""When scopes go by akin names, and how alike code must be for what its names say."""

from __future__ import annotations

import pytest

from retrieval.copies.names import AKIN_BAR, NEVER, bar, gave_its_name, kin_key

AKIN = [
    ("get_names", "get_names"),
    ("get_names", "patch_all.get_names"),
    ("get_names", "_npu_get_names"),
    ("Buffer.get_names", "get_names"),
    ("View.create", "_patch_view_create"),
    ("View.create", "NPUView.create"),
    ("CudaView.create", "NpuView.create"),
    ("View.__init__", "NPUView.__init__"),
    ("make_view.inner", "make_view.inner"),
]
STRANGE = [
    ("get_names", "get_sizes"),
    ("View.create", "Table.create"),
    ("View.__init__", "Table.__init__"),
    ("load", "load"),
    ("View.create", "create"),
    ("get", "forget"),
]


@pytest.mark.parametrize(("upstream", "downstream"), AKIN)
def test_akin(upstream: str, downstream: str) -> None:
    assert gave_its_name(upstream, downstream)
    assert bar(upstream, downstream, 30, 9) == AKIN_BAR


@pytest.mark.parametrize(("upstream", "downstream"), STRANGE)
def test_strange(upstream: str, downstream: str) -> None:
    assert not gave_its_name(upstream, downstream)
    assert bar(upstream, downstream, 30, 9) > AKIN_BAR


def test_the_bar_between_strange_names_falls_with_length() -> None:
    bars = [bar("get_names", "list_all", tokens, 9) for tokens in (24, 50, 75, 100, 5000)]
    assert bars == sorted(bars, reverse=True)
    assert bars[-1] == bars[-2] > AKIN_BAR


def test_a_name_of_one_word_is_half_a_reason() -> None:
    assert AKIN_BAR < bar("load", "Table.load", 50, 9) < bar("load", "read", 50, 9)


def test_special_methods_of_strange_classes_are_no_copies() -> None:
    assert bar("View.__init__", "Table.__init__", 5000, 99) == NEVER


def test_words_for_the_device_are_free() -> None:
    assert kin_key("a.CUDAGraphNode.run_first") == kin_key("NPUGraphNode.run_first")
    assert kin_key("CUDAGraphNode.run") != kin_key("CUDAGraphNode.stop")


def test_code_that_tells_nothing_is_a_copy_under_an_akin_name_alone() -> None:
    assert bar("get_names", "list_all", 5000, 2) == NEVER
    assert AKIN_BAR < bar("get_names", "npu_get_names", 5000, 2) < 1.0


def test_short_code_needs_an_akin_name_or_an_equal_scope() -> None:
    assert bar("get_names", "list_all", 20, 9) == NEVER
    assert bar("load", "Table.load", 20, 9) == NEVER
    assert AKIN_BAR < bar("get_names", "npu_get_names", 20, 9) < bar("load", "load", 20, 9) < 1.0
