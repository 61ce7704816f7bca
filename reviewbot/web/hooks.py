"""``POST /webhooks/github`` and ``/webhooks/atomgit``: reads the body within its limits and answers once it is stored.

202 with ``{delivery, state, reason}``; 400 unreadable, 401 signature, 403 not this machine, 404 forge not configured,
408 too slow, 413 too large, 415 form of the body, 503 store down: the forge then shows a failed delivery, which may be
delivered again. The one slow thing, the INSERT, runs in a thread with the checks before it; the queue comes after.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Iterable
from time import perf_counter

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from reviewbot.errors import SettingProblem, SettingsError
from reviewbot.forges.models import ForgeKind
from reviewbot.settings_secrets import secrets_of
from reviewbot.settings_service import AtomgitSettings, GithubSettings
from reviewbot.web import words
from reviewbot.web.handover import Handover
from reviewbot.web.problems import problem
from reviewbot.web.reception import ForgeEntrance, Reception, Refused, Taken
from reviewbot.web.services import Services

#: GitHub gives up after 10 s.
BODY_SECONDS = 8.0
#: A proxy stands before us: then the neighbour's address says nothing of the client's.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


def entrances_of(services: Services) -> tuple[ForgeEntrance, ...]:
    """The forges that are configured. ``SettingsError`` when one of them has no secret and the network is let in."""
    settings = services.settings
    sections: tuple[tuple[ForgeKind, GithubSettings | AtomgitSettings], ...] = (
        (ForgeKind.GITHUB, settings.github),
        (ForgeKind.ATOMGIT, settings.atomgit),
    )
    entrances, problems = [], []
    for forge, section in sections:
        said = (section.webhook_secret, section.webhook_secret_previous)
        secrets = secrets_of(said, section.webhook_secrets_file, f"{forge.value}.webhook_secrets_file")
        if not (secrets or services.insecure_local):
            if _configured(section):
                key = f"{forge.value}.webhook_secret"
                problems.append(SettingProblem(key, "", words.secret_required(forge, forge.value)))
            continue
        names = frozenset(name.lower() for name in section.repositories)
        own = frozenset({section.login.lower()} if section.login else ())
        entrances.append(ForgeEntrance(forge, secrets, names, own))
    if problems:
        raise SettingsError(tuple(problems))
    return tuple(entrances)


def _configured(section: GithubSettings | AtomgitSettings) -> bool:
    access = (section.token, section.token_file, section.repositories)
    return any(access) or (isinstance(section, GithubSettings) and section.app_id is not None)


def hooks(services: Services, entrances: Iterable[ForgeEntrance], handover: Handover) -> APIRouter:
    """A route for each forge; one that is not configured says so."""
    router = APIRouter(prefix="/webhooks", include_in_schema=False)
    open_to = {entrance.forge: entrance for entrance in entrances}
    for forge in (ForgeKind.GITHUB, ForgeKind.ATOMGIT):
        endpoint = _Hook(services, open_to[forge], handover) if forge in open_to else _Closed(forge)
        router.add_api_route(f"/{forge.value}", endpoint.answer, methods=["POST"])
    return router


class _Closed:
    """The address of a forge that nobody configured."""

    def __init__(self, forge: ForgeKind) -> None:
        self._forge = forge

    async def answer(self) -> JSONResponse:
        return problem(404, words.forge_not_configured(self._forge))


class _Hook:
    """The address of one forge."""

    def __init__(self, services: Services, entrance: ForgeEntrance, handover: Handover) -> None:
        self._services = services
        self._entrance = entrance
        self._reception = Reception(services, entrance)
        self._handover = handover

    async def answer(self, request: Request) -> JSONResponse:
        began = perf_counter()
        outcome = await self._outcome(request)
        self._services.metrics.acknowledged(self._entrance.forge.value, perf_counter() - began)
        if isinstance(outcome, Refused):
            return problem(outcome.status, outcome.detail, **({"key": outcome.key} if outcome.key else {}))
        after = BackgroundTask(self._handover.later, outcome.key) if outcome.to_hand else None
        content = {"delivery": outcome.key, "state": outcome.state, "reason": outcome.reason}
        return JSONResponse(content, 202, background=after)

    async def _outcome(self, request: Request) -> Taken | Refused:
        refuse = self._reception.refuse
        if not self._entrance.secrets and not _from_here(request):
            return refuse(403, words.NOT_LOOPBACK, outcome="not_local")
        limit = self._services.settings.service.body_limit
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(request, limit)
        except ClientDisconnect:
            return refuse(400, words.CUT_OFF, outcome="cut_off")
        except TimeoutError:
            return refuse(408, words.body_too_slow(BODY_SECONDS), outcome="too_slow")
        if body is None:
            return refuse(413, words.body_too_large(limit), outcome="too_large")
        return await run_in_threadpool(self._reception.take, dict(request.headers), body)


async def _read(request: Request, limit: int) -> bytes | None:
    """The whole body, or None as soon as it is known to be longer than ``limit`` bytes."""
    said = request.headers.get("content-length", "")
    if said.isascii() and said.isdigit() and int(said[:20]) > limit:
        return None
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def _from_here(request: Request) -> bool:
    """Whether the client is on this machine, with no proxy in between."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
