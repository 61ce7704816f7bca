"""Errors as ``application/problem+json`` (RFC 9457): type, title, status, detail, and members of our own."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from reviewbot.web import words

LOG = logging.getLogger(__name__)


def problem(status: int, detail: str, **members: object) -> JSONResponse:
    """``detail`` is one sentence for a person; ``members`` are for programs."""
    content = {"type": "about:blank", "title": words.TITLES.get(status, ""), "status": status, "detail": detail}
    return JSONResponse({**content, **members}, status, media_type="application/problem+json")


def answer_errors_as_problems(app: FastAPI) -> None:
    """Also those of the framework: no such page, wrong method, and whatever nobody foresaw."""

    async def http_error(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        detail = words.NO_SUCH_PAGE if error.status_code == 404 else str(error.detail)
        response = problem(error.status_code, detail)
        response.headers.update(error.headers or {})
        return response

    async def unforeseen(request: Request, error: Exception) -> JSONResponse:
        LOG.error("unforeseen error at %s", request.url.path, exc_info=error)
        return problem(500, words.INTERNAL)

    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(Exception, unforeseen)
