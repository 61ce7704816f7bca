"""What is read in a sentence: ids, paths, lines, symbols, quantities."""

from __future__ import annotations

import pytest

from reviewbot.verification.quantities import chinese_number, find_percentages, find_quantities, find_sizes
from reviewbot.verification.reading import has_word, looks_like_symbol, read_sentence

NUMERALS = {"零": 0, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "十": 10}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("见 [E1][E2]", ("E1", "E2")),
        ("见 [E1, Z3]、[E1]", ("E1", "Z3")),
        ("见 【E1、E2】", ("E1", "E2")),
        ("aten[E] 与 [E2E] 与 E4", ()),
    ],
)
def test_ids(text: str, ids: tuple[str, ...]) -> None:
    assert read_sentence(text).cited == ids


def test_an_id_without_brackets_is_seen() -> None:
    sentence = read_sentence("见 E4 与 E2E")
    assert sentence.bare_ids == ("E4",)


@pytest.mark.parametrize(
    ("text", "path", "lines", "test"),
    [
        ("改动 torch/_mill/gears.py。", "torch/_mill/gears.py", (), None),
        ("在mill_npu/gears.py:12处", "mill_npu/gears.py", (12,), None),
        ("mill_npu/gears.py:12,40-42", "mill_npu/gears.py", (12, 40, 41, 42), None),
        ("gears.py:9", "gears.py", (9,), None),
        ("test/mill/test_gears.py::TestGears::test_spin", "test/mill/test_gears.py", (), "TestGears.test_spin"),
        ("目录 torch/_mill/ 下", "torch/_mill/", (), None),
        ("`torch/_mill/gears.h`", "torch/_mill/gears.h", (), None),
    ],
)
def test_paths(text: str, path: str, lines: tuple[int, ...], test: str | None) -> None:
    (mention,) = read_sentence(text).paths
    assert (mention.path, mention.lines, mention.test) == (path, lines, test)


@pytest.mark.parametrize("text", ["size/stride 与 int32/int64", "+3/-1", "list/tuple", "A/B 轨", "1/2"])
def test_slashes_that_are_no_paths(text: str) -> None:
    assert read_sentence(text).paths == ()


@pytest.mark.parametrize(
    "word", ["_spin", "spin_npu", "Gear.turn", "NPUGear", "FakeGear", "aten::spin", ".throw", "__init__", "AOTGear"]
)
def test_symbols_by_shape(word: str) -> None:
    assert looks_like_symbol(word)


@pytest.mark.parametrize("word", ["lowering", "NPU", "NPUs", "PRs", "e.g", "Inductor", "int64", "CUDA", "2D", "x"])
def test_plain_words_by_shape(word: str) -> None:
    assert not looks_like_symbol(word)


def test_quoted_words_and_calls_are_symbols() -> None:
    names = [(name.name, name.quoted) for name in read_sentence("`spin` 与 turn(x) 与 halt").names]
    assert names == [("spin", True), ("turn", False)]


def test_vocabulary_makes_a_plain_word_a_symbol() -> None:
    assert [name.name for name in read_sentence("改写 spin 的实现", {"spin"}).names] == ["spin"]


def test_code_is_masked_and_prose_is_not() -> None:
    masked = read_sentence("未引用 register_lowering（torch/_mill/a.py）").masked
    assert len(masked) == len("未引用 register_lowering（torch/_mill/a.py）")
    assert "register" not in masked
    assert "未引用" in masked


def test_a_quoted_title_claims_nothing() -> None:
    title = "Do not patch Gear.turn"
    assert read_sentence(f"上游提交《{title}》", verbatim=title).names == ()
    assert read_sentence("上游提交《Do not…》", verbatim=title).names == ()
    assert read_sentence(f"上游提交《{title}》", verbatim="Another").names != ()


def test_bare_lines() -> None:
    assert read_sentence("在 :948 与 L12-13 与 line 7").bare_lines == (948, 12, 13, 7)


def test_words_stand_next_to_chinese() -> None:
    assert has_word("创建Gear选项", "Gear")
    assert not has_word("创建Gears选项", "Gear")


@pytest.mark.parametrize(
    ("written", "number"),
    [("12", 12), ("两", 2), ("十", 10), ("十二", 12), ("二十", 20), ("二十三", 23), ("二三", None), ("十十", None)],
)
def test_chinese_numbers(written: str, number: int | None) -> None:
    assert chinese_number(written, NUMERALS) == number


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("共 12 处", [("places", 12)]),
        ("两处引用", [("places", 2)]),
        ("第二处", []),
        ("任一处", []),
        ("3 个文件", [("files", 3)]),
        ("新增 2 个用例", [("tests", 2)]),
        ("共 103 行", [("lines", 103)]),
        ("第 12 行", []),
        ("v2.3 处", []),
    ],
)
def test_quantities(text: str, found: list[tuple[str, int]]) -> None:
    assert [(one.counted, one.number) for one in find_quantities(read_sentence(text))] == found


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("（+3/-1）", [(3, 1)]),
        ("+51 -9", [(51, 9)]),
        ("（+13 行）", [(13, None)]),
        ("新增 13 行、删除 4 行", [(13, None), (None, 4)]),
        ("（-4）", [(None, 4)]),
        ("int -1 与 a+1", []),
    ],
)
def test_sizes(text: str, sizes: list[tuple[int | None, int | None]]) -> None:
    assert [(size.added, size.removed) for size in find_sizes(read_sentence(text))] == sizes


def test_percentages() -> None:
    assert list(find_percentages(read_sentence("相似度 95% 或 87.5 %"))) == ["95%", "87.5 %"]
