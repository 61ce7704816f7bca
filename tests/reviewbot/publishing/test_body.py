"""The comment of a thread: what stands first, what is said of its state, how it shrinks, what cannot be made of it."""

from __future__ import annotations

import re

import pytest

from reviewbot.models import AnalysisState
from reviewbot.publishing import Links, ShownSubject, body_of
from reviewbot.publishing.body import shorter
from reviewbot.publishing.marker import bears_marker, marker
from reviewbot.render.comment import LIMIT
from reviewbot.render.comment import marker as old_marker
from reviewbot.service.models import Correction, CorrectionKind, Notice, ReviewState, ThreadState
from tests.reviewbot.publishing.cases import CHECK, HEAD, NEWER, NOW, SHIM, TEST, THREAD, pull, review, subject, without
from tests.reviewbot.test_render_comment import HOSTILE

LINKS = Links("https://bot.mill.example/")


def body(*shown: ShownSubject, links: Links = LINKS, state: ThreadState | None = None, **change: object) -> str:
    head = str(change.pop("head", HEAD))
    most = int(str(change.pop("most", 50)))
    limit = int(str(change.pop("limit", LIMIT)))
    return body_of(
        review(**change),
        pull(head),
        shown,
        state or ThreadState(thread=THREAD),
        links,
        NOW,
        most_subjects=most,
        limit=limit,
    )


def noticed(command: str, text: str, author: str = "ann") -> ThreadState:
    return ThreadState(thread=THREAD, notice=Notice(command=command, author=author, text=text, at=NOW))


def test_one_subject_is_the_comment_of_its_analysis_with_both_commits() -> None:
    text = body(subject(42))
    assert text.split("\n")[0] == marker(THREAD)
    assert "## 上游变更影响分析：Test" in text
    assert "评审提交 `aaaaaaaaaaaa`，torch_npu 基线 `bbbbbbbbbbbb`" in text
    assert "[完整分析](https://bot.mill.example/api/v1/analyses/42)" in text
    assert "上游改动 |" not in text


def test_several_subjects_come_as_a_table_worst_first_and_folds() -> None:
    text = body(subject(1, CHECK), subject(2, TEST), subject(3, SHIM), without(4, AnalysisState.FAILED, "模型没有应答"))
    rows = re.findall(r"^\| `pytorch/pytorch#(\d)` \| (\S+) \|", text, re.MULTILINE)
    assert rows == [("3", "Shim"), ("2", "Test"), ("1", "Check"), ("4", "—")]
    assert "4 个上游改动，2 个需要处理" in text
    assert "分析失败：模型没有应答" in text
    assert re.findall(r"<summary><code>pytorch/pytorch#(\d)</code> (\w+)", text) == [
        ("3", "Shim"),
        ("2", "Test"),
        ("1", "Check"),
    ]
    assert text.count("<details>") == text.count("</details>") == 9


def test_the_title_promises_nothing_for_what_came_to_no_verdict() -> None:
    assert "2 个上游改动，均无需处理" in body(subject(1, CHECK), subject(2, CHECK))
    assert "2 个上游改动，0 个需要处理" in body(subject(1, CHECK), without(2, AnalysisState.FAILED, ""))


def test_over_the_most_subjects_only_what_needs_work_is_listed() -> None:
    shown = [subject(n, SHIM if n == 3 else CHECK) for n in range(1, 5)]
    text = body(*shown, most=3)
    assert "超过逐个列出的上限 3，这里只列出需要处理的 1 个" in text
    assert "#3`" in text
    assert "#1`" not in text
    assert "<details>" not in text
    assert "[全部结果](https://bot.mill.example/api/v1/reviews/r1)" in text
    assert "](" not in body(*shown, most=3, links=Links())


def test_what_is_said_of_the_state() -> None:
    assert "PR 已更新到 `cccccccccccc`，以下结论针对 `aaaaaaaaaaaa`" in body(subject(1), head=NEWER)
    assert "已更新到" not in body(subject(1))
    assert "已由 ann 暂停" in body(subject(1), state=ThreadState(thread=THREAD, paused_by="ann"))
    failed = body_of(
        review(state=ReviewState.FAILED, reason="git 没有应答"), pull(), (), ThreadState(thread=THREAD), LINKS, NOW
    )
    assert "此次评审失败：git 没有应答" in failed
    assert "没有找到上游改动" not in failed
    assert "没有找到上游改动" in body()


def test_a_notice_comes_first_and_unfolds_help_or_reasons() -> None:
    text = body(subject(1), state=noticed("help", "命令说明见下。"))
    assert text.split("\n\n")[2] == "> ann：命令说明见下。"
    assert "| `/upstream-review again` |" in text
    assert "| `V01` | 有耦合 | E1、Z1 |" in body(subject(1), state=noticed("explain", "见下。")).split("**摘要**")[0]
    assert "/upstream-review" not in body(subject(1), state=noticed("pause", "已暂停。"))


def test_a_correction_is_shown_and_holds() -> None:
    correction = Correction(
        analysis=1, kind=CorrectionKind.CORRECTED, labels=SHIM, note="需要补 @all 适配", author="ann", at=NOW
    )
    text = body(subject(1, TEST, correction=correction))
    assert (
        "更正：结论 Test → Shim、风险 medium → high、需改码 否 → 是（ann，2026-01-02）。理由：需要补 `＠all` 适配"
        in text
    )
    assert "## 上游变更影响分析：Shim" in text
    accepted = correction.model_copy(update={"kind": CorrectionKind.ACCEPTED, "labels": TEST})
    assert "已确认：ann，2026-01-02" in body(subject(1, TEST, correction=accepted))


@pytest.mark.parametrize("limit", [60_000, 20_000, 8_000, 3_000, 1_000])
def test_it_never_passes_the_limit_and_keeps_its_marker_and_folds(limit: int) -> None:
    text = body(*(subject(n, title="长" * 300) for n in range(1, 41)), limit=limit)
    assert len(text) <= limit
    assert text.startswith(marker(THREAD) + "\n")
    assert text.count("<details>") == text.count("</details>")
    assert "`pytorch/pytorch#1`" in text


def test_nothing_from_outside_gets_out_alive() -> None:
    shown = (subject(1, title=HOSTILE), without(2, AnalysisState.FAILED, HOSTILE))
    text = body(*shown, links=Links(), state=noticed("pause", HOSTILE, author=HOSTILE))
    assert not [line for line in text.split("\n") if re.fullmatch(r"[>\s]*(/lgtm|retry)\s*", line)]
    assert text.count("<!--") == 1
    assert not re.search(r"@\w", text)
    assert "://" not in text
    assert "](" not in text
    assert "Zm9vYmFy" not in text
    assert "<b>" not in text


def test_a_shorter_body_has_no_fold_and_still_its_marker_and_labels() -> None:
    text = shorter(body(subject(1), subject(2, SHIM)))
    assert bears_marker(text, THREAD)
    assert "<details>" not in text
    assert "`pytorch/pytorch#2`" in text


def test_markers_are_told_apart_by_thread_and_subject_and_old_ones_are_found() -> None:
    own = marker(THREAD, "pytorch/pytorch#1")
    assert bears_marker(f"{own}\r\ntext", THREAD, "pytorch/pytorch#1")
    assert not bears_marker(own, THREAD, "pytorch/pytorch#11")
    assert not bears_marker(own, THREAD.model_copy(update={"number": 8}), "pytorch/pytorch#1")
    assert not bears_marker(f"quoted\n{own}", THREAD, "pytorch/pytorch#1")
    assert bears_marker(old_marker("pytorch/pytorch#1"), THREAD, "pytorch/pytorch#1")
    assert not bears_marker(old_marker("pytorch/pytorch#1"), THREAD, "pytorch/pytorch#2")
    assert bears_marker(old_marker("pytorch/pytorch#1"), THREAD)
    assert "--" not in marker(THREAD, "x --> y")[4:-3]
