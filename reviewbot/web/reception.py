"""What becomes of one delivery: signature, then parsing, then one INSERT. No HTTP in here, and no event loop.

Order is the point: nothing of a body is looked at before its signature holds, and nothing is answered before it is
stored. Comments of other bots and of our own are stored as ignored; what bots do to pull requests is not passed over,
since bots open and merge most synchronizing pull requests.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message

from reviewbot.errors import StoreError
from reviewbot.events import words as event_words
from reviewbot.events.errors import UnreadableDeliveryError
from reviewbot.events.models import CommentWritten, Event, Ignored, IgnoredBecause, Ping, ReadDelivery
from reviewbot.events.reading import Envelope, read_envelope, read_event
from reviewbot.events.signatures import HEADERS, signature_fault
from reviewbot.forges.models import ForgeKind
from reviewbot.service.models import Delivery, DeliveryState, Receipt
from reviewbot.web import words
from reviewbot.web.services import Services

LOG = logging.getLogger(__name__)
_NO_EVENT = "none"


@dataclass(frozen=True, slots=True)
class ForgeEntrance:
    """Who may come in from a forge. ``secrets`` empty: clients of this machine only. Names are in lower case."""

    forge: ForgeKind
    secrets: tuple[str, ...]
    repositories: frozenset[str]
    own_logins: frozenset[str]


@dataclass(frozen=True, slots=True)
class Taken:
    """A stored delivery. ``state`` is received, ignored or repeated; ``to_hand`` asks for the queue."""

    key: str
    state: str
    reason: str = ""
    to_hand: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """``status`` of HTTP, one sentence, and the key at fault."""

    status: int
    detail: str
    key: str = ""


class Reception:
    """Counts everything that comes in; called from threads."""

    def __init__(self, services: Services, entrance: ForgeEntrance) -> None:
        self._services = services
        self._entrance = entrance

    def take(self, headers: Mapping[str, str], body: bytes) -> Taken | Refused:
        """``headers`` have names in lower case; ``body`` is raw."""
        forge = self._entrance.forge
        if self._entrance.secrets and (fault := signature_fault(forge, headers, body, self._entrance.secrets)):
            detail = event_words.signature_refused(fault, " / ".join(HEADERS[forge]))
            return self.refuse(401, detail, outcome=f"signature_{fault.value}")
        if detail := _unsupported(headers):
            return self.refuse(415, detail, outcome="unsupported")
        try:
            envelope = read_envelope(forge, headers)
            read = read_event(forge, envelope.event, body)
        except UnreadableDeliveryError as error:
            return self.refuse(400, str(error), outcome="unreadable", key=error.key)
        return self._store(envelope, read, body)

    def refuse(self, status: int, detail: str, *, outcome: str, key: str = "") -> Refused:
        """Counted, and logged without a byte of the body."""
        LOG.warning("refused a delivery of %s: %s", self._entrance.forge.value, outcome, extra={"status": status})
        self._count(_NO_EVENT, outcome)
        return Refused(status, detail, key)

    def _store(self, envelope: Envelope, read: ReadDelivery, body: bytes) -> Taken | Refused:
        because = self._ignored_because(read)
        delivery = Delivery(
            key=envelope.key,
            forge=self._entrance.forge,
            event=envelope.event,
            fingerprint=read.fingerprint,
            body=body,
            received_at=self._services.clock(),
            state=DeliveryState.IGNORED if because else DeliveryState.RECEIVED,
            reason=because.value if because else "",
        )
        try:
            receipt = self._services.deliveries.receive(delivery)
        except StoreError as error:
            LOG.exception("delivery %s could not be stored", envelope.key)
            self._count(read.event.type, "store_down")
            return Refused(503, words.store_down(str(error)))
        state = Receipt.REPEATED.value if receipt is Receipt.REPEATED else delivery.state.value
        self._count(read.event.type, f"{state}_{because.value}" if because else state)
        to_hand = receipt is not Receipt.REPEATED and because is None
        return Taken(envelope.key, state, delivery.reason, to_hand)

    def _ignored_because(self, read: ReadDelivery) -> IgnoredBecause | None:
        listed = self._entrance.repositories
        event: Event = read.event
        if isinstance(event, Ping):
            return IgnoredBecause.PING
        if isinstance(event, Ignored):
            return event.because
        if listed and read.repository.lower() not in listed:
            return IgnoredBecause.REPOSITORY
        if isinstance(event, CommentWritten):
            if event.actor.login.lower() in self._entrance.own_logins:
                return IgnoredBecause.OWN
            if event.actor.bot:
                return IgnoredBecause.BOT
        return None

    def _count(self, event: str, outcome: str) -> None:
        self._services.metrics.delivery(self._entrance.forge.value, event, outcome)


def _unsupported(headers: Mapping[str, str]) -> str:
    """Why a body of this form is not read, "" when it is."""
    said = headers.get("content-type", "")
    if (encoding := headers.get("content-encoding", "identity").strip().lower()) not in {"", "identity"}:
        return words.wrong_encoding(encoding[:40])
    parsed = Message()
    parsed["content-type"] = said.replace("\r", " ").replace("\n", " ")
    kind, charset = parsed.get_content_type(), parsed.get_content_charset("utf-8")
    if kind == "application/x-www-form-urlencoded":
        return words.FORM_ENCODED
    if not said or not (kind == "application/json" or kind.endswith("+json")) or charset not in {"utf-8", "utf8"}:
        return words.wrong_content_type(said[:100])
    return ""
