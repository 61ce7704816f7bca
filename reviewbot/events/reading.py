"""From raw headers and body to one event. Pure: values in, values out.

Contract: any bytes give a ``ReadDelivery`` or an ``UnreadableDeliveryError`` with one sentence and the key at fault.
What is stored of a delivery is its event name and its body, which ``read_event`` reads again later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from reviewbot.events import atomgit, github, words
from reviewbot.events.errors import UnreadableDeliveryError
from reviewbot.events.fields import Fields
from reviewbot.events.models import ReadDelivery
from reviewbot.forges.models import ForgeKind

_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_MOST_EVENT = 64
_HEADERS = {
    ForgeKind.GITHUB: (github.EVENT_HEADERS, github.DELIVERY_HEADERS),
    ForgeKind.ATOMGIT: (atomgit.EVENT_HEADERS, atomgit.DELIVERY_HEADERS),
}
_READERS = {ForgeKind.GITHUB: github.read_github, ForgeKind.ATOMGIT: atomgit.read_atomgit}


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the headers say: the forge's word for the event, and the key of the delivery (``forge:id``)."""

    event: str
    key: str


def read_envelope(forge: ForgeKind, headers: Mapping[str, str]) -> Envelope:
    """``headers`` have names in lower case. Raises ``UnreadableDeliveryError``."""
    events, ids = _HEADERS[forge]
    event, delivery = _header(headers, events), _header(headers, ids)
    if not _ID.fullmatch(delivery):
        raise UnreadableDeliveryError(words.header_unusable(_shown(ids)), _shown(ids))
    if len(event) > _MOST_EVENT or not event.isascii() or not event.isprintable():
        raise UnreadableDeliveryError(words.header_unusable(_shown(events)), _shown(events))
    return Envelope(event, f"{forge.value}:{delivery}")


def read_delivery(forge: ForgeKind, headers: Mapping[str, str], body: bytes) -> ReadDelivery:
    """The event of a delivery as it came in; header names in any case."""
    return read_event(forge, read_envelope(forge, {name.lower(): headers[name] for name in headers}).event, body)


def read_event(forge: ForgeKind, event: str, body: bytes) -> ReadDelivery:
    """The event of a body, by the forge's word for it."""
    return _READERS[forge](event, Fields(_parsed(body)))


def _parsed(body: bytes) -> dict[str, object]:
    try:
        content = json.loads(body.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise UnreadableDeliveryError(words.NOT_UTF8) from None
    except RecursionError:
        raise UnreadableDeliveryError(words.TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise UnreadableDeliveryError(words.not_json(f"{error.msg} ({error.lineno}:{error.colno})")) from None
    except ValueError as error:  # a number of more digits than Python reads
        raise UnreadableDeliveryError(words.not_json(str(error))) from None
    if not isinstance(content, dict):
        raise UnreadableDeliveryError(words.NOT_AN_OBJECT)
    return content


def _refuse(constant: str) -> NoReturn:
    """``NaN`` and ``Infinity`` are Python's, not JSON's."""
    raise ValueError(constant)


def _header(headers: Mapping[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if value := headers.get(name, "").strip():
            return value
    raise UnreadableDeliveryError(words.header_missing(_shown(names)), _shown(names))


def _shown(names: tuple[str, ...]) -> str:
    return names[0].title().replace("Github", "GitHub").replace("Gitcode", "GitCode")
