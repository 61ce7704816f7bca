"""Whole words as git sees them, next to Chinese included."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.word_search import indexed_words, is_text, line_counts, lines_with
from tests.support.git_repo import git_environment


@pytest.mark.parametrize(
    ("text", "pattern", "lines"),
    [
        ("spin\n", "spin", (1,)),
        ("创建spin选项\n", "spin", (1,)),
        ("创建spin_up选项\n", "spin", ()),
        ("spin2 2spin _spin spin_\n", "spin", ()),
        ("a.spin(b)\n-spin-\n", "spin", (1, 2)),
        ("spin spin\n\nspin", "spin", (1, 3)),
        ("gears.spin\ngears_spin\ngearsXspin\n", "gears.spin", (1,)),
        ("Xgears.spin gears.spinX gears.spin\n", "gears.spin", (1,)),
        ("ＡspinＢ\n", "spin", (1,)),
        ("éspiné\n", "spin", (1,)),
        ("spin\r\n", "spin", (1,)),
        ("a\rspin\rb\n", "spin", (1,)),
        ("x = 12\nx = 123\n", "12", (1,)),
        ("版本 12\n", "版本 12", (1,)),
        ("版本", "版本", (1,)),
        ("", "spin", ()),
    ],
)
def test_whole_words(text: str, pattern: str, lines: tuple[int, ...]) -> None:
    assert lines_with(text.encode(), pattern) == lines


def test_a_file_with_a_nul_near_its_start_is_no_text() -> None:
    assert not is_text(b"spin\x00")
    assert line_counts(b"spin\x00") == {}
    assert lines_with(b"spin\x00", "spin") == ()
    assert is_text(b"x" * 8000 + b"\x00 spin")
    assert lines_with(b"x" * 8000 + b"\x00 spin", "spin") == (1,)


def test_a_word_counts_once_per_line() -> None:
    assert line_counts(b"a b a\nb\n\nc1 22 _") == {"a": 1, "b": 2, "c1": 1, "_": 1}


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("spin", ("spin",)),
        ("gears.spin", ("gears", "spin")),
        ("aten::spin", ("aten", "spin")),
        ("v 12", ("v",)),
        ("版", ()),
    ],
)
def test_words_of_a_pattern(pattern: str, words: tuple[str, ...]) -> None:
    assert indexed_words(pattern) == words


_ATOMS = ["spin", "gears", ".", "_", "2", "创建", "é", " ", "\n", "\r\n", "(", "-", "spin.gears", "\t", "SPIN"]
_TEXT = st.lists(st.sampled_from(_ATOMS), max_size=40).map("".join)
_PATTERN = st.sampled_from(["spin", "gears.spin", "spin.gears", "gears", "spin2", "2", "_spin", "SPIN", "spin_gears"])


@pytest.fixture(scope="module")
def work_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    subprocess.run(["git", "init", "-q", str(folder)], check=True, env=git_environment())
    return folder


def _git_counts(folder: Path, pattern: str) -> int:
    """Lines that `git grep -w` finds in the only file."""
    done = subprocess.run(
        ["git", "grep", "--no-index", "-c", "-w", "-F", "-e", pattern, "--", "file.txt"],
        cwd=folder,
        env=git_environment(),
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return int(done.stdout.rpartition(b":")[2] or 0)


@given(_TEXT, _PATTERN)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_result_equals_git_grep(work_tree: Path, text: str, pattern: str) -> None:
    data = text.encode()
    (work_tree / "file.txt").write_bytes(data)
    expected = _git_counts(work_tree, pattern)
    assert len(lines_with(data, pattern)) == expected
    if indexed_words(pattern) == (pattern,):
        assert line_counts(data)[pattern] == expected
