"""``reviewbot review URL``: one pull request reviewed from the command line, through the forge's adapter."""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot.cli import options
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.cli.service import words
from reviewbot.cli.settings import load, output_for
from reviewbot.cli.writing import WriterChoice, WriterOption, open_chosen_writer
from reviewbot.errors import OptionsError

if TYPE_CHECKING:
    from reviewbot.forges.models import Thread
    from reviewbot.forges.protocol import Forge
    from reviewbot.reviewing import Reviewed
    from reviewbot.settings import Settings

_SHORT_SHA = 12


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
    from reviewbot.forges.opening import open_forge
    from reviewbot.reviewing.forges import upstream_forge

    with ExitStack() as stack:
        forge = open_forge(thread.forge, settings)
        stack.callback(forge.close)
        if post and not again and (sha := _reviewed_already(forge, thread)):
            output.note(words.already(sha))
            return ExitCode.OK
        upstream_side = stack.enter_context(upstream_forge(settings, forge))
        reviewed = _reviewed(forge, upstream_side, thread, settings, writer, output)
        if not reviewed.shown:
            output.note(words.nothing(reviewed.review.reason))
            return ExitCode.OK
        return _told(forge, reviewed, settings, output, post=post and not settings.review.dry_run)


def _thread(url: str, settings: Settings) -> Thread:
    from reviewbot.cli.service.address import thread_at
    from reviewbot.forges.models import ThreadKind

    thread = thread_at(url, settings)
    if thread is None:
        raise OptionsError(words.unknown_address(url), ("URL",))
    if thread.kind is not ThreadKind.PULL:
        raise OptionsError(words.not_a_pull(thread.key), ("URL",))
    return thread


def _reviewed_already(forge: Forge, thread: Thread) -> str:
    """The head, shortened, that the comment on the forge speaks of; "" when it speaks of another, or there is none."""
    from reviewbot.publishing.posting import own_comments

    head = forge.pull_request(thread.repository, thread.number).head_sha[:_SHORT_SHA]
    return head if any(head in comment.body for comment in own_comments(forge, thread, "")) else ""


def _reviewed(
    forge: Forge,
    upstream_side: Forge | None,
    thread: Thread,
    settings: Settings,
    choice: WriterChoice | None,
    output: Output,
) -> Reviewed:
    from datetime import UTC, datetime

    from reviewbot.reviewing import open_reviewer
    from reviewbot.service.models import Trigger
    from reviewbot.store import open_store

    with (
        open_chosen_writer(choice, settings, output) as writer,
        open_store(settings.store.url) as store,
        open_reviewer(settings, writer, store) as reviewer,
        progress_bar(output, words.REVIEWING) as report,
    ):
        return reviewer.review(
            forge,
            thread,
            upstream_forge=upstream_side,
            trigger=Trigger.COMMAND_LINE,
            requested_by="",
            now=datetime.now(UTC),
            progress=report,
        )


def _told(forge: Forge, reviewed: Reviewed, settings: Settings, output: Output, *, post: bool) -> int:
    """Prints or posts the comment; how it ended, as an exit code."""
    from datetime import UTC, datetime

    from reviewbot.models import AnalysisState
    from reviewbot.publishing.body import body_of
    from reviewbot.publishing.leases import FileLeases
    from reviewbot.publishing.posting import publish
    from reviewbot.publishing.shown import Links
    from reviewbot.publishing.signals import label_pull
    from reviewbot.service.models import ThreadState

    now, review, chosen = datetime.now(UTC), reviewed.review, settings.review
    thread = reviewed.pull.thread
    state, links = ThreadState(thread=thread), Links(settings.service.public_url)
    current = forge.pull_request(thread.repository, thread.number)
    body = body_of(review, current, reviewed.shown, state, links, now, most_subjects=chosen.most_subjects)
    if post:
        owner = f"{socket.gethostname()}:{os.getpid()}"
        leases = FileLeases(settings.cache.dir / "leases")
        posted = publish(forge, leases, review, body, owner, now, settings.queue.lease_seconds)
        label_pull(forge, reviewed.pull, reviewed.shown, chosen)
        output.note(words.posted("", posted.comment_id), style="green")
    else:
        output.raw(body)
    settled = all(one.outcome.state is AnalysisState.DONE for one in reviewed.shown)
    return ExitCode.OK if settled else ExitCode.UNSETTLED
