"""What GitHub answers to Apps: who they are, where they are installed, their tokens, and check runs.

Contract: shapes of GitHub's REST reference. Tokens of installations are longer than forty characters and hold dots, as
those given out since 2026 are; only their bearer may write check runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.fake_forges.serving import Answer, Call
from evals.fake_forges.world import FakeCheck, World

APP_ID = 4711
#: Of one summary or text ("Create a check run").
MOST_SUMMARY = 65_535
_REPOSITORY = r"/repos/(?P<repository>(?P<owner>[^/]+)/[^/]+)"


class AppDialect:
    def __init__(self, world: World) -> None:
        self.world = world

    def answer(self, call: Call) -> Answer | None:
        """None for what is no business of Apps."""
        for verb, pattern, handler in (
            ("GET", "/app", self._me),
            ("GET", rf"{_REPOSITORY}/installation", self._installation),
            ("POST", r"/app/installations/(?P<id>\d+)/access_tokens", self._token),
            ("GET", rf"{_REPOSITORY}/commits/(?P<sha>\w+)/check-runs", self._checks),
            ("POST", rf"{_REPOSITORY}/check-runs", self._checked),
            ("PATCH", rf"{_REPOSITORY}/check-runs/(?P<id>\d+)", self._checked_again),
        ):
            if verb == call.verb and (match := re.fullmatch(pattern, call.path)) is not None:
                return handler(call, match.groupdict())
        return None

    def _me(self, call: Call, at: Mapping[str, str]) -> Answer:
        return Answer(200, {"id": APP_ID, "slug": self.world.bot.removesuffix("[bot]")})

    def _installation(self, call: Call, at: Mapping[str, str]) -> Answer:
        number = self.world.installations.get(at["owner"])
        return _refused(404, "Not Found") if number is None else Answer(200, {"id": number, "app_id": APP_ID})

    def _token(self, call: Call, at: Mapping[str, str]) -> Answer:
        expires = datetime.now(UTC) + timedelta(hours=1)
        return Answer(201, {"token": token_of(int(at["id"])), "expires_at": expires.strftime("%Y-%m-%dT%H:%M:%SZ")})

    def _checks(self, call: Call, at: Mapping[str, str]) -> Answer:
        app, name = call.query.get("app_id"), call.query.get("check_name")
        rows = [
            {"id": one.id, "name": one.name, "app": {"id": one.app_id}}
            for one in self.world.checks.values()
            if (one.repository, one.head_sha) == (at["repository"], at["sha"])
            and name in (None, one.name)
            and app in (None, str(one.app_id))
        ]
        return Answer(200, {"total_count": len(rows), "check_runs": rows})

    def _checked(self, call: Call, at: Mapping[str, str]) -> Answer:
        head, name = call.body.get("head_sha"), call.body.get("name")
        check = FakeCheck(self.world.new_id(), at["repository"], head, name, APP_ID, "queued")
        return self._written(call, check)

    def _checked_again(self, call: Call, at: Mapping[str, str]) -> Answer:
        check = self.world.checks.get(int(at["id"]))
        if check is None:
            return _refused(404, "Not Found")
        return _refused(403, "Invalid app_id") if check.app_id != APP_ID else self._written(call, check)

    def _written(self, call: Call, check: FakeCheck) -> Answer:
        owner = check.repository.partition("/")[0]
        bearer = call.headers.get("authorization", "").partition(" ")[2]
        if owner not in self.world.installations or bearer != token_of(self.world.installations[owner]):
            return _refused(403, "You must authenticate via a GitHub App.")
        output: Mapping[str, Any] = call.body["output"]
        if len(output["summary"]) > MOST_SUMMARY:
            return _refused(422, "summary exceeds a maximum length of 65535")
        check.status, check.conclusion = call.body["status"], call.body.get("conclusion")
        check.title, check.summary = output["title"], output["summary"]
        self.world.checks[check.id] = check
        self.world.wrote(call.verb, call.path, check.id)
        return Answer(201 if call.verb == "POST" else 200, {"id": check.id})


def token_of(installation: int) -> str:
    return f"ghs_{APP_ID}_{installation}." + "e" * 120 + ".s"


def _refused(status: int, message: str) -> Answer:
    return Answer(status, {"message": message, "documentation_url": ""})
