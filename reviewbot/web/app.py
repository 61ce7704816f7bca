"""The application of the web process, made of what it is given. Raises ``SettingsError`` rather than start insecure."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from starlette.concurrency import run_in_threadpool

from reviewbot import __version__
from reviewbot.web.handover import Handover
from reviewbot.web.health import health
from reviewbot.web.hooks import entrances_of, hooks
from reviewbot.web.problems import answer_errors_as_problems
from reviewbot.web.services import Services


def create_app(services: Services, routers: Iterable[APIRouter] = ()) -> FastAPI:
    """``routers`` are further pages, such as those of the API. No page loads a script from elsewhere."""
    entrances = entrances_of(services)
    handover = Handover(services)
    services.metrics.read_at_scrape(services.deliveries, services.queue, services.clock)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(handover.close)

    app = FastAPI(title="reviewbot", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan)
    answer_errors_as_problems(app)
    app.include_router(hooks(services, entrances, handover))
    app.include_router(health(services.probes, services.metrics))
    for router in routers:
        app.include_router(router)
    return app
