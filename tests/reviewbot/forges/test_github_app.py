"""As an App: tokens of installations, one check run per commit, keys of no use, and limits that are not slept on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from evals.fake_forges.github import GithubDialect
from evals.fake_forges.github_app import APP_ID, MOST_SUMMARY
from evals.fake_forges.serving import Answer, Call, serve
from evals.fake_forges.world import FakeCheck, World
from reviewbot.errors import SettingsError
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.github import GithubForge
from reviewbot.forges.models import CheckState, ForgeKind, Thread
from reviewbot.forges.pacing import Bucket
from reviewbot.settings_service import GithubSettings

REPOSITORY = "team/backend"
HEAD = "c" * 40


def forge_at(url: str, **settings: object) -> GithubForge:
    bucket = Bucket(1_000_000.0)
    given = GithubSettings.model_validate({"api_url": url, "timeout_seconds": 5, **settings})
    return GithubForge(given, writes=bucket, requests=bucket, pause=0.0)


@dataclass(frozen=True)
class Bench:
    world: World
    forge: GithubForge


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("app") / "key.pem"
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2048)
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
    return file


@pytest.fixture
def bench(key_file: Path) -> Iterator[Bench]:
    world = World("reviewbot[bot]")
    world.installations["team"] = 31
    world.open_pull(REPOSITORY, 7, "t")
    with serve(GithubDialect(world)) as url:
        forge = forge_at(url, app_id=APP_ID, app_key_file=key_file)
        yield Bench(world, forge)
        forge.close()


def test_an_app_writes_by_its_own_login(bench: Bench) -> None:
    thread = Thread(forge=ForgeKind.GITHUB, repository=REPOSITORY, number=7)
    assert bench.forge.create_comment(thread, "x").author == bench.forge.login == "reviewbot[bot]"


def test_one_check_run_per_commit_is_made_and_then_changed(bench: Bench) -> None:
    bench.world.checks[1] = FakeCheck(1, REPOSITORY, HEAD, "reviewbot", app_id=99, status="completed")
    states = [CheckState.RUNNING, CheckState.FAILED, CheckState.NEUTRAL]
    seen = []
    for state in states:
        assert bench.forge.report_check(REPOSITORY, HEAD, state, "t", "s" * (MOST_SUMMARY + 5))
        mine = [one for one in bench.world.checks.values() if one.app_id == APP_ID]
        seen += [(len(mine), mine[0].status, mine[0].conclusion, len(mine[0].summary))]
    assert seen == [
        (1, "in_progress", None, MOST_SUMMARY),
        (1, "completed", "failure", MOST_SUMMARY),
        (1, "completed", "neutral", MOST_SUMMARY),
    ]
    assert bench.world.checks[1].title == "", "another App's run of the same name is left alone"


def test_where_the_app_is_not_installed_it_reads_what_is_public(bench: Bench) -> None:
    bench.world.open_pull("upstream/project", 3, "public")
    assert bench.forge.pull_request("upstream/project", 3).title == "public"
    with pytest.raises(ForgeError) as caught:
        bench.forge.report_check("upstream/project", HEAD, CheckState.NEUTRAL, "t", "s")
    assert caught.value.fault is ForgeFault.FORBIDDEN


@pytest.mark.parametrize("content", [None, "", "no key", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END"])
def test_a_key_of_no_use_is_one_sentence_that_names_it(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "key.pem"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    forge = forge_at("http://127.0.0.1:9", app_id=APP_ID, app_key_file=file)
    for ask in (lambda: forge.pull_request(REPOSITORY, 7), lambda: forge.login):
        with pytest.raises(SettingsError, match=r"github\.app_key_file") as caught:
            ask()
        assert str(file) in str(caught.value)
        assert "AAAA" not in str(caught.value)


class Always:
    """Answers every call alike, and counts them."""

    def __init__(self, status: int, said: str, **headers: str) -> None:
        self.calls = 0
        named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        self._answer = Answer(status, {"message": said}, named)

    def answer(self, call: Call) -> Answer:
        self.calls += 1
        return self._answer


def asked(dialect: Always) -> ForgeError:
    with serve(dialect) as url:
        forge = forge_at(url, token="t")
        with pytest.raises(ForgeError) as caught:
            forge.pull_request(REPOSITORY, 7)
        forge.close()
    return caught.value


@pytest.mark.parametrize("status", [403, 429, 503])
@pytest.mark.parametrize(("said", "wait"), [("3600", 3600.0), ("soon", None)])
def test_a_long_or_odd_wait_is_left_to_the_caller(status: int, said: str, wait: float | None) -> None:
    dialect = Always(status, "You have triggered an abuse detection mechanism", Retry_After=said)
    error = asked(dialect)
    assert (dialect.calls, error.status, error.passing) == (1, status, True)
    assert error.retry_after == (wait if wait or status == 503 else 60.0)


def test_a_limit_that_lasts_is_still_a_limit_after_the_last_try() -> None:
    dialect = Always(403, "You have exceeded a secondary rate limit", Retry_After="0")
    error = asked(dialect)
    assert (dialect.calls, error.fault, error.status) == (4, ForgeFault.RATE_LIMITED, 403)


def test_the_reset_counts_for_a_limit_that_is_used_up_and_not_for_a_secondary_one() -> None:
    reset = str(int(time.time()) + 1800)
    used_up = asked(Always(403, "API rate limit exceeded", X_RateLimit_Remaining="0", X_RateLimit_Reset=reset))
    assert used_up.retry_after == pytest.approx(1800, abs=60)
    secondary = Always(
        403, "You have exceeded a secondary rate limit", X_RateLimit_Remaining="9", X_RateLimit_Reset=reset
    )
    assert asked(secondary).retry_after == 60.0
