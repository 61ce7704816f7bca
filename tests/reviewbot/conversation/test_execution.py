"""Who may say what (every command, every role), what it does, and what is answered."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reviewbot.conversation.execution import Judged, Ports, answer
from reviewbot.conversation.records import labelled_record
from reviewbot.events.models import Actor, CommentWritten
from reviewbot.forges.models import Permission, Thread
from reviewbot.models import Verdict
from reviewbot.service.models import Correction, CorrectionKind, Notice, ThreadState
from tests.reviewbot.analyses import example
from tests.reviewbot.publishing.cases import NOW, SHIM, TEST, THREAD
from tests.reviewbot.publishing.memory_forge import MemoryForge

COMMANDS = {
    "": "order",
    "again": "order again",
    "explain": "",
    "accept": "accepted",
    "correct risk=high": "corrected",
    "pause": "pause",
    "resume": "",
    "help": "",
}


class Effects:
    """All ports in one; ``done`` says what was asked of them."""

    def __init__(self, *judged: Judged, paused_by: str = "") -> None:
        self.done: list[str] = []
        self.kept: list[Correction] = []
        self.notices: list[Notice] = []
        self.paused_by = paused_by
        self._judged = judged

    def order(self, thread: Thread, by: str, *, again: bool) -> None:
        self.done.append("order again" if again else "order")

    def state(self, thread: Thread) -> ThreadState:
        return ThreadState(thread=thread, paused_by=self.paused_by)

    def pause(self, thread: Thread, by: str) -> None:
        self.done.append("pause")

    def resume(self, thread: Thread) -> None:
        self.done.append("resume")

    def notice(self, thread: Thread, notice: Notice) -> None:
        self.notices.append(notice)

    def add(self, correction: Correction) -> int:
        self.kept.append(correction)
        self.done.append(correction.kind)
        return len(self.kept)

    def judged(self, thread: Thread) -> tuple[Judged, ...]:
        return self._judged


ONE = Judged("pytorch/pytorch#1", 11, TEST)
TWO = Judged("pytorch/pytorch#2", 12, SHIM)


def say(
    line: str,
    effects: Effects,
    *,
    login: str = "ann",
    bot: bool = False,
    permission: Permission = Permission.WRITE,
    forge: MemoryForge | None = None,
) -> Notice | None:
    forge = forge or MemoryForge()
    forge.permissions[login] = permission
    event = CommentWritten(
        thread=THREAD, comment_id=5, body=f"/upstream-review {line}", actor=Actor(login=login, bot=bot)
    )
    return answer(event, forge, Ports(effects, effects, effects, effects), NOW)


@pytest.mark.parametrize("line", COMMANDS)
@pytest.mark.parametrize("permission", Permission)
def test_permission_matrix_of_people(line: str, permission: Permission) -> None:
    effects, forge = Effects(ONE), MemoryForge()
    notice = say(line, effects, permission=permission, forge=forge)
    assert notice is not None
    assert effects.notices == [notice]
    if permission in {Permission.WRITE, Permission.ADMIN}:
        assert effects.done == ([COMMANDS[line]] if COMMANDS[line] else [])
        assert "没有执行" not in notice.text
    else:
        assert effects.done == []
        assert notice.command == "refused"
        assert "写权限" in notice.text


@pytest.mark.parametrize("line", [*COMMANDS, "nonsense"])
@pytest.mark.parametrize(
    ("login", "bot"), [("ci", True), ("helper[bot]", False), ("reviewbot", False), ("ReviewBot", False)]
)
def test_bots_and_ourselves_are_never_answered(line: str, login: str, bot: bool) -> None:
    effects, forge = Effects(ONE), MemoryForge()
    assert say(line, effects, login=login, bot=bot, permission=Permission.ADMIN, forge=forge) is None
    assert effects.done == []
    assert effects.notices == []
    assert forge.calls == []
    assert forge.acknowledged == []


def test_text_without_a_command_asks_the_forge_nothing() -> None:
    effects, forge = Effects(ONE), MemoryForge()
    event = CommentWritten(thread=THREAD, comment_id=5, body="nice", actor=Actor(login="ann"))
    assert answer(event, forge, Ports(effects, effects, effects, effects), NOW) is None
    assert forge.calls == []


def test_a_wrong_command_gets_its_reason_and_is_acknowledged() -> None:
    effects, forge = Effects(ONE), MemoryForge()
    notice = say("agian", effects, forge=forge)
    assert notice is not None
    assert notice.command == "wrong"
    assert "没有“agian”这个命令" in notice.text
    assert effects.done == []
    assert forge.acknowledged == [5]


def test_a_correction_keeps_what_it_does_not_name() -> None:
    effects = Effects(ONE)
    say('correct verdict=Shim needs_adaptation=是 note="x y"', effects)
    kept = effects.kept[0]
    assert kept.labels == TEST.model_copy(update={"verdict": Verdict.SHIM, "needs_adaptation": SHIM.needs_adaptation})
    assert (kept.note, kept.author, kept.at, kept.analysis, kept.thread) == ("x y", "ann", NOW, 11, THREAD)


@pytest.mark.parametrize(
    ("line", "judged", "why"),
    [
        ("correct verdict=Shim", (ONE,), "即需要修改 torch_npu 代码"),
        ("correct verdict=Check needs_adaptation=是", (ONE,), "需要改码请用 Shim"),
        ("correct verdict=Check risk=high", (ONE,), "风险不能为 high"),
        ("correct npu_affected=否 risk=high", (ONE,), "“影响 NPU”为否"),
        ("correct risk=medium", (ONE,), "请用 accept"),
        ("accept", (), "还没有"),
        ("accept", (ONE, TWO), "请写明是哪一个：pytorch/pytorch#1、pytorch/pytorch#2"),
        ("accept pytorch/pytorch#3", (ONE, TWO), "没有名为 pytorch/pytorch#3"),
    ],
)
def test_what_is_refused_with_a_sentence(line: str, judged: tuple[Judged, ...], why: str) -> None:
    effects = Effects(*judged)
    notice = say(line, effects)
    assert notice is not None
    assert notice.text.startswith("没有执行：")
    assert why in notice.text
    assert effects.kept == []


def test_a_subject_is_named() -> None:
    effects = Effects(ONE, TWO)
    say("accept PyTorch/pytorch#2", effects)
    assert [(one.analysis, one.kind, one.labels) for one in effects.kept] == [(12, CorrectionKind.ACCEPTED, SHIM)]


def test_pausing_twice_is_pausing_once() -> None:
    effects = Effects(paused_by="bea")
    say("pause", effects)
    say("resume", effects)
    assert effects.done == ["resume"]


def test_a_correction_becomes_a_labelled_record() -> None:
    correction = Correction(
        analysis=1,
        kind=CorrectionKind.CORRECTED,
        labels=SHIM,
        note="见 @all",
        author="ann",
        at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    row = labelled_record(correction, example(number=7))
    assert (row.upstream_pr, row.labels, row.analyst) == (7, SHIM, "ann")
    assert row.analysis.endswith("人工更正（2026-01-02）：见 ＠all")
    assert "mill_npu/gears.py" in row.analysis
