"""Answers of AtomGit that no other forge gives: each comes out as a value or as the right one of the errors."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from evals.fake_forges.atomgit import AtomgitDialect
from evals.fake_forges.serving import Answer, Call, Dialect, serve
from evals.fake_forges.world import World
from reviewbot.forges.atomgit import AtomgitForge
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.models import ForgeKind, Permission, Thread
from reviewbot.forges.pacing import Bucket
from reviewbot.settings_service import AtomgitSettings

REPOSITORY = "team/backend"
THREAD = Thread(forge=ForgeKind.ATOMGIT, repository=REPOSITORY, number=7)
TOKEN = "token_of_this_test"
ROWS = [{"sha": f"{number:040x}", "commit": {"message": "m"}, "parents": {"shas": []}} for number in range(100)]


class Scripted:
    """Answers in order, the last of them for ever; remembers what was asked."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = deque(answers)
        self.calls: list[Call] = []

    def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        return self._answers.popleft() if len(self._answers) > 1 else self._answers[0]


@contextmanager
def forge_at(dialect: Dialect, **settings: object) -> Iterator[AtomgitForge]:
    with serve(dialect) as url:
        given = AtomgitSettings.model_validate(
            {"api_url": url, "token": TOKEN, "login": "reviewbot", "timeout_seconds": 5, **settings}
        )
        forge = AtomgitForge(given, bucket=Bucket(1_000_000.0), pause=0.0)
        try:
            yield forge
        finally:
            forge.close()


def error_of(ask: Callable[[], object]) -> ForgeError:
    with pytest.raises(ForgeError) as caught:
        ask()
    return caught.value


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (404, ForgeFault.NOT_FOUND),
        ("404", ForgeFault.NOT_FOUND),
        ("403", ForgeFault.FORBIDDEN),
        (418, ForgeFault.REFUSED),
        (400, ForgeFault.REFUSED),
        ("CH.00000403", ForgeFault.UNREADABLE),
    ],
)
def test_the_code_of_an_error_inside_a_success(code: object, fault: ForgeFault) -> None:
    with forge_at(Scripted(Answer(200, {"error_code": code, "error_message": "m"}))) as forge:
        error = error_of(lambda: forge.pull_request(REPOSITORY, 7))
    assert (error.fault, error.status, error.detail) == (fault, 200, "m")


@pytest.mark.parametrize("code", [0, "0", None, "", 200])
def test_a_code_that_is_no_error(code: object) -> None:
    with forge_at(Scripted(Answer(200, {"error_code": code, "access_level": "50"}))) as forge:
        assert forge.permission(REPOSITORY, "ada") is Permission.ADMIN


@pytest.mark.parametrize(
    ("status", "said", "wait"),
    [
        (429, "7", 7.0),
        (429, "nan", 60.0),
        (429, "inf", 60.0),
        (429, "Wed, 21 Oct 2026 07:28:00 GMT", 60.0),
        (429, "-3", 0.0),
        (429, "1e300", 3600.0),
        (503, "120", 120.0),
        (408, "30", 30.0),
        (503, "soon", None),
        (404, "7", None),
    ],
)
def test_how_long_to_wait(status: int, said: str, wait: float | None) -> None:
    with forge_at(Scripted(Answer(status, {}, (("Retry-After", said),)))) as forge:
        error = error_of(lambda: forge.create_comment(THREAD, "x"))
    assert (error.retry_after, error.passing) == (wait, status != 404)


@pytest.mark.parametrize("body", [[1], 5, "<html>", None, {}, {"id": "ab" * 20}])
def test_a_comment_is_found_again_whatever_the_answer_was(body: object) -> None:
    """As the forge keeps it: without blanks around, and with line ends of its own."""
    listed = [
        {"id": 8, "body": "一\r\n\r\n二", "user": {"login": "somebody"}},
        {"id": 9, "body": "一\r\n\r\n二", "user": {"login": "ReviewBot"}},
    ]
    script = Scripted(Answer(201, body), Answer(200, listed))
    with forge_at(script) as forge:
        assert forge.create_comment(THREAD, "一\n\n二\n").id == 9
    assert [call.verb for call in script.calls] == ["POST", "GET"]


def test_a_comment_that_is_not_found_again_may_still_come() -> None:
    with forge_at(Scripted(Answer(201, {}), Answer(200, []))) as forge:
        assert error_of(lambda: forge.create_comment(THREAD, "x")).fault is ForgeFault.UNAVAILABLE


def test_an_edit_that_succeeded_is_done_whatever_it_says() -> None:
    script = Scripted(Answer(200, "<html>"))
    with forge_at(script) as forge:
        assert forge.edit_comment(THREAD, 9, "x").body == "x"
    assert [(call.verb, call.body) for call in script.calls] == [("PATCH", {"body": "x"})]


def test_half_a_character_is_refused_before_it_is_sent() -> None:
    script = Scripted(Answer(201, {"note_id": 1}))
    with forge_at(script) as forge:
        error = error_of(lambda: forge.create_comment(THREAD, "\ud800"))
    assert (error.fault, script.calls) == (ForgeFault.REFUSED, [])


@pytest.mark.parametrize("body", [None, {}, {"message": "?"}, "", "[" * 50_000, [7], {"count": 1}])
def test_a_list_of_another_shape_is_not_an_empty_one(body: object) -> None:
    with forge_at(Scripted(Answer(200, body))) as forge:
        for ask in (lambda: forge.comments(THREAD), lambda: forge.diff(REPOSITORY, 7)):
            assert error_of(ask).fault is ForgeFault.UNREADABLE


def test_an_address_without_pages_is_read_once() -> None:
    script = Scripted(Answer(200, ROWS))
    with forge_at(script) as forge:
        assert [one.sha for one in forge.commits(REPOSITORY, 7)] == [row["sha"] for row in reversed(ROWS)]
    assert [call.query["page"] for call in script.calls] == ["1", "2"]


def test_replies_are_comments_too() -> None:
    said = {"id": 9, "body": "q", "user": {"login": "ada"}, "reply": [{"id": "11", "body": "a", "user": {}}]}
    with forge_at(Scripted(Answer(200, [{"id": 10, "body": "z", "reply": None}, said]))) as forge:
        assert [(one.id, one.body) for one in forge.comments(THREAD)] == [(9, "q"), (10, "z"), (11, "a")]


@pytest.mark.parametrize("user", [{"login": None, "username": "bot"}, {"username": "bot"}, {"login": "bot"}])
def test_the_own_login_by_either_name(user: object) -> None:
    with forge_at(Scripted(Answer(200, user)), login=None) as forge:
        assert forge.login == "bot"


@pytest.mark.parametrize("user", [{"login": None}, {}, []])
def test_no_login_is_no_word(user: object) -> None:
    with forge_at(Scripted(Answer(200, user)), login=None) as forge:
        assert error_of(lambda: forge.login).fault is ForgeFault.UNREADABLE


@pytest.mark.parametrize(("most", "whole"), [(None, True), (30, True), (20, False)])
def test_files_as_many_as_a_page_holds_are_counted(most: int | None, whole: bool) -> None:
    world = World()
    parts = [f"diff --git a/{n}.py b/{n}.py\n--- a/{n}.py\n+++ b/{n}.py\n@@ -1 +1 @@\n-a\n+b\n" for n in range(30)]
    world.open_pull(REPOSITORY, 7, "t", "".join(parts))
    with forge_at(AtomgitDialect(world, token=TOKEN, most_files=most)) as forge:
        if whole:
            assert forge.diff(REPOSITORY, 7).count(b"diff --git ") == 30
        else:
            assert error_of(lambda: forge.diff(REPOSITORY, 7)).fault is ForgeFault.TOO_LARGE


def test_no_redirect_takes_the_token_along() -> None:
    other = Scripted(Answer(200, {}))
    with serve(other) as elsewhere:
        moved = Scripted(Answer(302, {}, (("Location", f"{elsewhere}/user"),)))
        with forge_at(moved, login=None) as forge:
            assert error_of(lambda: forge.login).fault is ForgeFault.UNREADABLE
    assert (len(moved.calls), other.calls) == (1, [])


@pytest.mark.parametrize("token", ["tök-of-this-test", "two\nlines-of-this-test"])
def test_a_token_that_no_header_holds_is_told_without_it(token: str) -> None:
    with forge_at(AtomgitDialect(World(), token=TOKEN), token=token) as forge:
        error = error_of(lambda: forge.pull_request(REPOSITORY, 7))
    assert (error.fault, error.passing) == (ForgeFault.FORBIDDEN, False)
    assert "of-this-test" not in f"{error!r} {error} {json.dumps(error.detail)}"


def test_the_token_is_in_its_header_and_in_no_address() -> None:
    script = Scripted(Answer(200, []))
    with forge_at(script) as forge:
        forge.comments(THREAD)
    (call,) = script.calls
    assert call.headers["private-token"] == TOKEN
    assert TOKEN not in f"{call.path} {dict(call.query)}"


def test_a_token_that_the_forge_sends_back_is_left_out() -> None:
    with forge_at(Scripted(Answer(401, {"message": f"bad token {TOKEN} given"}))) as forge:
        error = error_of(lambda: forge.pull_request(REPOSITORY, 7))
    assert (error.fault, error.detail) == (ForgeFault.FORBIDDEN, "bad token given")
