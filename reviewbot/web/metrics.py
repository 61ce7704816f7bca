"""Figures of one process in Prometheus' form, in a registry of our own: web processes and workers each expose theirs.

Labels come from closed lists only; a word from outside never becomes one, or a stranger could fill the memory. Queue
depths are read from store and queue when somebody scrapes: then every process tells the same truth.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from reviewbot.models import AnalysisState, Usage

if TYPE_CHECKING:
    from reviewbot.web.services import DeliveryInbox, JobInbox

LOG = logging.getLogger(__name__)
#: GitHub gives up after 10 s; what is of interest lies far below.
_ACK_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_STEP_BUCKETS = (0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)


class Metrics:
    """One for a process; its methods are safe from any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)

        def counter(name: str, told: str, *labels: str) -> Counter:
            return Counter(f"reviewbot_{name}", told, labels, registry=self.registry)

        def histogram(name: str, told: str, label: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(f"reviewbot_{name}", told, (label,), buckets=buckets, registry=self.registry)

        self._deliveries = counter("deliveries", "Deliveries by outcome.", "forge", "event", "outcome")
        self._ack = histogram("ack_seconds", "From the first byte to the answer.", "forge", _ACK_BUCKETS)
        self._handover_failures = counter("handover_failures", "Deliveries left to the sweeper.")
        self._steps = histogram("step_seconds", "Steps of jobs.", "step", _STEP_BUCKETS)
        self._step_failures = counter("step_failures", "Steps that ended with an error.", "step")
        self._tokens = counter("model_tokens", "Tokens of the model.", "kind")
        self._calls = counter("model_calls", "Calls of the model.")
        self._money = counter("model_cost", "Money for the model, in its currency.", "currency")
        self._verification = counter("verification_failures", "Drafts that a check refused.", "check")
        self._forge_errors = counter("forge_errors", "Calls of a forge that failed.", "forge", "fault")
        self._analyses = counter("analyses", "Analyses by how they ended.", "state")

    def delivery(self, forge: str, event: str, outcome: str) -> None:
        """``event`` is a word of `reviewbot.events`, never the header's."""
        self._deliveries.labels(forge, event, outcome).inc()

    def acknowledged(self, forge: str, seconds: float) -> None:
        self._ack.labels(forge).observe(seconds)

    def handover_failed(self) -> None:
        self._handover_failures.inc()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Times a step of a job, and counts it as failed when it raises."""
        began = perf_counter()
        try:
            yield
        except BaseException:
            self._step_failures.labels(name).inc()
            raise
        finally:
            self._steps.labels(name).observe(perf_counter() - began)

    def model(self, usage: Usage) -> None:
        """``prompt`` counts all tokens of the prompt, ``cached`` those of them that the provider had."""
        self._calls.inc(usage.calls)
        self._tokens.labels("prompt").inc(usage.prompt_tokens)
        self._tokens.labels("cached").inc(usage.cached_tokens)
        self._tokens.labels("completion").inc(usage.completion_tokens)
        if usage.cost is not None:
            self._money.labels(usage.currency).inc(usage.cost)

    def verification_failed(self, check: str) -> None:
        self._verification.labels(check).inc()

    def forge_failed(self, forge: str, fault: str) -> None:
        self._forge_errors.labels(forge, fault).inc()

    def analysis(self, state: AnalysisState) -> None:
        self._analyses.labels(state.value).inc()

    def read_at_scrape(self, deliveries: DeliveryInbox, queue: JobInbox, clock: Callable[[], datetime]) -> None:
        """Adds the gauges of what waits; to be called once."""
        self.registry.register(_Waiting(deliveries, queue, clock))

    def exposition(self) -> bytes:
        """The text of a scrape."""
        return generate_latest(self.registry)


class _Waiting(Collector):
    """Gauges read when asked. A source that fails is 0 in ``reviewbot_up`` and absent; the others are told."""

    def __init__(self, deliveries: DeliveryInbox, queue: JobInbox, clock: Callable[[], datetime]) -> None:
        self._deliveries = deliveries
        self._queue = queue
        self._clock = clock

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing: registering must not read."""
        return iter(())

    def collect(self) -> Iterator[GaugeMetricFamily]:
        up = GaugeMetricFamily("reviewbot_up", "Whether it could be read just now.", labels=["source"])
        for source, read in (("store", self._of_store), ("queue", self._of_queue)):
            try:
                yield from read()
            except Exception:
                LOG.exception("%s could not be read for the metrics", source)
                up.add_metric([source], 0)
            else:
                up.add_metric([source], 1)
        yield up

    def _of_store(self) -> list[GaugeMetricFamily]:
        counts = {state.value: count for state, count in self._deliveries.counts().items()}
        oldest = self._deliveries.oldest_unhanded(self._clock())
        return [
            _gauge("stored_deliveries", "Deliveries in the store.", "state", counts),
            _age("unhanded_age_seconds", "Age of the oldest delivery that the queue has not.", oldest),
        ]

    def _of_queue(self) -> list[GaugeMetricFamily]:
        depth = self._queue.depth()
        counts = {"waiting": depth.waiting, "running": depth.running}
        return [
            _gauge("queue_jobs", "Jobs of the queue.", "state", counts),
            _age("queue_age_seconds", "How long the oldest job has waited.", depth.oldest_seconds),
        ]


def _gauge(name: str, told: str, label: str, values: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"reviewbot_{name}", told, labels=[label])
    for value, count in values.items():
        family.add_metric([value], count)
    return family


def _age(name: str, told: str, seconds: float | None) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"reviewbot_{name}", told, value=seconds or 0.0)
