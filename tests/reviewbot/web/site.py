"""A web process for tests: store and queue in memory, one secret in use and one on its way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from httpx2 import Response
from pydantic import SecretStr
from starlette.testclient import TestClient

from reviewbot.events.signatures import sign
from reviewbot.settings import Settings
from reviewbot.settings_service import AtomgitSettings, GithubSettings, ServiceSettings
from reviewbot.web.app import create_app
from reviewbot.web.metrics import Metrics
from reviewbot.web.services import Probe, Services
from tests.support.inbox import NOW, MemoryDeliveries, MemoryQueue
from tests.support.payloads import raw

SECRET, OLD_SECRET = "kiln-secret-now", "kiln-secret-before"
LIMIT = 20_000


def settings(**sections: Any) -> Settings:
    secrets = {"webhook_secret": SecretStr(SECRET), "webhook_secret_previous": SecretStr(OLD_SECRET)}
    given: dict[str, Any] = {
        "service": ServiceSettings(body_limit=LIMIT),
        "github": GithubSettings(login="reviewbot", **secrets),
        "atomgit": AtomgitSettings(login="reviewbot", **secrets),
    }
    return Settings(**{**given, **sections})


@dataclass
class Site:
    """A running application and what it is made of."""

    client: TestClient
    deliveries: MemoryDeliveries
    queue: MemoryQueue
    metrics: Metrics

    def github(self, event: str, payload: dict[str, Any] | bytes, delivery: str = "d-1", **headers: str) -> Response:
        """A signed delivery; ``headers`` come last, with _ for -, and "" leaves one out."""
        body = payload if isinstance(payload, bytes) else raw(payload)
        given = {
            "x-github-event": event,
            "x-github-delivery": delivery,
            "x-hub-signature-256": sign(SECRET, body),
            "content-type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        sent = {name: value for name, value in given.items() if value}
        return self.client.post("/webhooks/github", content=body, headers=sent)

    def count(self, name: str, **labels: str) -> float:
        return self.metrics.registry.get_sample_value(f"reviewbot_{name}", labels) or 0.0


@contextmanager
def running(
    given: Settings | None = None,
    *,
    probes: tuple[Probe, ...] = (),
    insecure_local: bool = False,
    client: tuple[str, int] = ("127.0.0.1", 5000),
) -> Iterator[Site]:
    """Leaving it waits for the hand-over at work."""
    deliveries, queue, metrics = MemoryDeliveries(), MemoryQueue(), Metrics()
    services = Services(
        settings=given or settings(),
        deliveries=deliveries,
        queue=queue,
        probes=probes,
        metrics=metrics,
        clock=lambda: NOW,
        insecure_local=insecure_local,
    )
    with TestClient(create_app(services), client=client, raise_server_exceptions=False) as opened:
        yield Site(opened, deliveries, queue, metrics)
