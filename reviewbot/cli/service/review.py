"""``reviewbot review URL``: one pull request reviewed from the command line, through the forge's adapter."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot.cli import options
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.cli.service import words
from reviewbot.cli.settings import load, output_for
from reviewbot.cli.writing import WriterOption, open_chosen_writer
from reviewbot.errors import OptionsError

if TYPE_CHECKING:
    from reviewbot.forges.models import Thread
    from reviewbot.reviewing import Desk
    from reviewbot.service.models import Review
    from reviewbot.settings import Settings


def review(
    url: Annotated[str, typer.Argument(metavar="URL", help=words.ARGUMENT_URL)],
    again: Annotated[bool, typer.Option("--again", help=words.OPTION_AGAIN)] = False,
    post: Annotated[bool, typer.Option("--post", help=words.OPTION_POST)] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=words.OPTION_DRY_RUN)] = False,
    writer: WriterOption = None,
    downstream: options.Downstream = None,
    upstream: options.Upstream = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    if post and dry_run:
        raise OptionsError(words.BOTH, ("--post", "--dry-run"))
    loaded = load(config, downstream=downstream, upstream=upstream)
    settings, output = loaded.settings, output_for(loaded)
    thread = _thread(url, settings)
    from reviewbot.reviewing import open_desk

    show = None if post and not settings.review.dry_run else output.raw
    with (
        open_chosen_writer(writer, settings, output) as chosen,
        open_desk(settings, chosen, f"{socket.gethostname()}:{os.getpid()}", show) as desk,
    ):
        return _told(desk, _reviewed(desk, thread, output, again=again or show is not None), output)


def _thread(url: str, settings: Settings) -> Thread:
    from reviewbot.cli.service.address import thread_at
    from reviewbot.forges.models import ThreadKind

    thread = thread_at(url, settings)
    if thread is None:
        raise OptionsError(words.unknown_address(url), ("URL",))
    if thread.kind is not ThreadKind.PULL:
        raise OptionsError(words.not_a_pull(thread.key), ("URL",))
    return thread


def _reviewed(desk: Desk, thread: Thread, output: Output, *, again: bool) -> Review:
    """The review at its end. What stops it half-way ends it, too, so that it stands in nobody's way."""
    from uuid import uuid4

    from reviewbot.service.models import Review, ReviewState, Trigger

    reviews, now = desk.reviewer.store.reviews, desk.clock()
    review = reviews.order(
        Review(
            id=uuid4().hex,
            thread=thread,
            trigger=Trigger.COMMAND_LINE,
            again=again,
            state=ReviewState.HANDED,
            ordered_at=now,
            due_at=now,
            handed_at=now,
        )
    )
    try:
        with progress_bar(output, words.REVIEWING) as report:
            count = desk.fetch(review.id)
            for position in range(count):
                desk.analyse(review.id, position)
                report(position + 1, count)
        desk.publish(review.id)
    except BaseException as error:
        reviews.finish(review.id, ReviewState.FAILED, " ".join(str(error).split()), desk.clock())
        raise
    ended = reviews.get(review.id)
    assert ended is not None
    return ended


def _told(desk: Desk, review: Review, output: Output) -> int:
    """How the review ended, in words and as an exit code."""
    from reviewbot.models import AnalysisState
    from reviewbot.service.models import ReviewState

    store = desk.reviewer.store
    assert review.thread is not None
    match review.state:
        case ReviewState.UNCHANGED:
            output.note(words.ALREADY)
            return ExitCode.OK
        case ReviewState.NOTHING:
            output.note(words.nothing(review.reason))
            return ExitCode.OK
        case ReviewState.POSTED:
            posted = store.comments.posted(review.thread)
            output.note(words.posted(posted.comment_id if posted else 0), style="green")
        case ReviewState.SUPERSEDED:
            output.note(words.SUPERSEDED)
    settled = all(one.state is AnalysisState.DONE for one in store.reviews.outcomes(review.id))
    return ExitCode.OK if settled else ExitCode.UNSETTLED
