"""The feed of upstream pull requests that landed: ``repository_dispatch`` of PyTorch's cross-repository CI relay.

``client_payload.event_type`` says which event was relayed and ``client_payload.payload`` is that event as GitHub sent
it. PyTorch lands by a bot: a landed pull request is *closed* with the label ``Merged``, while ``merged`` stays false
and ``merge_commit_sha`` is a placeholder. A revert's own pull request is dropped; which base branches are followed is
the business of whoever handles the event.
"""

from __future__ import annotations

import re

from reviewbot.events.fields import Fields
from reviewbot.events.fingerprints import of_landing
from reviewbot.events.models import Ignored, IgnoredBecause, ReadDelivery, UpstreamMerged
from reviewbot.forges.models import ForgeKind

LANDED = "Merged"
_REVERT = re.compile(r"\W*revert\b", re.IGNORECASE)


def read_relay(body: Fields, sender: str) -> ReadDelivery:
    """``sender`` is the repository the relay told. Dispatches that are not the relay's are unknown events."""
    payload = body.at("client_payload") if body.has("client_payload") else Fields({}, "client_payload")
    if payload.prose("event_type") != "pull_request":
        return _ignored(IgnoredBecause.UNKNOWN_EVENT, body.prose("action"), sender)
    relayed = payload.at("payload")
    action, pull = relayed.text("action"), relayed.at("pull_request")
    if action != "closed":
        return _ignored(IgnoredBecause.ACTION, action, sender)
    if LANDED not in {label.prose("name") for label in pull.objects("labels")}:
        return _ignored(IgnoredBecause.NOT_LANDED, action, sender)
    if _REVERT.match(pull.prose("title")):
        return _ignored(IgnoredBecause.REVERT, action, sender)
    event = UpstreamMerged(
        forge=ForgeKind.GITHUB,
        repository=relayed.at("repository").repository("full_name"),
        number=pull.number("number"),
        base_ref=pull.at("base").text("ref"),
        head_sha=pull.at("head").sha("sha"),
        title=pull.prose("title"),
    )
    fingerprint = of_landing(event.forge, event.repository, event.number, event.base_ref, event.head_sha)
    return ReadDelivery(event=event, fingerprint=fingerprint, repository=sender)


def _ignored(because: IgnoredBecause, action: str, sender: str) -> ReadDelivery:
    return ReadDelivery(event=Ignored(because=because, event="repository_dispatch", action=action), repository=sender)
