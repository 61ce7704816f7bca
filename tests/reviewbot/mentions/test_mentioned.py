"""Which upstream changes a pull request names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.forges.models import ForgeCommit, ForgeKind, PullRequest, Thread
from reviewbot.mentions import FoundIn, carries_upstream, mentioned

THREAD = Thread(forge=ForgeKind.ATOMGIT, repository="team/backend", number=7)
SHA = "0123456789abcdef0123456789abcdef01234567"


def pull(title: str = "", body: str = "") -> PullRequest:
    return PullRequest(thread=THREAD, title=title, body=body, base_ref="master", base_sha="a" * 40, head_sha="b" * 40)


def commit(message: str) -> ForgeCommit:
    return ForgeCommit(sha="c" * 40, message=message)


def names(title: str = "", body: str = "", *messages: str) -> list[str]:
    return [subject.name for subject in mentioned(pull(title, body), [commit(message) for message in messages])]


@pytest.mark.parametrize(
    "text",
    [
        "同步 pytorch/pytorch#123",
        "port of pytorch#123",
        "适配 PyTorch PR #123 的改动",
        "见 https://github.com/pytorch/pytorch/pull/123/files#diff-1。",
        "（github.com/pytorch/pytorch/pull/123）",
        "Pull Request resolved: https://github.com/pytorch/pytorch/pull/123",
        "PyTorch/PyTorch#123",
    ],
)
def test_every_spelling_of_a_pull_request_counts(text: str) -> None:
    assert names(title=text) == names(body=text) == names("", "", text) == ["pytorch/pytorch#123"]


@pytest.mark.parametrize(
    "text",
    [
        "修复 #123",
        "https://github.com/pytorch/pytorch/issues/123",
        "https://github.com/pytorch/vision/pull/123",
        "https://evil.example/github.com.evil/pytorch/pytorch/pull/123x",
        "my-pytorch#123",
        "pytorch/vision#123",
        "pytorch#0",
        "pytorch#123abc",
        "other/pytorch/pytorch#123",
    ],
)
def test_what_is_no_upstream_pull_request_does_not_count(text: str) -> None:
    assert names(title=text) == []


def test_commits_are_named_by_address_by_hash_and_by_cherry_pick() -> None:
    body = f"https://github.com/pytorch/pytorch/commit/{SHA} and pytorch/pytorch@fedcba9876543210"
    assert names("", body) == [SHA, "fedcba9876543210"]
    picked = mentioned(pull(), [commit(f"fix\n\n(cherry picked from commit {SHA})")])
    assert [(subject.name, subject.because) for subject in picked] == [(SHA, FoundIn.CHERRY_PICK)]


def test_short_and_long_hash_are_one_commit_and_the_long_one_stands() -> None:
    assert names(f"pytorch@{SHA[:12]}", f"pytorch/pytorch@{SHA}") == [SHA]


def test_order_is_that_of_reading_and_the_strongest_reason_stays() -> None:
    trailer = "x (#2)\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/2"
    found = mentioned(pull("pytorch#1", "pytorch#2 and pytorch#1"), [commit(trailer), commit("pytorch#3")])
    assert [(subject.name, subject.because) for subject in found] == [
        ("pytorch/pytorch#1", FoundIn.TITLE),
        ("pytorch/pytorch#2", FoundIn.TRAILER),
        ("pytorch/pytorch#3", FoundIn.COMMIT),
    ]


def test_a_commit_with_a_trailer_is_that_change_alone() -> None:
    message = (
        "Reland x (#9)\n\nFollows pytorch/pytorch#4, see https://github.com/pytorch/pytorch/pull/5\n"
        "Pull Request resolved: https://github.com/pytorch/pytorch/pull/4\n"
        "Pull Request resolved: https://github.com/pytorch/pytorch/pull/9\n"
    )
    assert names("", "", message) == ["pytorch/pytorch#9"]


def test_quotations_code_and_the_template_name_nothing() -> None:
    body = "<!-- e.g. pytorch#1 -->\n> pytorch#2\n```\npytorch#3\n```\n~~~\npytorch#4\n~~~\npytorch#5\n<!-- pytorch#6"
    assert names("", body) == ["pytorch/pytorch#5"]


def test_another_upstream_can_be_followed() -> None:
    subjects = mentioned(pull("org/core#8 and pytorch#9"), [], upstream="org/core")
    assert [subject.name for subject in subjects] == ["org/core#8"]


@given(st.text(alphabet="pytorch/#@0123456789abcdef \n>`<!-:", max_size=200))
def test_no_text_breaks_the_reading_and_no_subject_comes_twice(text: str) -> None:
    found = names(text, text, text)
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("paths", "carried"),
    [
        (["torch_npu/npu/utils.py", "test/test_ops.py"], False),
        (["torch/_inductor/ir.py"], True),
        (["third_party/torch/x.py"], False),
        (["aten/src/ATen/native/Sorting.cpp"], True),
        ([], False),
    ],
)
def test_upstream_files_are_told_by_their_folder(paths: list[str], carried: bool) -> None:
    assert carries_upstream(paths) is carried
