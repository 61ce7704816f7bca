"""The verifier over whole drafts: what is kept, what goes, and how the analysis ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.citations import render_citations
from reviewbot.drafting.model.prompt import LeftOut, assemble
from reviewbot.drafting.model.words import hunks_unread
from reviewbot.drafting.model.writer import finished
from reviewbot.legible import legible
from reviewbot.models import AnalysisState, Draft, FindingKind, NeedsAdaptation
from reviewbot.verification.checks.language import MAX_ANALYSIS, MAX_SUMMARY
from reviewbot.verification.names import ChangeNames, TreeNames
from reviewbot.verification.sentences import split_sentences
from reviewbot.verification.verify import fact_summary, final_state
from tests.reviewbot.model_cases import dossier
from tests.reviewbot.verify_cases import CHANGE, DELTA, LABELS, LEDGER, QUIET, checked
from tests.support import values

GOOD = (
    "本 PR 修改 torch/_mill/gears.py（+3/-1，A 轨），spin 新增仅关键字参数 quiet=False。"
    "torch_npu 在 [E1] 以 register_lowering 注册 aten.spin，签名缺少参数 quiet；在 [E2] 覆写 Gear.turn。"
    "halt 0 命中（[Z1]）。需为 [E1] 的签名补上 quiet。"
    "验证方法：在 NPU 上运行 test/mill/test_gears.py::TestGears::test_spin。潜在风险：不传 quiet 的用例照常通过。"
)
ALONE = values.ledger(values.missing("halt"), values.missing("Brake"))


def test_a_true_draft_is_kept_whole() -> None:
    draft = checked(GOOD)
    assert draft.findings == ()
    assert draft.removed == ()
    assert draft.analysis == GOOD
    assert draft.cited == ("E1", "E2", "Z1")
    assert final_state(draft, LEDGER) == (draft, AnalysisState.DONE, "")


def test_false_sentences_go_and_are_listed() -> None:
    lie = "torch_npu 在 [E2] 继承 aten.spin。"
    draft = checked(GOOD + lie + "torch_npu 在 [E9] 覆写。")
    assert draft.analysis == GOOD
    assert draft.removed == (lie, "torch_npu 在 [E9] 覆写。")
    assert {finding.sentence for finding in draft.findings} == set(draft.removed)


def test_a_summary_is_one_proved_sentence() -> None:
    assert checked(GOOD, summary="上游为 spin 新增参数。").summary == "上游为 spin 新增参数。"
    for bad in (
        "上游改写 spin。另有改动。",
        "",
        "上游新增 no_such_name。",
        "上游" + "改" * MAX_SUMMARY,
        "Fixes a bug.",
        "torch_npu 在 [E2] 覆写 Gear.turn。",
    ):
        draft = checked(GOOD, summary=bad)
        assert draft.summary == fact_summary(CHANGE)
        assert draft.findings
        assert bad in draft.removed or not bad


def test_the_fact_summary_says_what_is_known() -> None:
    partial = CHANGE.model_copy(update={"diff_complete": False, "reverted": True, "number": None})
    assert fact_summary(CHANGE) == "上游 PR 4242 修改 torch/_mill/gears.py 等 2 个文件。"
    assert fact_summary(partial) == "上游改动 修改 torch/_mill/gears.py（已被 Revert）。"
    assert fact_summary(CHANGE.model_copy(update={"files": ()})) == "上游 PR 4242 未改动任何文件。"
    assert checked(GOOD, summary="").summary == fact_summary(CHANGE)


def test_too_long_is_cut_from_the_end_and_the_top_item_stays() -> None:
    filler = "上游该函数的实现细节较多，此处按提交顺序说明其来龙去脉以便读者对照。" * 40
    draft = checked(filler + "torch_npu 在 [E1] 注册 aten.spin。需同步修改 [E1]。")
    assert len(render_citations(draft.analysis, LEDGER)) <= MAX_ANALYSIS
    assert "E1" in draft.cited
    assert {finding.kind for finding in draft.findings} == {FindingKind.LENGTH}


def test_a_text_that_leans_on_english_loses_its_least_chinese_sentences() -> None:
    english = "将 the new lowering for this kind of op 接到 the old default path 上。"
    draft = checked(english + "halt 0 命中（[Z1]）。", labels=QUIET, ledger=ALONE)
    assert draft.analysis == "halt 0 命中（[Z1]）。"
    assert [finding.kind for finding in draft.findings] == [FindingKind.NOT_CHINESE]


def test_without_the_top_item_it_is_insufficient() -> None:
    draft = checked("torch_npu 在 [E2] 覆写 Gear.turn。需同步修改 [E2]。")
    assert [finding.kind for finding in draft.findings] == [FindingKind.UNCITED_CLAIM]
    settled, state, reason = final_state(draft, LEDGER)
    assert state is AnalysisState.EVIDENCE_INSUFFICIENT
    assert "首位" in reason
    assert settled.labels.needs_adaptation is NeedsAdaptation.UNCLEAR


def test_without_any_hit_it_is_insufficient() -> None:
    draft = checked("halt 0 命中（[Z1]）。", labels=QUIET)
    assert final_state(draft, LEDGER)[1] is AnalysisState.EVIDENCE_INSUFFICIENT


def test_an_empty_ledger_asks_for_a_counted_miss() -> None:
    with_miss = checked("halt 0 命中（[Z1]），无需适配。", labels=QUIET, ledger=ALONE)
    assert final_state(with_miss, ALONE)[1] is AnalysisState.DONE
    without = checked("本 PR 修改 torch/_mill/gears.py。", labels=QUIET, ledger=ALONE)
    settled, state, _ = final_state(without, ALONE)
    assert state is AnalysisState.EVIDENCE_INSUFFICIENT
    assert settled.analysis == "本 PR 修改 torch/_mill/gears.py。"


def test_an_insufficient_record_says_nothing_against_its_label() -> None:
    draft = checked("torch_npu 在 [E2] 覆写 Gear.turn。无需适配。", summary="上游改写 spin，无需适配。", labels=QUIET)
    settled, state, _ = final_state(draft, LEDGER)
    assert state is AnalysisState.EVIDENCE_INSUFFICIENT
    assert settled.labels.needs_adaptation is NeedsAdaptation.UNCLEAR
    assert settled.analysis == "torch_npu 在 [E2] 覆写 Gear.turn。"
    assert "无需" not in settled.summary
    assert settled.removed == ("无需适配。", "上游改写 spin，无需适配。")


def test_nothing_left_is_said_plainly() -> None:
    draft = checked("Nothing here is Chinese.")
    settled, state, reason = final_state(draft, LEDGER)
    assert draft.analysis == ""
    assert state is AnalysisState.EVIDENCE_INSUFFICIENT
    assert reason
    assert settled.analysis
    assert settled.cited == ()


def test_flags_without_proof_end_as_insufficient() -> None:
    draft = checked("torch_npu 在 [E1] 注册 aten.spin。")  # 需改码 = 是, and nothing says what to change
    settled, state, reason = final_state(draft, LEDGER)
    assert state is AnalysisState.EVIDENCE_INSUFFICIENT
    assert "需改码" in reason
    assert settled.labels == LABELS.model_copy(update={"needs_adaptation": NeedsAdaptation.UNCLEAR})


def test_hostile_titles_never_break_it() -> None:
    for title in ("[E99] x", "》torch_npu 引用 spin。《", "`" * 9, "[E1]", "a\nb"):
        change = CHANGE.model_copy(update={"title": title})
        draft = checked(GOOD, summary=f"上游提交《{title}》。", change=change)
        render_citations(draft.summary, LEDGER)
        assert "引用 spin" not in draft.summary


def test_names_ask_the_trees_last_and_once() -> None:
    asked: list[str] = []

    def count(word: str) -> tuple[int, int]:
        asked.append(word)
        return (1, 1) if word == "WheelRim" else (0, 0)

    known = ChangeNames(CHANGE, DELTA, LEDGER)
    lookup = TreeNames(known, [{"torch/_mill/wheels.py"}.__contains__], [count])
    assert lookup.word_exists("spin")
    assert lookup.word_exists("NPUGear")
    assert lookup.word_exists("new")  # a word of the diff
    assert asked == []
    assert lookup.word_exists("WheelRim")
    assert not lookup.word_exists("no_such")
    assert not lookup.word_exists("no_such")
    assert asked == ["WheelRim", "no_such"]
    assert lookup.path_exists("torch/_mill/wheels.py")
    assert lookup.path_exists("torch/_mill/gears.py")
    assert lookup.path_exists("torch/_mill")
    assert not lookup.path_exists("torch/_mill/none.py")


def test_the_body_of_a_pull_request_proves_no_name() -> None:
    change = CHANGE.model_copy(update={"body": "Renames no_such_name in torch/_mill/none.py."})
    known = ChangeNames(change, DELTA, LEDGER)
    assert not known.word_exists("no_such_name")
    assert not known.path_exists("torch/_mill/none.py")


# fmt: off
PIECES = st.sampled_from([
    "torch_npu 在 ", "[E1]", "[E2]", "[E3]", "[Z1]", "[E40]", " 覆写 ", " 引用 ", " 注册 ", "未", "没有", "spin",
    "Gear.turn", "aten.spin", "halt", "。", "；", "，", "（", "）", "“", "”", "`", '"', "\n", "两处", "0 命中",
    "本 PR ", "是", "mill_npu/mill.py", "无需适配", "需同步修改", "《", "》", "验证方法：", "3 个文件", "+3/-1", "x",
])
# fmt: on


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_whatever_is_kept_was_drafted_and_holds_when_read_again(text: str) -> None:
    once = checked(text)
    kept, seen, at = split_sentences(once.analysis), legible(text), 0
    for sentence in kept:
        at = seen.index(sentence.strip(), at) + 1
    again = checked(once.analysis)
    assert again.analysis == once.analysis
    assert again.removed == ()
    assert set(once.cited) <= {"E1", "E2", "E3", "Z1"}
    render_citations(once.analysis, LEDGER)
    settled, _, _ = final_state(once, LEDGER)
    render_citations(settled.analysis + settled.summary, LEDGER)


@pytest.mark.parametrize("mark", ["", "。", "；", ".", "!", "?", ";", "…"])
def test_a_note_behind_a_draft_is_a_sentence_of_its_own(mark: str) -> None:
    """However a model ends its paragraph, what is wrong with its last sentence takes no note along."""
    asked = dossier()
    draft = Draft(labels=LABELS, needs_work_score=0.5, summary="", analysis=f"甲 [E1]{mark}", writer="m")
    prompt = replace(assemble(asked, len, 100_000), left_out=LeftOut(hunks=3))
    first, note = split_sentences(finished(draft, asked, prompt).analysis)
    assert first.startswith("甲 [E1]")
    assert note == hunks_unread(3)
