"""Carries out a command: checks who says it, does it through ports, and says what came of it in a notice.

Contract: idempotent as far as the ports are (the caller passes the delivery key to its ``Orders``). Stores raise what
they raise; the forge's ``ForgeError`` passes through, so that the job is tried again. No notice means no answer: the
caller keeps still. The caller then writes the one comment anew; ``acknowledge`` is best effort.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from reviewbot.conversation import help_text, words
from reviewbot.conversation.grammar import Command, Parsed, Verb, WrongCommand, parse
from reviewbot.conversation.labels import contradiction
from reviewbot.conversation.permission import Standing, standing, unheard
from reviewbot.events.models import CommentWritten
from reviewbot.forges.errors import ForgeError
from reviewbot.forges.models import Permission, Thread
from reviewbot.forges.protocol import Forge
from reviewbot.models import Labels
from reviewbot.service.models import Correction, CorrectionKind, Notice, ThreadState


@dataclass(frozen=True, slots=True)
class Judged:
    """A subject that has an analysis, with the labels that hold: a person's before the draft's."""

    subject: str
    analysis: int
    labels: Labels


class Orders(Protocol):
    def order(self, thread: Thread, by: str, *, again: bool) -> None:
        """Order a review of the thread at once; ordering twice for the same comment is ordering once."""


class Threads(Protocol):
    """A part of ThreadStore."""

    def state(self, thread: Thread) -> ThreadState: ...

    def pause(self, thread: Thread, by: str) -> object: ...

    def resume(self, thread: Thread) -> object: ...

    def notice(self, thread: Thread, notice: Notice) -> object: ...


class Corrections(Protocol):
    """A part of CorrectionStore."""

    def add(self, correction: Correction) -> int: ...


class Results(Protocol):
    def judged(self, thread: Thread) -> Sequence[Judged]:
        """The subjects of the last review of the thread that have an analysis, in their order."""


@dataclass(frozen=True, slots=True)
class Ports:
    orders: Orders
    threads: Threads
    corrections: Corrections
    results: Results


def answer(event: CommentWritten, forge: Forge, ports: Ports, now: datetime) -> Notice | None:
    """Parse, check, execute, keep the notice and acknowledge. None: no command, or nobody to be answered."""
    parsed = parse(event.body)
    if not isinstance(parsed, Command | WrongCommand) or unheard(event.actor, forge.login):
        return None
    permission = forge.permission(event.thread.repository, event.actor.login)
    notice = execute(parsed, event, forge.login, permission, ports, now)
    if notice is None:
        return None
    ports.threads.notice(event.thread, notice)
    _acknowledge(forge, event)
    return notice


def execute(
    parsed: Parsed, event: CommentWritten, own_login: str, permission: Permission, ports: Ports, now: datetime
) -> Notice | None:
    """``permission`` is what the forge says of the actor in the repository of the thread."""
    standing_ = standing(event.actor, own_login, permission)
    if standing_ is Standing.UNHEARD or not isinstance(parsed, Command | WrongCommand):
        return None
    command = parsed.verb.value if isinstance(parsed, Command) else help_text.WRONG

    def notice(text: str, shown: str = command) -> Notice:
        return Notice(command=shown, author=event.actor.login, text=text, at=now)

    if standing_ is Standing.REFUSED:
        return notice(words.NOT_PERMITTED, "refused")
    if isinstance(parsed, WrongCommand):
        return notice(words.wrong(parsed.why))
    return notice(_done(parsed, event.thread, event.actor.login, ports, now))


def _done(command: Command, thread: Thread, author: str, ports: Ports, now: datetime) -> str:
    match command.verb:
        case Verb.REVIEW | Verb.AGAIN:
            again = command.verb is Verb.AGAIN
            ports.orders.order(thread, author, again=again)
            return words.AGAIN_ORDERED if again else words.REVIEW_ORDERED
        case Verb.PAUSE:
            paused = ports.threads.state(thread).paused
            if not paused:
                ports.threads.pause(thread, author)
            return words.ALREADY_PAUSED if paused else words.PAUSED
        case Verb.RESUME:
            paused = ports.threads.state(thread).paused
            if paused:
                ports.threads.resume(thread)
            return words.RESUMED if paused else words.NOT_PAUSED
        case Verb.EXPLAIN:
            return words.EXPLAINED if ports.results.judged(thread) else words.NO_ANALYSIS
        case Verb.HELP:
            return words.HELPED
        case Verb.ACCEPT | Verb.CORRECT:
            return _settled(command, thread, author, ports, now)


def _settled(command: Command, thread: Thread, author: str, ports: Ports, now: datetime) -> str:
    """The answer to ``accept`` and ``correct``; nothing is kept of a correction that contradicts itself."""
    judged = list(ports.results.judged(thread))
    if not judged:
        return words.refused(words.NO_ANALYSIS)
    names = [one.subject for one in judged]
    wanted = command.subject.casefold()
    chosen = [one for one in judged if one.subject.casefold() == wanted] if wanted else judged
    if not chosen:
        return words.refused(words.unknown_subject(command.subject, names))
    if len(chosen) > 1:
        return words.refused(words.name_a_subject(names))
    one = chosen[0]
    labels = Labels.model_validate(one.labels.model_dump() | command.labels)
    if command.verb is Verb.CORRECT:
        why = words.UNCHANGED_LABELS if labels == one.labels and not command.note else contradiction(labels)
        if why:
            return words.refused(why)
    kind = CorrectionKind.CORRECTED if command.verb is Verb.CORRECT else CorrectionKind.ACCEPTED
    ports.corrections.add(
        Correction(
            analysis=one.analysis, kind=kind, labels=labels, note=command.note, author=author, at=now, thread=thread
        )
    )
    return words.corrected(one.subject) if command.verb is Verb.CORRECT else words.accepted(one.subject)


def _acknowledge(forge: Forge, event: CommentWritten) -> None:
    """The notice is the answer; a reaction that fails takes nothing from it."""
    try:
        forge.acknowledge(event.thread, event.comment_id)
    except ForgeError:
        return
