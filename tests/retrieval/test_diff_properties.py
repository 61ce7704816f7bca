"""What holds for every diff: it leads from the old file to the new one and back, and rubbish is a ``ChangeError``."""

from __future__ import annotations

import itertools
import random

from hypothesis import given
from hypothesis import strategies as st

from retrieval.change import parse_diff, parse_patch, sides
from retrieval.change.sides import apply_hunks
from retrieval.errors import ChangeError
from retrieval.models import FileStatus, UpstreamChange
from tests.retrieval.hostile.readable import READABLE
from tests.retrieval.hostile.refused import REFUSED
from tests.support.diff_writer import write_diff
from tests.support.memory_tree import MemoryTree

LINES = st.sampled_from(
    [
        "",
        "a",
        "b",
        "    return x",
        " ",
        "-- a/x",
        "++ b/x",
        "--- a/x",
        "@@ -1 +1 @@",
        "\\ No newline at end of file",
        "diff --git a/x b/x",
        "From " + "1" * 40 + " Mon Sep 17 00:00:00 2001",
        "c\r",
        "form\x0cfeed",
        "line\u2028separator",
        "中文",
        "\r",
    ]
)


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    """A file of awkward lines, its last line with or without an end."""
    lines = draw(st.lists(LINES, max_size=30))
    ends_open = draw(st.booleans()) and bool(lines) and lines[-1] != ""
    return "".join(f"{line}\n" for line in lines).encode()[: -1 if ends_open else None]


@st.composite
def edited(draw: st.DrawFn, before: bytes) -> bytes:
    """``before`` with a few pieces replaced, so that diffs have context."""
    lines = before.split(b"\n")
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(lines)))
        end = draw(st.integers(start, min(len(lines), start + 4)))
        lines[start:end] = [line.encode() for line in draw(st.lists(LINES, max_size=4))]
    return b"\n".join(lines)


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes, bytes]:
    old = draw(contents())
    return old, draw(st.one_of(contents(), edited(old)))


@st.composite
def histories(draw: st.DrawFn) -> list[bytes | None]:
    """Versions of one file over four commits; None while it does not exist."""
    known: list[bytes | None] = [draw(st.one_of(st.none(), contents()))]
    for _ in range(3):
        known.append(draw(st.one_of(st.none(), contents(), edited(known[-1] or b""))))
    return known


@given(versions(), st.integers(0, 5))
def test_a_diff_leads_there_and_back(pair: tuple[bytes, bytes], context: int) -> None:
    old, new = pair
    change = UpstreamChange(files=parse_diff(write_diff("x.py", old, new, context=context), "x.diff"))
    (forward,) = sides(change, MemoryTree({"x.py": old}), None) or (None,)
    (backward,) = sides(change, None, MemoryTree({"x.py": new})) or (None,)
    if forward is None or backward is None:
        assert old == new
        return
    assert forward.complete
    assert (forward.old, forward.new) == (old, new)
    assert backward.complete
    assert (backward.old, backward.new) == (old, new)


@given(histories())
def test_a_series_is_its_net_effect(history: list[bytes | None]) -> None:
    mails = b"".join(
        b"From %s Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nSubject: [PATCH] Step\n\n---\n%s"
        % (b"1" * 40, step)
        for old, new in itertools.pairwise(history)
        if (step := write_diff("x.py", old, new))
    )
    first, last = history[0], history[-1]
    files = parse_patch(mails, "series.patch").files
    if not files:
        assert first == last
        return
    statuses = {(True, False): FileStatus.ADDED, (False, True): FileStatus.DELETED, (False, False): FileStatus.MODIFIED}
    assert files[0].status is statuses[first is None, last is None]
    assert apply_hunks(first or b"", files[0].hunks) == (last or b"")


@given(st.binary(max_size=400))
def test_rubbish_is_a_change_error(data: bytes) -> None:
    _parse(data)


@given(
    st.sampled_from([*READABLE, *REFUSED]), st.sampled_from([*READABLE, *REFUSED]), st.randoms(use_true_random=False)
)
def test_damaged_diffs_are_read_or_a_change_error(first: object, second: object, chance: random.Random) -> None:
    lines = [line for case in (first, second) for line in case.data[:20_000].split(b"\n")]  # type: ignore[attr-defined]
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        damage = chance.randrange(5)
        if damage == 0:
            del lines[at : at + chance.randint(1, 3)]
        elif damage == 1:
            lines.insert(at, chance.choice(lines) if lines else b"")
        elif damage == 2 and lines[at]:
            cut = chance.randrange(len(lines[at]))
            lines[at] = lines[at][:cut] + bytes([chance.randrange(256)]) + lines[at][cut + 1 :]
        elif damage == 3:
            lines[at] = lines[at][: len(lines[at]) // 2]
        else:
            lines = lines[: at + 1]
        if not lines:
            return
    _parse(b"\n".join(lines))


def _parse(data: bytes) -> None:
    """Parses; whatever comes out can be stored and shown."""
    try:
        change = parse_patch(data, "rubbish")
    except ChangeError as error:
        refused = error
    else:
        assert UpstreamChange.model_validate_json(change.model_dump_json()) == change
        sides(change, MemoryTree({}), None)
        return
    assert refused.line is not None
    assert "\n" not in refused.reason
