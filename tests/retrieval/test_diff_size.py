"""Large and long-winded diffs take linear time.

Bounds are wide, in processor time: they tell linear from quadratic, not fast from slow.
"""

from __future__ import annotations

import time

import pytest

from retrieval.change import parse_patch
from retrieval.errors import ChangeError
from tests.retrieval.hostile.cases import text

MEGABYTE = 1_000_000


def test_a_diff_of_20_megabytes() -> None:
    body = " a = 1\n b = 2\n c = 3\n-    return old(%d)\n+    return new(%d)\n d = 4\n e = 5\n f = 6\n"
    block = f"@@ -%d,7 +%d,7 @@ def function():\n{body}"
    files = []
    for file in range(50):
        name = f"package/module_{file}.py"
        blocks = "".join(block % (line * 9, line * 9, line, line) for line in range(1, 3600))
        files.append(f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n{blocks}")
    data = "".join(files).encode()
    assert len(data) > 20 * MEGABYTE
    start = time.process_time()
    change = parse_patch(data, "large.diff")
    assert time.process_time() - start < 30
    assert (len(change.files), change.added, change.removed) == (50, 50 * 3599, 50 * 3599)


LONG_WINDED = {
    "blanks in a header": text("diff --git " + "a " * MEGABYTE),
    "one long line": text("x" * 5 * MEGABYTE),
    "words of a binary line": text("Binary files " + "a and " * (MEGABYTE // 5) + "x"),
    "an unclosed quote": text('diff --git "a/' + "\\\\" * MEGABYTE),
    "a subject": text("From: a@example.org", "Subject: [" + "PATCH " * (MEGABYTE // 6), "", "x"),
    "a title that ends in blanks": text("From: a@example.org", "Subject: x" + " " * MEGABYTE + "x", "", "x"),
    "encoded words": text("From: a@example.org", "Subject: " + "=?utf-8?q?a?= " * (MEGABYTE // 14), "", "x"),
    "header lines": text("From: a@example.org", *["X: y"] * (MEGABYTE // 5), "Subject: x", "", "x"),
    "minus lines": text(*["--- a/x"] * (MEGABYTE // 8)),
    "an endless range list": text("diff --cc x", "@@@" + " -1" * (MEGABYTE // 3) + " +1 @@@"),
    "many empty files": text(*(f"diff --git a/f{n} b/f{n}\nnew file mode 100644" for n in range(20_000))),
    "the same file again and again": text(*(f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-{n}\n+{n + 1}" for n in range(3_000))),
}


@pytest.mark.parametrize("data", LONG_WINDED.values(), ids=LONG_WINDED)
def test_long_winded_input(data: bytes) -> None:
    start = time.process_time()
    try:
        parse_patch(data, "long.diff")
    except ChangeError as error:
        reason = str(error)
    else:
        reason = ""
    assert time.process_time() - start < 20
    assert len(reason) < 1000
