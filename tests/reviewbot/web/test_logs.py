"""Logs: JSON lines with ids, libraries' lines too, and not one secret of the settings."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from reviewbot.settings import Settings
from reviewbot.settings_service import GithubSettings, QueueSettings
from reviewbot.web.logs import bound, configure_logs, secrets_in

TOUCHED = ("", "uvicorn", "uvicorn.error", "uvicorn.access", "dbos")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where the lines go; the loggers are afterwards what they were."""
    kept = [(logger, logger.handlers[:], logger.level, logger.propagate) for logger in map(logging.getLogger, TOUCHED)]
    root_handlers = logging.getLogger().handlers[:]
    logging.getLogger().handlers.clear()  # the test runner's own, which a forced set-up would close
    yield io.StringIO()
    for logger, handlers, level, propagate in kept:
        logger.handlers[:], logger.propagate = handlers, propagate
        logger.setLevel(level)
    logging.getLogger().handlers[:] = root_handlers


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_json_with_the_ids_of_the_work(stream: io.StringIO) -> None:
    configure_logs("info", (), stream)
    with bound(delivery="github:d-1", review="r-9"):
        logging.getLogger("reviewbot.x").info("posted %d", 3, extra={"attempt": 2})
    logging.getLogger("reviewbot.x").debug("not shown")
    logging.getLogger("reviewbot.x").info("after")
    first, after = lines(stream)
    assert (first["event"], first["delivery"], first["review"], first["attempt"]) == (
        "posted 3",
        "github:d-1",
        "r-9",
        2,
    )
    assert (first["level"], first["logger"]) == ("info", "reviewbot.x")
    assert "delivery" not in after


@pytest.mark.parametrize("name", ["uvicorn.error", "dbos"])
def test_loggers_of_libraries_end_here(stream: io.StringIO, name: str) -> None:
    library, own = logging.getLogger(name), io.StringIO()
    library.addHandler(logging.StreamHandler(own))
    library.propagate = False
    configure_logs("info", (), stream)
    library.warning("hello")
    assert [line["event"] for line in lines(stream)] == ["hello"]
    assert own.getvalue() == ""


def secretive(folder: Path) -> Settings:
    file = folder / "tokens"
    file.write_text("line-one-secret\nline-two-secret\n", encoding="utf-8")
    return Settings(
        github=GithubSettings(
            token=SecretStr("tok/en+with=odd&signs"),
            webhook_secret=SecretStr("hook secret"),
            webhook_secrets_file=file,
        ),
        queue=QueueSettings(url="postgresql://bot:p%40ssw0rd@db.invalid/jobs"),
    )


def test_every_secret_of_the_settings_is_known(tmp_path: Path) -> None:
    found = secrets_in(secretive(tmp_path))
    wanted = {"tok/en+with=odd&signs", "hook secret", "line-one-secret", "line-two-secret", "p@ssw0rd"}
    assert wanted <= set(found)


def test_no_secret_reaches_a_line_by_any_way(stream: io.StringIO, tmp_path: Path) -> None:
    secrets = secrets_in(secretive(tmp_path))
    configure_logs("info", secrets, stream)
    log = logging.getLogger("reviewbot.x")
    for secret in secrets:
        log.info("in the text %s", secret)
        log.info("in a value", extra={"headers": {"x-token": [secret, {secret: 1}]}, "raw": secret.encode()})
        with bound(thread=secret):
            log.info("in the context")
        try:
            raise ValueError(f"refused {secret}")
        except ValueError:
            log.exception("in a traceback")
    log.info("unknown to us, but looks like one: ghp_%s", "a1B2" * 8)
    text = stream.getvalue()
    assert len(lines(stream)) == 4 * len(secrets) + 1
    assert "in a traceback" in text
    assert "ValueError: refused" in text
    for secret in (*secrets, "p%40ssw0rd", "ghp_a1B2"):
        assert secret not in text
