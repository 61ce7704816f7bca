"""The steps of a review: what was asked for is not lost, what fails fails alone, a comment has one writer at a time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reviewbot.drafting.fallback import FallbackWriter
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Dossier, Written
from reviewbot.errors import WriterError, WriterFault
from reviewbot.models import AnalysisState, Finding
from reviewbot.service.models import ReviewState, Trigger
from tests.reviewbot.reviewing.desks import REPOSITORY, THREAD, TITLE, setting
from tests.support.upstream_and_downstream import Pair, pair


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return pair(tmp_path_factory.mktemp("repositories"))


@pytest.mark.parametrize("begun", [True, False])
def test_a_push_does_not_take_away_what_a_person_asked_for(tmp_path: Path, repositories: Pair, begun: bool) -> None:
    with setting(tmp_path, repositories) as at:
        at.order("first")
        assert at.run("first").state is ReviewState.POSTED
        at.order("asked", again=True, trigger=Trigger.COMMAND)
        if begun:
            at.store.reviews.claim_due(at.review("asked").due_at)
            assert at.desk.fetch("asked") == 1
        at.order("pushed")
        if begun:
            assert not at.desk.analyse("asked", 0)
        assert at.review("asked").state is ReviewState.SUPERSEDED
        assert at.run("pushed").state is ReviewState.POSTED


def test_what_an_edited_title_names_is_reviewed_at_the_same_head(tmp_path: Path, repositories: Pair) -> None:
    with setting(tmp_path, repositories) as at:
        at.order("first")
        at.run("first")
        at.order("repeated")
        assert at.run("repeated").state is ReviewState.UNCHANGED
        at.world.pulls[REPOSITORY, 7].title = f"{TITLE} 和 pytorch/pytorch#124"
        at.order("edited")
        assert at.run("edited").state is ReviewState.POSTED
        assert len(at.store.reviews.outcomes("edited")) == 2
        assert len(at.comments()) == 1


def test_commands_at_the_same_time_share_one_comment(tmp_path: Path, repositories: Pair) -> None:
    with setting(tmp_path, repositories) as at:
        together = threading.Barrier(2)

        def answer() -> None:
            together.wait()
            at.desk.republish(THREAD)

        threads = [threading.Thread(target=answer) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        created = [one for one in at.world.writes if one.verb == "POST"]
        assert len(created) == len(at.comments()) == 1


class Broken:
    """Fails for a reason nobody foresaw."""

    name = "broken"

    @property
    def versions(self) -> dict[str, str]:
        return {}

    def write(self, dossier: Dossier) -> Written:
        raise KeyError("signature")

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> None: ...


def test_an_error_nobody_foresaw_ends_its_subject_and_not_the_review(tmp_path: Path, repositories: Pair) -> None:
    with setting(tmp_path, repositories, writer=Broken()) as at:
        at.order("first")
        assert at.run("first").state is ReviewState.POSTED
        (outcome,) = at.store.reviews.outcomes("first")
        assert outcome.state is AnalysisState.FAILED
        assert "KeyError" in outcome.reason


class Once(TemplateWriter):
    """A model that fails the first time only."""

    def __init__(self) -> None:
        self.calls = 0

    def write(self, dossier: Dossier) -> Written:
        self.calls += 1
        if self.calls == 1:
            raise WriterError("模型没有回答", WriterFault.UNAVAILABLE)
        return super().write(dossier)


def test_a_model_that_failed_once_is_kept_as_reason_of_that_analysis_alone(tmp_path: Path, repositories: Pair) -> None:
    shared = FallbackWriter(Once())
    with setting(tmp_path, repositories, writer=shared) as at:
        at.order("first")
        at.run("first")
        at.order("second", again=True)
        at.run("second")
        (failed,), (well,) = at.store.reviews.outcomes("first"), at.store.reviews.outcomes("second")
        assert "模型没有回答" in failed.reason
        assert "模型没有回答" not in well.reason
        assert shared.failure is None, "the one that all analyses share stays as it was"


def test_a_review_that_was_superseded_and_fails_leaves_the_comment_alone(tmp_path: Path, repositories: Pair) -> None:
    with setting(tmp_path, repositories) as at:
        at.order("first")
        at.run("first")
        before = at.comments()
        at.order("second", again=True)
        at.store.reviews.claim_due(at.review("second").due_at)
        assert at.desk.fetch("second") == 1
        at.order("third")
        at.desk.fail("second", "坏了")
        assert at.review("second").state is ReviewState.FAILED
        assert at.comments() == before


@pytest.mark.parametrize("why", ["closed", "draft", "paused"])
def test_a_push_that_nobody_waits_for_any_more_is_not_reviewed(tmp_path: Path, repositories: Pair, why: str) -> None:
    with setting(tmp_path, repositories) as at:
        at.order("pushed")
        pull = at.world.pulls[REPOSITORY, 7]
        pull.state, pull.draft = ("closed" if why == "closed" else "open"), why == "draft"
        if why == "paused":
            at.store.threads.pause(THREAD, "ada")
        ended = at.run("pushed")
        assert (ended.state, bool(ended.reason)) == (ReviewState.CANCELLED, True)
        at.order("asked", again=True, trigger=Trigger.COMMAND)
        assert at.run("asked").state is ReviewState.POSTED, "who asks for it gets it"


def test_what_is_only_shown_counts_as_no_review(tmp_path: Path, repositories: Pair) -> None:
    with setting(tmp_path, repositories) as at:
        shown: list[str] = []
        dry = replace(at.desk, show=shown.append)
        at.order("dry")
        at.store.reviews.claim_due(at.review("dry").due_at)
        for position in range(dry.fetch("dry")):
            dry.analyse("dry", position)
        dry.publish("dry")
        assert (at.review("dry").state, len(shown), at.comments()) == (ReviewState.SHOWN, 1, [])
        at.order("real")
        assert at.run("real").state is ReviewState.POSTED
