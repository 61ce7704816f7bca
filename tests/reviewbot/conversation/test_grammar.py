"""What is a command, what is none, and what is said of a wrong one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.conversation.grammar import Command, NotACommand, Verb, WrongCommand, parse
from reviewbot.conversation.help_text import MARKDOWN


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("/upstream-review", Command(Verb.REVIEW)),
        ("/upstream-review  AGAIN \r\n", Command(Verb.AGAIN)),
        ("看起来不对\n/upstream-review explain\n谢谢", Command(Verb.EXPLAIN)),
        ("／upstream-review pause", Command(Verb.PAUSE)),
        ("/upstream-review accept pytorch/pytorch#7", Command(Verb.ACCEPT, "pytorch/pytorch#7")),
        (
            '/upstream-review correct verdict=test risk=中 needs_adaptation=否 compile_stage=无 note="先跑 用例"',
            Command(
                Verb.CORRECT,
                labels={"verdict": "Test", "risk": "medium", "needs_adaptation": "否", "compile_stage": None},
                note="先跑 用例",
            ),
        ),
        ("/upstream-review correct a#1 risk=low note=“x y”", Command(Verb.CORRECT, "a#1", {"risk": "low"}, "x y")),
        ("```\n/upstream-review again\n```\n/upstream-review help", Command(Verb.HELP)),
        ("/upstream-review help\n/upstream-review help", Command(Verb.HELP)),
    ],
)
def test_commands(body: str, wanted: Command) -> None:
    assert parse(body) == wanted


@pytest.mark.parametrize(
    "body",
    [
        "",
        "> /upstream-review",
        "use /upstream-review",
        "`/upstream-review`",
        "    /upstream-review",
        "- /upstream-review",
        "```\n/upstream-review\n```",
        "````\n```\n/upstream-review\n````",
        "~~~\n```\n/upstream-review",
        "<!--\n/upstream-review\n-->",
        "/upstream-reviews",
        "/upstream-review/x",
        "/retry",
    ],
)
def test_no_commands(body: str) -> None:
    assert parse(body) == NotACommand()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("agian", "没有“agian”这个命令"),
        ("again now", "again 之后不能有“now”"),
        ("accept a b", "“b”"),
        ("correct", "至少要有一个字段"),
        ("correct note=x", "至少要有一个字段"),
        ("correct verdict=Maybe", "Check"),
        ("correct colour=red", "没有“colour”这个字段"),
        ("correct risk=low risk=high", "写了两次"),
        ("correct risk=", "没有值"),
        ("correct a#1 risk", "字段=值"),
        ('correct risk=low note="x', "引号没有闭合"),
        ("pause\n/upstream-review resume", "有 2 个，均未执行"),
    ],
)
def test_wrong_commands_say_what_is_wrong(line: str, why: str) -> None:
    parsed = parse(f"/upstream-review {line}")
    assert isinstance(parsed, WrongCommand)
    assert why in parsed.why


def test_the_help_names_every_command_and_none_of_its_lines_is_one() -> None:
    for verb in Verb:
        assert f"/upstream-review{'' if verb is Verb.REVIEW else f' {verb}'}" in MARKDOWN
    assert parse(MARKDOWN) == NotACommand()


@settings(max_examples=100, deadline=None)
@given(st.text(), st.lists(st.text(alphabet='ab="“” #\n/>`', max_size=8), max_size=5))
def test_any_text_is_parsed(before: str, words: list[str]) -> None:
    assert isinstance(parse(f"{before}\n/upstream-review {' '.join(words)}"), Command | NotACommand | WrongCommand)
