"""The benchmark on a tiny tree: it measures every row it promises, and what it measures is what it says. No times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.bench import __main__ as command
from evals.bench import synthetic, words
from evals.bench.clock import clocked
from evals.bench.figures import Target, percentile
from evals.bench.memory import can_sample, sampled
from evals.bench.repository import FIRST, SECOND, grep, make_repository
from evals.bench.subject import ask, spread, synthetic_subject
from evals.errors import BenchError
from retrieval.change import parse_patch
from retrieval.index import open_index
from retrieval.models import EvidenceKind
from retrieval.source_tree import open_tree
from tests.support.memory_tree import MemoryTree

STEPS = {"lookup", "upstream", "fork", "affinity", "ranking"}
ROWS = {
    "cold": {"cold_index", "cold_index_processor", "cache_size"},
    "phases": {"list", "read", "parse", "words", "facts", "rows", "store"},
    "upstream": {"upstream_facts"},
    "forks": {"upstream_definitions", "downstream_definitions", "fork_alignment"},
    "incremental": {"one_file", "unchanged"},
    "query": {"query", "query_p95", "delta", "delta_p95", *(f"mean_{step}" for step in STEPS)},
    "lookup": {"names", "git_grep", "names_found", "whole_query", *STEPS}
    | {"names_times_faster", "times_faster", "query_times_faster"},
}


@pytest.mark.parametrize("symbols", [1, 3, 8])
def test_a_synthetic_change_changes_as_many_definitions_as_it_says(tmp_path: Path, symbols: int) -> None:
    base = synthetic.write(tmp_path, synthetic.upstream(4))
    with open_tree(base) as tree:
        asked = ask(parse_patch(synthetic.patch(symbols, 4), "some.diff"), tree)
    assert len(asked.delta.definitions) == symbols
    assert len(asked.names) == symbols


def test_a_synthetic_change_has_no_more_symbols_than_there_are() -> None:
    assert synthetic.patch(999, 2) == synthetic.patch(2 * synthetic.FUNCTIONS, 2)


def test_every_synthetic_file_is_coupled_in_the_ordinary_ways(tmp_path: Path) -> None:
    files = synthetic.downstream(5)
    assert len(files) == len(synthetic.upstream(5)) == 5
    with open_tree(synthetic.write(tmp_path / "tree", files)) as tree:
        index = open_index(tree, tmp_path / "cache")
        counts = index.fact_counts()
        index.close()
    for kind in (EvidenceKind.SUBCLASS, EvidenceKind.REGISTRATION, EvidenceKind.PATCH):
        assert counts[kind] >= 5
    assert counts[EvidenceKind.IMPORT] >= 15


def test_the_two_revisions_differ_in_one_file(tmp_path: Path) -> None:
    tree = MemoryTree({"a.py": b"x = 1\n", "b.py": b"yy = 22\n" * 9, 'odd "name".txt': b"\x00\n", "c.md": b""})
    repository = make_repository(tree, tmp_path / "bare.git")
    with open_tree(repository, FIRST) as first, open_tree(repository, SECOND) as second:
        assert first.files() == tree.files()
        assert first.read('odd "name".txt') == b"\x00\n"
        assert {file.path for file in set(second.files()) - set(first.files())} == {"b.py"}
        assert second.read("b.py").startswith(tree.read("b.py"))


def test_grep_finds_whole_words_of_the_first_revision(tmp_path: Path) -> None:
    tree = MemoryTree({"a.py": b"spin = 1\nspinner = 2\n", "b.py": b"x = spin\n"})
    repository = make_repository(tree, tmp_path / "bare.git")
    assert grep(repository, "spin").count(b"\n") == 2
    assert grep(repository, "absent") == b""
    assert grep(repository, "ADDED_BY_BENCH") == b""


def test_a_tree_without_code_cannot_be_edited(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=words.NO_PYTHON):
        make_repository(MemoryTree({"a.txt": b"x\n"}), tmp_path / "bare.git")


def test_a_target_is_a_floor_or_a_ceiling() -> None:
    assert Target(20, least=True).is_met(20)
    assert not Target(20, least=True).is_met(19.9)
    assert Target(5).is_met(5)
    assert not Target(5).is_met(5.1)
    assert Target(20, least=True).ratio(40) == Target(5).ratio(2.5) == 2


def test_percentiles_are_samples() -> None:
    assert percentile([3, 1, 2], 0.95) == 3
    assert percentile(range(1, 101), 0.95) == 95
    assert percentile([7], 0.95) == 7


def test_the_clock_counts_children_that_ended() -> None:
    burn = [sys.executable, "-c", "sum(range(3_000_000))"]
    _, taken = clocked(lambda: subprocess.run(burn, check=True))
    assert taken.processor > 0
    assert taken.milliseconds == 1000 * taken.wall


@pytest.mark.skipif(not can_sample(), reason="no /proc here")
def test_memory_of_children_is_seen() -> None:
    held = [sys.executable, "-c", "held = bytearray(60_000_000); print(len(held), flush=True); input()"]
    with sampled(os.getpid()) as peak:
        child = subprocess.Popen(held, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        peak.take(os.getpid())
        child.communicate(b"\n")
    assert peak.together > peak.alone + 60_000_000
    assert peak.alone > 1_000_000


def test_the_sample_is_spread_over_all_changes_that_name_something(tmp_path: Path) -> None:
    subject = synthetic_subject(tmp_path, 4)
    with open_tree(subject.base) as base:
        asked = [ask(change, base) for change in subject.changes]
    assert len(list(spread(asked, 2))) == 2
    assert list(spread(asked, 99)) == asked


def test_a_quick_run_has_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    command.main(as_json=True, quick=True, synthetic=True)
    document = json.loads(capsys.readouterr().out)
    assert document["machine"]["cores"] >= 1
    assert not document["subject"]["real"]
    topics = {topic["key"]: topic for topic in document["topics"]}
    for key, rows in ROWS.items():
        assert rows <= {figure["key"] for figure in topics[key]["figures"]}
    judged = [figure for topic in topics.values() for figure in topic.get("figures", ()) if "target" in figure]
    assert {"cold_index", "one_file", "query", "times_faster"} <= {figure["key"] for figure in judged}
    assert all(figure["met"] == (figure["ratio"] >= 1) for figure in judged)
    for key, sizes in (("growth_tree", [6, 12, 24, 48]), ("growth_symbols", [1, 2, 4, 8])):
        assert [row["size"] for row in topics[key]["growth"]] == sizes
        assert [row["factor"] for row in topics[key]["growth"]] == [1, 2, 4, 8]


def test_tables_say_what_is_met(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without real data the trees are synthetic, and that is said."""
    command.main(data=tmp_path, quick=True)
    captured = capsys.readouterr()
    assert words.NO_REAL_DATA in captured.err
    assert words.COLD_INDEX in captured.out
    assert "✓" in captured.out
    assert words.TREE_COLUMNS["lookup"] in captured.out
