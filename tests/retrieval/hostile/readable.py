"""Hostile diffs that have one right reading."""

from __future__ import annotations

from tests.retrieval.hostile.cases import ONE, Reads, git, text

NAMES = (
    Reads("blanks in the name", git("a dir/my file.py", *ONE), ("modified a dir/my file.py +1 -1",)),
    Reads(
        "a name that looks like two",
        text("diff --git a/x b/y b/x b/y", "new file mode 100644", "index 0000000..e69de29"),
        ("added x b/y +0 -0 None>100644",),
    ),
    Reads(
        "octal escapes",
        text(
            'diff --git "a/\\344\\270\\255.py" "b/\\344\\270\\255.py"',
            '--- "a/\\344\\270\\255.py"',
            '+++ "b/\\344\\270\\255.py"',
            *ONE,
        ),
        ("modified 中.py +1 -1",),
    ),
    Reads("raw UTF-8 name", git("文档/说明.md", *ONE), ("modified 文档/说明.md +1 -1",)),
    Reads(
        "quotes, tab and backslash",
        text('diff --git "a/q\\"\\t\\\\.py" "b/q\\"\\t\\\\.py"', "old mode 100644", "new mode 100755"),
        ('mode q"\t\\.py +0 -0 100644>100755',),
    ),
    Reads(
        "only the new name is quoted",
        text(
            'diff --git a/plain.py "b/t\\tab.py"',
            "similarity index 100%",
            "rename from plain.py",
            'rename to "t\\tab.py"',
        ),
        ("renamed plain.py > t\tab.py +0 -0",),
    ),
    Reads(
        "a quoted name that is not UTF-8",
        text('diff --git "a/\\351.py" "b/\\351.py"', "deleted file mode 100644"),
        ("deleted \ufffd.py +0 -0 100644>None",),
    ),
    Reads(
        "a raw name that is not UTF-8", git("x.py", *ONE).replace(b"x.py", b"\xe9.py"), ("modified \ufffd.py +1 -1",)
    ),
    Reads("no prefix", git("src/x.py", *ONE, old="", new=""), ("modified src/x.py +1 -1",)),
    Reads("no prefix, in a folder named a", git("a/x.py", *ONE, old="", new=""), ("modified a/x.py +1 -1",)),
    Reads("mnemonic prefixes", git("x.py", *ONE, old="i/", new="w/"), ("modified x.py +1 -1",)),
    Reads("other prefixes", git("x.py", *ONE, old="before/", new="later/"), ("modified x.py +1 -1",)),
    Reads("a folder named b", git("b/b/x.py", *ONE), ("modified b/b/x.py +1 -1",)),
    Reads("dot in front", text("--- ./lib/x.py", "+++ ./lib/x.py", *ONE), ("modified lib/x.py +1 -1",)),
    Reads(
        "rename without prefix",
        text("diff --git old/x.py new/x.py", "similarity index 100%", "rename from old/x.py", "rename to new/x.py"),
        ("renamed old/x.py > new/x.py +0 -0",),
    ),
)

PLAIN = (
    Reads("two folders", text("--- torch-1/lib/x.py", "+++ torch-2/lib/x.py", *ONE), ("modified lib/x.py +1 -1",)),
    Reads(
        "time stamps behind a tab",
        text("--- a/my x.py\t2026-01-02 03:04:05.000000000 +0000", "+++ b/my x.py\t2026-01-02 03:04:06 +0000", *ONE),
        ("modified my x.py +1 -1",),
    ),
    Reads(
        "absent by its date",
        text("--- a/x.py\t1970-01-01 00:00:00.000000000 +0000", "+++ b/x.py\t2026-01-02", "@@ -0,0 +1 @@", "+y"),
        ("added x.py +1 -0",),
    ),
    Reads(
        "dated to the epoch but not absent",
        text("--- a/x.py\t1970-01-01 00:00:00 +0000", "+++ b/x.py\t1970-01-01 00:00:00 +0000", *ONE),
        ("modified x.py +1 -1",),
    ),
    Reads("new by name", text("--- /dev/null", "+++ b/x.py", "@@ -0,0 +1 @@", "+y"), ("added x.py +1 -0",)),
    Reads("deleted by name", text("--- a/x.py", "+++ /dev/null", "@@ -1 +0,0 @@", "-y"), ("deleted x.py +0 -1",)),
    Reads("backup copy", text("--- x.py.orig", "+++ x.py", *ONE), ("modified x.py +1 -1",)),
    Reads(
        "svn",
        text(
            "Index: x.py",
            "=" * 67,
            "--- x.py\t(revision 1)",
            "+++ x.py\t(working copy)",
            *ONE,
            "",
            "Property changes on: x.py",
            "_" * 67,
            "Added: svn:eol-style",
            "## -0,0 +1 ##",
            "+native",
        ),
        ("modified x.py +1 -1",),
    ),
    Reads(
        "hg",
        text("diff -r 0a0b -r 0c0d x.py", "--- a/x.py\tThu Jan 01 1970", "+++ b/x.py\tFri Jan 02 2026", *ONE),
        ("modified x.py +1 -1",),
    ),
    Reads(
        "recursive diff that leaves files out",
        text("Only in old/lib: gone.py", "diff -r old/x.py new/x.py", "--- old/x.py", "+++ new/x.py", *ONE),
        ("modified x.py +1 -1",),
        incomplete=True,
    ),
)

BODIES = (
    Reads(
        "removed and added lines that look like headers",
        git("x.sql", "@@ -1,3 +1,3 @@", "--- a/y.sql", "+++ b/y.sql", " diff --git a/z b/z", " @@ -1 +1 @@"),
        ("modified x.sql +1 -1",),
    ),
    Reads(
        "a signature of a mail behind the last block",
        git("x.py", *ONE) + text("-- ", "2.39.5", ""),
        ("modified x.py +1 -1",),
    ),
    Reads(
        "a removed line that looks like a signature",
        git("x.py", "@@ -1,2 +1 @@", " x", "-- "),
        ("modified x.py +0 -1",),
    ),
    Reads(
        "context lost its blank",
        git("x.py", "@@ -1,5 +1,5 @@", " a", "", "-x", "+y", "", " b"),
        ("modified x.py +1 -1",),
    ),
    Reads("empty lines behind the block", git("x.py", *ONE, "", "", ""), ("modified x.py +1 -1",)),
    Reads(
        "form feed, vertical tab, line separator, lone return",
        git("x.py", "@@ -1,2 +1,2 @@", " a\x0cb\x0bc\u2028d\x85e\x1cf", "-x\ry", "+x\rz"),
        ("modified x.py +1 -1",),
    ),
    Reads("NUL in a line", git("x.py", "@@ -1 +1 @@", "-a\0b", "+a\0c"), ("modified x.py +1 -1",)),
    Reads("CRLF file", git("x.bat", "@@ -1,2 +1,2 @@", " a\r", "-x\r", "+y\r"), ("modified x.bat +1 -1",)),
    Reads("whole diff with CRLF", git("x.py", *ONE).replace(b"\n", b"\r\n"), ("modified x.py +1 -1",)),
    Reads("CRLF headers, LF body", git("x.py").replace(b"\n", b"\r\n") + text(*ONE), ("modified x.py +1 -1",)),
    Reads(
        "one Latin-1 line",
        git(
            "x.py",
            *ONE,
        ).replace(b"+y", b"+caf\xe9"),
        ("modified x.py +1 -1",),
    ),
    Reads("UTF-8 byte-order mark", b"\xef\xbb\xbf" + git("x.py", *ONE), ("modified x.py +1 -1",)),
    Reads(
        "UTF-16 of a Windows shell",
        git("x.py", *ONE).decode().replace("\n", "\r\n").encode("utf-16"),
        ("modified x.py +1 -1",),
    ),
    Reads("no line end at the end of the diff", git("x.py", *ONE)[:-1], ("modified x.py +1 -1",)),
    Reads(
        "both ends open, in another language",
        git("x.py", "@@ -1 +1 @@", "-x", "\\ 文件末尾没有换行符", "+y", "\\ 文件末尾没有换行符"),
        ("modified x.py +1 -1",),
    ),
    Reads("counts left out", git("x.py", "@@ -3 +3 @@ def f():", "-x", "+y"), ("modified x.py +1 -1",)),
    Reads(
        "no context at all",
        git("x.py", "@@ -3,0 +4,2 @@", "+a", "+b", "@@ -9 +11,0 @@", "-c"),
        ("modified x.py +2 -1",),
    ),
    Reads("a wide line", git("x.py", "@@ -1 +1 @@", "-" + "x" * 300_000, "+y"), ("modified x.py +1 -1",)),
)

KINDS = (
    Reads("nothing", b"", ()),
    Reads("only white space", b"\n \n\t\n", ()),
    Reads(
        "empty commit as a mail",
        text(
            "From " + "1" * 40 + " Mon Sep 17 00:00:00 2001",
            "From: A <a@example.org>",
            "Date: Wed, 4 Mar 2026 05:06:07 +0000",
            "Subject: [PATCH] Nothing",
            "",
            "---",
            "-- ",
            "2.39.5",
        ),
        (),
    ),
    Reads(
        "mode only",
        text("diff --git a/x.sh b/x.sh", "old mode 100644", "new mode 100755"),
        ("mode x.sh +0 -0 100644>100755",),
    ),
    Reads(
        "mode and content",
        text(
            "diff --git a/x.sh b/x.sh",
            "old mode 100644",
            "new mode 100755",
            "index 1111111..2222222",
            "--- a/x.sh",
            "+++ b/x.sh",
            *ONE,
        ),
        ("modified x.sh +1 -1 100644>100755",),
    ),
    Reads(
        "empty new file",
        text("diff --git a/e.py b/e.py", "new file mode 100644", "index 0000000..e69de29"),
        ("added e.py +0 -0 None>100644",),
    ),
    Reads(
        "pure rename",
        text("diff --git a/o.py b/n.py", "similarity index 100%", "rename from o.py", "rename to n.py"),
        ("renamed o.py > n.py +0 -0",),
    ),
    Reads(
        "rename with a change",
        text(
            "diff --git a/o.py b/n.py",
            "similarity index 90%",
            "rename from o.py",
            "rename to n.py",
            "index 1111111..2222222 100644",
            "--- a/o.py",
            "+++ b/n.py",
            *ONE,
        ),
        ("renamed o.py > n.py +1 -1",),
    ),
    Reads(
        "copy",
        text("diff --git a/o.py b/n.py", "similarity index 100%", "copy from o.py", "copy to n.py"),
        ("copied o.py > n.py +0 -0",),
    ),
    Reads(
        "two files swap names",
        text(
            "diff --git a/p b/q",
            "similarity index 100%",
            "rename from p",
            "rename to q",
            "diff --git a/q b/p",
            "similarity index 100%",
            "rename from q",
            "rename to p",
        ),
        ("renamed p > q +0 -0", "renamed q > p +0 -0"),
    ),
    Reads(
        "binary, named only",
        text("diff --git a/x.png b/x.png", "index 1111111..2222222 100644", "Binary files a/x.png and b/x.png differ"),
        ("modified x.png +0 -0 binary",),
    ),
    Reads(
        "new binary",
        text(
            "diff --git a/x.png b/x.png",
            "new file mode 100644",
            "index 0000000..2222222",
            "Binary files /dev/null and b/x.png differ",
        ),
        ("added x.png +0 -0 binary None>100644",),
    ),
    Reads(
        "binary with its body",
        text(
            "diff --git a/x.png b/x.png",
            "index 1111111..2222222 100644",
            "GIT binary patch",
            "literal 4",
            "LcmZQzU|;|M00aO5",
            "",
            "literal 0",
            "HcmV?d00001",
            "",
        )
        + git("y.py", *ONE),
        ("modified x.png +0 -0 binary", "modified y.py +1 -1"),
    ),
    Reads(
        "binary of a plain recursive diff",
        text("Binary files old/a and b.bin and new/a and b.bin differ"),
        ("modified a and b.bin +0 -0 binary",),
    ),
    Reads(
        "submodule",
        git("third_party/x", "@@ -1 +1 @@", "-Subproject commit " + "1" * 40, "+Subproject commit " + "2" * 40).replace(
            b"100644", b"160000"
        ),
        ("modified third_party/x +1 -1",),
    ),
    Reads(
        "a link becomes a file",
        text(
            "diff --git a/l b/l",
            "deleted file mode 120000",
            "index 1111111..0000000",
            "--- a/l",
            "+++ /dev/null",
            "@@ -1 +0,0 @@",
            "-target",
            "\\ No newline at end of file",
            "diff --git a/l b/l",
            "new file mode 100644",
            "index 0000000..2222222",
            "--- /dev/null",
            "+++ b/l",
            "@@ -0,0 +1 @@",
            "+text",
        ),
        ("modified l +1 -1 120000>100644",),
    ),
    Reads(
        "combined diff of a merge",
        text(
            "diff --cc x.py",
            "index 1111111,2222222..3333333",
            "--- a/x.py",
            "+++ b/x.py",
            "@@@ -1,3 -1,3 +1,3 @@@",
            "  a",
            "- ours",
            " -theirs",
            "++both",
            "  c",
        ),
        ("modified x.py +1 -1",),
        incomplete=True,
    ),
    Reads(
        "combined diff of three parents",
        text(
            "diff --combined x.py",
            "index 1,2,3..4",
            "--- a/x.py",
            "+++ b/x.py",
            "@@@@ -1,1 -1,1 -1,2 +1,2 @@@@",
            "   a",
            "++ b",
            "diff --git a/y.py b/y.py",
            "old mode 100644",
            "new mode 100755",
        ),
        ("modified x.py +1 -0", "mode y.py +0 -0 100644>100755"),
        incomplete=True,
    ),
    Reads(
        "combined deletion",
        text(
            "diff --cc x.py",
            "index 1111111,2222222..0000000",
            "deleted file mode 100644,100644",
            "--- a/x.py",
            "+++ /dev/null",
        ),
        ("deleted x.py +0 -0 100644>None",),
        incomplete=True,
    ),
    Reads("the same section twice", git("x.py", *ONE) + git("x.py", *ONE), ("modified x.py +1 -1",)),
    Reads(
        "a second diff of the same file",
        git("x.py", *ONE) + git("x.py", "@@ -1 +1,2 @@", "-y", "+z", "+w"),
        ("modified x.py +2 -1",),
    ),
    Reads("a change and its undoing", git("x.py", *ONE) + git("x.py", "@@ -1 +1 @@", "-y", "+x"), ()),
    Reads(
        "prose around",
        text("Please look at this:", "", "> quoted", "--- not a header") + git("x.py", *ONE) + text("", "Thanks!"),
        ("modified x.py +1 -1",),
    ),
)

READABLE = (*NAMES, *PLAIN, *BODIES, *KINDS)
