"""GitHub's deliveries as events. Facts: GitHub's page "Webhook events and payloads" and @octokit/webhooks-examples.

A comment is that of its ``sender``, who is the editor when it was edited: whoever edits a comment of somebody else
gives the command himself. It counts as a bot's when either of the two is one.
"""

from __future__ import annotations

from reviewbot.events.fields import Fields
from reviewbot.events.fingerprints import of_comment, of_pull_request
from reviewbot.events.models import (
    Actor,
    CommentWritten,
    Ignored,
    IgnoredBecause,
    Ping,
    PullRequestChanged,
    PullRequestEnded,
    ReadDelivery,
)
from reviewbot.events.relay import read_relay
from reviewbot.forges.models import ForgeKind, Thread, ThreadKind

DELIVERY_HEADERS = ("x-github-delivery",)
EVENT_HEADERS = ("x-github-event",)

#: Actions of ``pull_request`` that bring new content, or a draft that is none any more.
CHANGING = frozenset({"opened", "reopened", "synchronize", "ready_for_review"})
#: What ``edited`` tells in ``changes``: text may name other upstream changes, another base is another diff.
CHANGING_EDITS = frozenset({"title", "body", "base"})
#: Events we know and have no use for; anything not named in this module is an unknown event.
_NOT_NEEDED = """
branch_protection_rule check_run check_suite code_scanning_alert commit_comment create delete dependabot_alert
deploy_key deployment deployment_review deployment_status discussion discussion_comment fork
github_app_authorization gollum installation installation_repositories issues label marketplace_purchase member
membership merge_group meta milestone org_block organization package page_build project project_card
project_column projects_v2_item public pull_request_review pull_request_review_thread push release repository
repository_import repository_vulnerability_alert security_advisory sponsorship star status team team_add watch
workflow_dispatch workflow_job workflow_run
"""
NOT_NEEDED = frozenset(_NOT_NEEDED.split())


def read_github(event: str, body: Fields) -> ReadDelivery:
    """``event`` is the header's word. Raises ``UnreadableDeliveryError``."""
    sender = body.at("repository").repository("full_name") if body.has("repository") else ""
    match event:
        case "ping":
            return ReadDelivery(event=Ping(), repository=sender)
        case "pull_request":
            return _pull_request(body)
        case "issue_comment":
            return _comment(body)
        case "repository_dispatch":
            return read_relay(body, sender)
        case "pull_request_review_comment":
            because = IgnoredBecause.REVIEW_COMMENT
        case _ if event in NOT_NEEDED:
            because = IgnoredBecause.NOT_NEEDED
        case _:
            because = IgnoredBecause.UNKNOWN_EVENT
    return ReadDelivery(event=Ignored(because=because, event=event, action=body.prose("action")), repository=sender)


def _pull_request(body: Fields) -> ReadDelivery:
    action, pull = body.text("action"), body.at("pull_request")
    thread = _thread(body, ThreadKind.PULL, pull.number("number"))
    head, actor = pull.at("head").sha("sha"), _actor(body.at("sender"))
    edits = body.at("changes").content.keys() if action == "edited" and body.has("changes") else ()
    if action == "closed":
        event: PullRequestChanged | PullRequestEnded = PullRequestEnded(
            thread=thread, head_sha=head, merged=pull.flag("merged"), actor=actor
        )
    elif action in CHANGING or CHANGING_EDITS.intersection(edits):
        event = PullRequestChanged(
            thread=thread,
            action=action,
            head_sha=head,
            base_ref=pull.at("base").text("ref"),
            draft=pull.flag("draft"),
            title=pull.prose("title"),
            actor=actor,
        )
    else:
        ignored = Ignored(because=IgnoredBecause.ACTION, event="pull_request", action=action)
        return ReadDelivery(event=ignored, repository=thread.repository)
    fingerprint = of_pull_request(thread, head, action, pull.prose("updated_at"))
    return ReadDelivery(event=event, fingerprint=fingerprint, repository=thread.repository)


def _comment(body: Fields) -> ReadDelivery:
    action, issue, comment = body.text("action"), body.at("issue"), body.at("comment")
    thread = _thread(body, ThreadKind.PULL if issue.has("pull_request") else ThreadKind.ISSUE, issue.number("number"))
    if action not in {"created", "edited"}:
        ignored = Ignored(because=IgnoredBecause.ACTION, event="issue_comment", action=action)
        return ReadDelivery(event=ignored, repository=thread.repository)
    actor = _actor(body.at("sender"))
    author = _actor(comment.at("user")) if comment.has("user") else actor  # null once the account is gone
    event = CommentWritten(
        thread=thread,
        comment_id=comment.number("id"),
        body=comment.prose("body"),
        edited=action == "edited",
        actor=Actor(login=actor.login, bot=actor.bot or author.bot),
    )
    return ReadDelivery(
        event=event, fingerprint=of_comment(thread, event.comment_id, event.body), repository=thread.repository
    )


def _thread(body: Fields, kind: ThreadKind, number: int) -> Thread:
    repository = body.at("repository").repository("full_name")
    return Thread(forge=ForgeKind.GITHUB, repository=repository, kind=kind, number=number)


def _actor(user: Fields) -> Actor:
    login = user.text("login")
    return Actor(login=login, bot=user.prose("type") == "Bot" or login.endswith("[bot]"))
