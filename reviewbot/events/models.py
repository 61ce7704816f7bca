"""Events: what a delivery says, whatever forge it came from. A closed union, told apart by ``type``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from retrieval.models import Frozen
from reviewbot.forges.models import ForgeKind, Thread


class Actor(Frozen):
    """Who did it. ``bot`` is what the forge says of the account; our own login is told apart later."""

    login: str
    bot: bool = False


class PullRequestChanged(Frozen):
    """Opened, reopened, made ready, or pushed to. Its SHA is what the delivery said: the forge is asked again."""

    type: Literal["pull_request_changed"] = "pull_request_changed"
    thread: Thread
    action: str
    head_sha: str
    base_ref: str
    draft: bool = False
    title: str = ""
    actor: Actor


class PullRequestEnded(Frozen):
    """Closed or merged: what waits for it need not be done."""

    type: Literal["pull_request_ended"] = "pull_request_ended"
    thread: Thread
    head_sha: str
    merged: bool
    actor: Actor


class CommentWritten(Frozen):
    """A comment was written or edited on a pull request (or on an issue of the feed)."""

    type: Literal["comment_written"] = "comment_written"
    thread: Thread
    comment_id: int
    body: str
    edited: bool = False
    actor: Actor


class UpstreamMerged(Frozen):
    """An upstream pull request landed. ``repository`` is upstream's, as a rule ``pytorch/pytorch``."""

    type: Literal["upstream_merged"] = "upstream_merged"
    forge: ForgeKind
    repository: str
    number: int = Field(gt=0)
    base_ref: str
    head_sha: str
    title: str = ""


class Ping(Frozen):
    type: Literal["ping"] = "ping"


class IgnoredBecause(StrEnum):
    """Why a delivery asks for nothing. Counted in the metrics by this word. The last four are the receiver's to say."""

    UNKNOWN_EVENT = "unknown_event"
    NOT_NEEDED = "not_needed"  # an event we know and have no use for
    ACTION = "action"  # an event we know, with an action that changes nothing for us
    NOT_ON_A_PULL_REQUEST = "not_on_a_pull_request"
    REVIEW_COMMENT = "review_comment"  # on a line of the diff: commands are taken from the conversation only
    SYSTEM_NOTE = "system_note"
    NOT_LANDED = "not_landed"  # an upstream pull request closed without landing
    REVERT = "revert"  # pytorch/pytorch: a revert's own pull request
    PING = "ping"
    BOT = "bot"  # a comment of another bot
    OWN = "own"  # a comment of ours
    REPOSITORY = "repository"  # not in the list of repositories answered


class Ignored(Frozen):
    type: Literal["ignored"] = "ignored"
    because: IgnoredBecause
    event: str
    action: str = ""


Event = Annotated[
    PullRequestChanged | PullRequestEnded | CommentWritten | UpstreamMerged | Ping | Ignored,
    Field(discriminator="type"),
]


class ReadDelivery(Frozen):
    """A delivery as far as its receiver needs it: the event, and what makes two deliveries the same.

    ``fingerprint`` is equal for deliveries that say the same, whatever their ids: forge, repository, number, head SHA,
    action and the time of the update; for comments: comment id and a digest of the body. Empty: never the same.
    ``repository`` is the one that sent it (for the feed: the one the relay told), "" where there is none.
    """

    event: Event
    repository: str = ""
    fingerprint: str = ""
