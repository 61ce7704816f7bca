"""Hostile diffs that must be refused, with the line to blame and a word of the sentence."""

from __future__ import annotations

from tests.retrieval.hostile.cases import ONE, Refused, git, text

_TOP = 4  # lines of ``git`` before the block

REFUSED = (
    Refused("cut off inside a block", git("x.py", "@@ -1,3 +1,3 @@", " a", "-x", "+y"), _TOP + 1, "旧 3 行、新 3 行"),
    Refused(
        "a file begins inside a block",
        git("x.py", "@@ -1,3 +1,3 @@", " a", "-x", "+y") + git("y.py", *ONE),
        _TOP + 5,
        "只有旧 2 行、新 2 行",
    ),
    Refused("more lines than promised", git("x.py", *ONE, "+z"), _TOP + 4, "声明的行数之外"),
    Refused("a context line more than promised", git("x.py", *ONE, " z"), _TOP + 4, "声明的行数之外"),
    Refused("too many on one side", git("x.py", "@@ -1,1 +1,2 @@", "-x", "-y", "+z", "+w"), _TOP + 3, "超出"),
    Refused("letters in the numbers", git("x.py", "@@ -1,x +1 @@", "-x", "+y"), _TOP + 1, "@@ 行的写法不对"),
    Refused("foreign digits", git("x.py", "@@ -١ +١ @@", "-x", "+y"), _TOP + 1, "@@ 行的写法不对"),
    Refused("a number without end", git("x.py", f"@@ -1,{'9' * 5000} +1 @@", "-x"), _TOP + 1, "@@ 行的写法不对"),
    Refused("line zero", git("x.py", "@@ -0 +1 @@", "-x", "+y"), _TOP + 1, "@@ 行的写法不对"),
    Refused("an empty block", git("x.py", "@@ -0,0 +0,0 @@"), _TOP + 1, "@@ 行的写法不对"),
    Refused("negative numbers", git("x.py", "@@ --1 +1 @@", "-x", "+y"), _TOP + 1, "@@ 行的写法不对"),
    Refused(
        "blocks in the wrong order",
        git("x.py", "@@ -9 +9 @@", "-x", "+y", "@@ -1 +1 @@", "-x", "+y"),
        _TOP + 4,
        "次序颠倒",
    ),
    Refused(
        "blocks that overlap",
        git("x.py", "@@ -1,2 +1,2 @@", " a", "-x", "+y", "@@ -2 +2 @@", "-x", "+y"),
        _TOP + 5,
        "重叠",
    ),
    Refused(
        "an end mark in the middle",
        git("x.py", "@@ -1,2 +1,2 @@", " a", "\\ No newline at end of file", "-x", "+y"),
        _TOP + 1,
        "最后一行之后",
    ),
    Refused(
        "an end mark first",
        git("x.py", "@@ -1 +1 @@", "\\ No newline at end of file", "-x", "+y"),
        _TOP + 1,
        "最后一行之后",
    ),
    Refused(
        "a block behind the end of the file",
        git("x.py", *ONE, "\\ No newline at end of file", "@@ -5 +5 @@", "-x", "+y"),
        _TOP + 5,
        "最后一行之后",
    ),
    Refused("a block without a file", text("hello", *ONE), 2, "没有文件头"),
    Refused("a block right below diff --git", text("diff --git a/x.py b/x.py", *ONE), 2, "没有文件头"),
    Refused("--- without +++", text("diff --git a/x.py b/x.py", "--- a/x.py", *ONE), 2, "缺少 +++"),
    Refused("headers, then nothing", text("--- a/x.py", "+++ b/x.py"), 2, "缺少 @@"),
    Refused("headers, then another file", git("x.py") + git("y.py", *ONE), _TOP + 1, "缺少 @@"),
    Refused("the two names differ", text("diff --git a/x.py b/x.py", "--- a/x.py", "+++ b/y.py", *ONE), 1, "自相矛盾"),
    Refused("nothing on either side", text("--- /dev/null", "+++ /dev/null", "@@ -1 +1 @@", "-x", "+y"), 1, "自相矛盾"),
    Refused(
        "new and deleted", text("diff --git a/x b/x", "new file mode 100644", "deleted file mode 100644"), 1, "自相矛盾"
    ),
    Refused(
        "a new file with old lines",
        text("diff --git a/x b/x", "new file mode 100644", "--- /dev/null", "+++ b/x", *ONE),
        1,
        "新增文件",
    ),
    Refused(
        "a deleted file with new lines",
        text("diff --git a/x b/x", "deleted file mode 100644", "--- a/x", "+++ /dev/null", *ONE),
        1,
        "删除文件",
    ),
    Refused("a rename to nowhere", text("diff --git a/x b/y", "rename from x"), 1, "看不出文件名"),
    Refused(
        "names that cannot be told apart",
        text("diff --git x y z", "old mode 100644", "new mode 100755"),
        1,
        "看不出文件名",
    ),
    Refused("a header of blanks", text("diff --git " + " " * 100_000), 1, "看不出文件名"),
    Refused("out of the tree", git("../../etc/passwd", *ONE), 1, "越出了仓库"),
    Refused(
        "out of the tree by a rename",
        text("diff --git a/x b/x", "rename from x", "rename to a/../../x"),
        1,
        "越出了仓库",
    ),
    Refused("absolute", text("--- /etc/passwd", "+++ /etc/passwd", *ONE), 1, "绝对路径"),
    Refused("a drive", text("--- C:\\x.py", "+++ C:\\x.py", *ONE), 1, "绝对路径"),
    Refused("NUL in the name", git("x\0.py", *ONE), 1, "越出了仓库"),
    Refused(
        "combined block cut off",
        text("diff --cc x.py", "--- a/x.py", "+++ b/x.py", "@@@ -1,2 -1,2 +1,2 @@@", "  a"),
        5,
        "@@@ 块不完整",
    ),
    Refused(
        "combined block too long",
        text("diff --cc x.py", "--- a/x.py", "+++ b/x.py", "@@@ -1,1 -1,0 +1,1 @@@", "  a"),
        5,
        "比声明的行数长",
    ),
    Refused(
        "combined block of the wrong width", text("diff --cc x.py", "@@@ -1,1 +1,1 @@@", "  a"), 2, "@@ 行的写法不对"
    ),
    Refused(
        "a second diff that does not follow",
        git("x.py", *ONE) + git("x.py", "@@ -1 +1 @@", "-q", "+z"),
        _TOP + 4,
        "对不上",
    ),
    Refused(
        "a file added twice",
        text("--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+y", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+z"),
        5,
        "对不上",
    ),
    Refused(
        "a deleted file changes",
        text("--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-y", "--- a/x", "+++ b/x", *ONE),
        5,
        "对不上",
    ),
    Refused("only prose", text("Hello,", "this is no diff."), 1, "没有找到 diff"),
    Refused("binary rubbish", bytes(range(256)) * 4, 1, "没有找到 diff"),
    Refused("a web page", text("<!DOCTYPE html>", "<title>404</title>"), 1, "没有找到 diff"),
    Refused("colours of a terminal", text("\x1b[1mdiff --git a/x b/x\x1b[m", "\x1b[1m--- a/x\x1b[m"), 1, "--no-color"),
    Refused(
        "context format",
        text("*** a/x.py", "--- b/x.py", "***************", "*** 1 ****", "! x", "--- 1 ----", "! y"),
        1,
        "context 格式",
    ),
    Refused("ed format", text("1c1", "< x", "---", "> y"), 1, "没有找到 diff"),
    Refused(
        "several commits of git log",
        text(
            "commit " + "1" * 40,
            "Author: A <a@example.org>",
            "",
            "    One",
            "",
            "diff --git a/x b/x",
            "old mode 100644",
            "new mode 100755",
            "",
            "commit " + "2" * 40,
            "",
            "    Two",
        ),
        10,
        "git log -p",
    ),
    Refused(
        "an encoded mail",
        text(
            "From: A <a@example.org>", "Subject: [PATCH] x", "Content-Transfer-Encoding: quoted-printable", "", "=2D--"
        ),
        1,
        "quoted-printable",
    ),
)
