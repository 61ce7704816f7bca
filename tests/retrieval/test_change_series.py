"""Parts of a series fold into their net effect; what does not follow is an error at its line."""

from __future__ import annotations

import pytest

from retrieval.change import parse_diff
from retrieval.errors import ChangeError
from tests.retrieval.hostile.cases import shape, text
from tests.support.diff_writer import write_diff


def _renamed(old: str, new: str, *body: str) -> bytes:
    return text(f"diff --git a/{old} b/{new}", "similarity index 90%", f"rename from {old}", f"rename to {new}", *body)


def _copied(old: str, new: str) -> bytes:
    return text(f"diff --git a/{old} b/{new}", "similarity index 100%", f"copy from {old}", f"copy to {new}")


BASE, MIDDLE, LAST = b"1\n2\n3\n", b"1\nb\n3\n", b"1\nb\nc\n"


@pytest.mark.parametrize(
    ("parts", "shapes"),
    [
        ([write_diff("x", None, BASE), write_diff("x", BASE, MIDDLE)], ["added x +3 -0 None>100644"]),
        ([write_diff("x", None, BASE), write_diff("x", BASE, None)], []),
        ([write_diff("x", BASE, None), write_diff("x", None, MIDDLE)], ["modified x +1 -1"]),
        ([write_diff("x", BASE, None), write_diff("x", None, BASE)], []),
        ([write_diff("x", BASE, MIDDLE), write_diff("x", MIDDLE, None)], ["deleted x +0 -3 100644>None"]),
        ([write_diff("x", BASE, MIDDLE), _renamed("x", "y")], ["renamed x > y +1 -1"]),
        ([_renamed("x", "y"), write_diff("y", BASE, MIDDLE)], ["renamed x > y +1 -1"]),
        ([_renamed("x", "y"), _renamed("y", "z")], ["renamed x > z +0 -0"]),
        ([_renamed("x", "y"), _renamed("y", "x")], []),
        ([_renamed("x", "y"), write_diff("y", BASE, MIDDLE), _renamed("y", "x")], ["modified x +1 -1"]),
        ([_renamed("x", "y"), write_diff("y", BASE, None)], ["deleted x +0 -3 100644>None"]),
        ([_renamed("x", "y"), write_diff("x", None, LAST)], ["renamed x > y +0 -0", "added x +3 -0 None>100644"]),
        ([write_diff("x", None, BASE), _renamed("x", "y")], ["added y +3 -0 None>100644"]),
        ([write_diff("x", None, BASE), _copied("x", "y")], ["added x +3 -0 None>100644", "added y +3 -0 None>100644"]),
        ([write_diff("x", BASE, MIDDLE), _copied("x", "y")], ["modified x +1 -1", "copied x > y +1 -1"]),
        ([_copied("x", "y"), write_diff("y", BASE, MIDDLE)], ["copied x > y +1 -1"]),
        ([_copied("x", "y"), write_diff("y", BASE, None)], []),
        (
            [write_diff("x", BASE, None), _renamed("w", "x"), write_diff("x", BASE, MIDDLE)],
            ["deleted x +0 -3 100644>None", "renamed w > x +1 -1"],
        ),
        (
            [text("diff --git a/x b/x", "old mode 100644", "new mode 100755"), write_diff("x", BASE, MIDDLE)],
            ["modified x +1 -1 100644>100755"],
        ),
        (
            [
                text("diff --git a/x b/x", "old mode 100644", "new mode 100755"),
                text("diff --git a/x b/x", "old mode 100755", "new mode 100644"),
            ],
            [],
        ),
        (
            [
                write_diff("x", BASE, MIDDLE),
                text("diff --git a/x b/x", "index 1..2 100644", "Binary files a/x and b/x differ"),
            ],
            ["modified x +0 -0 binary"],
        ),
    ],
)
def test_net_effect(parts: list[bytes], shapes: list[str]) -> None:
    mails = b"".join(b"From %s Mon Sep 17 00:00:00 2001\nSubject: s\n\n---\n%s" % (b"1" * 40, part) for part in parts)
    assert [shape(file).replace(" None>None", "") for file in parse_diff(mails, "x.patch")] == shapes


@pytest.mark.parametrize(
    "parts",
    [
        [write_diff("x", BASE, MIDDLE), write_diff("x", BASE, LAST)],
        [_renamed("x", "y"), write_diff("x", BASE, MIDDLE)],
        [write_diff("x", BASE, MIDDLE), _renamed("w", "x")],
        [write_diff("x", None, BASE), write_diff("x", BASE + b"4\n5\n6\n7\n8\n", BASE + b"4\n5\n6\n7\nh\n")],
    ],
)
def test_what_does_not_follow_is_refused(parts: list[bytes]) -> None:
    with pytest.raises(ChangeError, match="对不上") as caught:
        parse_diff(b"".join(parts), "x.diff")
    assert caught.value.line == parts[0].count(b"\n") + 1


def test_far_changes_keep_their_places() -> None:
    numbers = [b"%d\n" % number for number in range(1, 101)]
    first = [*numbers[:10], b"new\n", b"newer\n", *numbers[10:]]
    second = [*first[:80], b"late\n", *first[81:]]
    (file,) = parse_diff(
        write_diff("x", b"".join(numbers), b"".join(first)) + write_diff("x", b"".join(first), b"".join(second)), "x"
    )
    assert [(hunk.old_start, hunk.new_start) for hunk in file.hunks] == [(8, 8), (76, 78)]
    assert file.hunks[1].lines[3:5] == ("-79", "+late")
