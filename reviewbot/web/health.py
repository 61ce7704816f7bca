"""``/healthz``: the process answers. ``/readyz``: everything it needs does, or 503 that names what does not.
``/metrics``: the figures of this process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from fastapi import APIRouter
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool

from reviewbot.errors import ReviewbotError
from reviewbot.web import words
from reviewbot.web.metrics import Metrics
from reviewbot.web.problems import problem
from reviewbot.web.services import Probe

LOG = logging.getLogger(__name__)
PROBE_SECONDS = 5.0


def health(probes: Sequence[Probe], metrics: Metrics, probe_seconds: float = PROBE_SECONDS) -> APIRouter:
    """The three routes; no login, so they tell no address and no secret."""
    router = APIRouter(include_in_schema=False)

    @router.get("/healthz")
    async def healthz() -> Response:
        return PlainTextResponse("ok\n")

    @router.get("/readyz")
    async def readyz() -> Response:
        said = await asyncio.gather(*(_sentence(probe, probe_seconds) for probe in probes))
        faults = {probe.name: sentence for probe, sentence in zip(probes, said, strict=True) if sentence}
        if faults:
            return problem(503, words.not_ready(tuple(faults)), not_ready=faults)
        return JSONResponse({"ready": [probe.name for probe in probes]})

    @router.get("/metrics")
    async def scrape() -> Response:
        return Response(await run_in_threadpool(metrics.exposition), media_type=CONTENT_TYPE_LATEST)

    return router


async def _sentence(probe: Probe, seconds: float) -> str:
    """What is wrong, "" when nothing is. A probe that hangs keeps its thread, and the answer comes all the same."""
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(probe.check)
    except TimeoutError:
        return words.probe_slow(seconds)
    except ReviewbotError as error:
        return str(error)
    except Exception:
        LOG.exception("probe %s failed", probe.name)
        return words.PROBE_BROKEN
