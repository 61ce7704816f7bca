"""Patch files: mails of ``git format-patch``, ``git show``, what becomes title, body, number and date."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.change import change_from_commit, parse_patch
from retrieval.change.mail_header import decode_words
from retrieval.models import FileStatus
from tests.support.git_repo import GitRepo

TRAILER = "Pull Request resolved: https://github.com/pytorch/pytorch/pull/4711"


def _mail(subject: str, body: str = "", *extra: str, day: str = "Wed, 4 Mar 2026 05:06:07 +0000") -> bytes:
    head = ["From " + "a" * 40 + " Mon Sep 17 00:00:00 2001", "From: Ada <ada@example.org>", f"Date: {day}"]
    diff = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n-- \n2.39.5\n\n"
    return ("\n".join([*head, f"Subject: {subject}", *extra]) + f"\n\n{body}\n---\n x | 0\n\n{diff}").encode()


def test_a_mail_of_git_itself(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    base = repo.commit({"a.py": "a\n"})
    title = "[inductor] 让 expand 的 lowering 接受 implicit 参数，并且标题长到一定要折行才能放进一封邮件里去 (#4711)"
    message = f"{title}\n\n第一段。\n\n--- a/not.py\n\n{TRAILER}\nApproved by: someone"
    sha = repo.commit({"a.py": "b\n"}, message, date="2026-02-03T23:59:59-08:00")
    patch = repo.git("format-patch", "--stdout", f"--base={base}", "HEAD~1").encode()
    change = parse_patch(patch, "x.patch")
    assert change.number == 4711
    assert change.title == title.removesuffix(" (#4711)")
    assert change.body == message.partition("\n\n")[2]
    assert change.date == "2026-02-03"
    assert (change.base_sha, change.head_sha) == (base, sha)
    assert (change.added, change.removed, change.merged) == (1, 1, False)


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("[PATCH] Fix it", "Fix it"),
        ("[PATCH v3 12/34] [dynamo] Fix it", "[dynamo] Fix it"),
        ("Re: [RFC PATCH 1/2] Fix it", "Fix it"),
        ("[dynamo] Fix [PATCH] handling", "[dynamo] Fix [PATCH] handling"),
        ("[PATCH] =?UTF-8?q?=E4=BF=AE=E5=A4=8D?=\n =?UTF-8?b?IGl0?=", "修复 it"),
        ("[PATCH] A title that is\n folded", "A title that is folded"),
        ("[PATCH] =?klingon?q?abc?= x", "=?klingon?q?abc?= x"),
        ("[PATCH] =?utf-8?b?!!!?= x", "=?utf-8?b?!!!?= x"),
        ("[PATCH] Fix it (#12) (#34)", "Fix it (#12)"),
    ],
)
def test_titles(subject: str, title: str) -> None:
    assert parse_patch(_mail(subject), "x.patch").title == title


@pytest.mark.parametrize(
    ("title", "body", "number"),
    [
        ("Fix it (#12)", "", 12),
        ("Fix it", TRAILER, 4711),
        ("Fix it (#12)", TRAILER, 4711),
        ("Fix it", "Pull-Request: https://github.com/pytorch/pytorch/pull/5", 5),
        ("Reland", f"Pull Request resolved: https://github.com/pytorch/pytorch/pull/1\n{TRAILER}", 4711),
        ("Fix it", "Pull Request resolved: https://github.com/other/repo/pull/7", None),
        ("Fix it", "see https://github.com/pytorch/pytorch/pull/7", None),
        ('Revert "Fix it (#12)"', "", None),
    ],
)
def test_numbers(title: str, body: str, number: int | None) -> None:
    assert parse_patch(_mail(f"[PATCH] {title}", body), "x.patch").number == number


@pytest.mark.parametrize(
    ("day", "iso"),
    [
        ("Tue, 3 Feb 2026 23:59:59 -0800", "2026-02-03"),
        ("3 Feb 2026 01:02:03 +0100", "2026-02-03"),
        ("2026-02-03 01:02:03 +0100", "2026-02-03"),
        ("2026-13-45", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(day: str, iso: str | None) -> None:
    assert parse_patch(_mail("[PATCH] x", day=day), "x.patch").date == iso


def test_a_series_with_a_cover_letter_is_one_change(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    repo.commit({"a.py": "one\ntwo\nthree\n", "old.py": "\n".join("abcdefgh") + "\n"})
    repo.commit({"a.py": "one\n2\nthree\n", "new.py": "n\n"}, "First step")
    repo.rename("old.py", "moved.py")
    repo.commit({"a.py": "one\n2\nthree\nfour\n", "new.py": "n\nm\n"}, "Second step\n\nWhy.")
    repo.commit({"a.py": "one\ntwo\nthree\nfour\n", "gone.py": "x\n"}, "Third step", date="2026-05-06T00:00:00+00:00")
    last = repo.commit({"gone.py": None}, "Fourth step", date="2026-05-07T00:00:00+00:00")
    patch = repo.git("format-patch", "--stdout", "-M", "--cover-letter", "HEAD~4")
    patch = patch.replace("*** SUBJECT HERE ***", "All steps").replace("*** BLURB HERE ***", "Because.")
    change = parse_patch(patch.encode(), "pull.patch")
    assert change.title == "All steps"
    assert change.body.startswith("Because.")
    assert "Second step\n\nWhy." in change.body
    assert (change.date, change.head_sha) == ("2026-05-07", last)
    files = {file.path: file for file in change.files}
    assert set(files) == {"a.py", "new.py", "moved.py"}
    assert files["a.py"].hunks[0].lines == (" one", " two", " three", "+four")
    assert files["new.py"].hunks[0].lines == ("+n", "+m")
    assert files["moved.py"].status is FileStatus.RENAMED
    whole = repo.git("diff", "HEAD~4", "HEAD").encode()
    assert {(file.path, file.added, file.removed) for file in parse_patch(whole, "x").files} == {
        (file.path, file.added, file.removed) for file in change.files
    }


def test_git_show(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    repo.commit({"a.py": "a\n"})
    sha = repo.commit({"a.py": "b\n"}, f"Fix it (#4711)\n\nWhy.\n\n    code\n\n{TRAILER}")
    for options in ((), ("--decorate=full",), ("--pretty=fuller",), ("--date=iso",), ("--stat", "-p")):
        change = parse_patch(repo.git("show", *options).encode(), "show.txt")
        assert (change.title, change.number, change.date, change.head_sha) == ("Fix it", 4711, "2026-03-04", sha)
        assert change.body == f"Why.\n\n    code\n\n{TRAILER}"
        assert (change.added, change.removed) == (1, 1)


def test_a_subject_of_two_lines_is_one_title(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "work")
    repo.commit({"a.py": "a\n"})
    repo.commit({"a.py": "b\n"}, " Fix it\nat last\n\nWhy.")
    texts = (repo.git("show"), repo.git("format-patch", "--stdout", "HEAD~1"))
    changes = [*(parse_patch(text.encode(), "x") for text in texts), change_from_commit(repo.path, "HEAD")]
    assert [(change.title, change.body) for change in changes] == [("Fix it at last", "Why.")] * 3


def test_a_saved_mail_without_a_from_line() -> None:
    data = b"Subject: [PATCH] Fix it\r\nFrom: A <a@example.org>\r\n\r\nWhy.\r\n---\r\n" + b"\r\n".join(
        [b"diff --git a/x b/x", b"--- a/x", b"+++ b/x", b"@@ -1 +1 @@", b"-a", b"+b", b""]
    )
    change = parse_patch(data, "x.eml")
    assert (change.title, change.body) == ("Fix it", "Why.")
    assert change.files[0].hunks[0].lines == ("-a", "+b")


def test_a_plain_diff_has_no_message() -> None:
    change = parse_patch(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "x.diff")
    assert (change.title, change.body, change.number, change.date, change.source) == ("", "", None, None, "x.diff")


def test_encoded_words_meet_without_their_blank() -> None:
    assert decode_words("=?utf-8?q?a_b?= =?utf-8?q?c?= d") == "a bc d"
