"""``reviewbot serve``: webhooks in, one comment out, from one process."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot.cli import options
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.output import Output
from reviewbot.cli.service import words
from reviewbot.cli.settings import load, output_for
from reviewbot.cli.writing import WriterChoice, WriterOption, open_chosen_writer

if TYPE_CHECKING:
    from fastapi import FastAPI

    from reviewbot.settings import Settings


def serve(
    port: Annotated[int | None, typer.Option("--port", metavar="PORT", help=words.OPTION_PORT)] = None,
    insecure_local: Annotated[bool, typer.Option("--insecure-local", help=words.OPTION_INSECURE)] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=words.OPTION_SHOW)] = False,
    writer: WriterOption = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    loaded = load(config)
    settings, output = loaded.settings, output_for(loaded)
    if port is not None:
        service = settings.service.model_copy(update={"port": port})
        settings = settings.model_copy(update={"service": service})
    from reviewbot.web.logs import configure_logs, secrets_in
    from reviewbot.web.serving import serve as run

    with open_service(settings, output, writer, insecure_local=insecure_local, dry_run=dry_run) as app:
        configure_logs(settings.service.log_level, secrets_in(settings))
        output.note(words.listening(settings.service.host, settings.service.port, worker_name(settings)), style="dim")
        run(app, settings.service)
    return ExitCode.OK


def worker_name(settings: Settings) -> str:
    """What this process is called where jobs are kept; the same after a restart."""
    return settings.queue.worker or socket.gethostname()


@contextmanager
def open_service(
    settings: Settings, output: Output, choice: WriterChoice | None, *, insecure_local: bool, dry_run: bool
) -> Iterator[FastAPI]:
    """The application over store, queue and dispatcher; all of them end in order. Raises ``SettingsError``."""
    from reviewbot.jobs.dispatcher import Dispatcher
    from reviewbot.jobs.durable import DurableQueue
    from reviewbot.reviewing import open_desk
    from reviewbot.web.app import create_app
    from reviewbot.web.services import Probe, Services

    name = worker_name(settings)
    with ExitStack() as stack:
        writer = stack.enter_context(open_chosen_writer(choice, settings, output))
        show = output.raw if dry_run or settings.review.dry_run else None
        desk = stack.enter_context(open_desk(settings, writer, name, show))
        store, mirrors, clock = desk.reviewer.store, desk.reviewer.mirrors, desk.clock
        queue = DurableQueue(settings, desk, name)
        stack.callback(queue.close, settings.service.shutdown_seconds)

        def database() -> str:
            store.deliveries.counts()
            return ""

        def jobs() -> str:
            queue.depth()
            return ""

        app = create_app(
            Services(
                settings=settings,
                deliveries=store.deliveries,
                queue=queue,
                probes=(
                    Probe("database", database),
                    Probe("queue", jobs),
                    Probe("trees", lambda: " ".join(mirrors.unready(clock().timestamp()))),
                ),
                clock=clock,
                insecure_local=insecure_local,
            )
        )
        dispatcher = Dispatcher(store, queue, mirrors, settings.queue, settings.mirrors, name, clock)
        dispatcher.start()
        stack.callback(dispatcher.stop)
        yield app
