"""PyGithub clients for the settings: one for a token, one for each owner where an App is installed.

Contract: nothing is asked before the first call. A client retries reads alone, a few times. Where the App is not
installed, as in upstream's repository, what is public is read with the token, or as a stranger.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reviewbot import words as root_words
from reviewbot.errors import SettingProblem, SettingsError
from reviewbot.forges import words
from reviewbot.forges.errors import ForgeError, ForgeFault
from reviewbot.forges.github.faults import told
from reviewbot.settings_secrets import secret_of
from reviewbot.settings_service import GithubSettings

if TYPE_CHECKING:
    from github import Github, GithubIntegration
    from github.Auth import AppAuth

_KEY = "github.app_key_file"
_RETRIES = 3
#: A rate limit is waited for so long inside a call; beyond, the job waits, not the thread.
_LONGEST_WAIT = 20


class Clients:
    """Safe for one thread at a time, like the clients. ``pause`` is the first wait between retries, in seconds."""

    def __init__(self, settings: GithubSettings, pause: float = 1.0) -> None:
        self._settings = settings
        self._pause = pause
        self._by_owner: dict[str, Github] = {}
        self._as_app: GithubIntegration | None = None

    @property
    def is_app(self) -> bool:
        return self._settings.app_id is not None

    def of(self, repository: str) -> Github:
        """The client for a repository. Raises ``SettingsError`` for a key or token file of no use, ``ForgeError``."""
        owner = repository.partition("/")[0] if self.is_app else ""
        if owner not in self._by_owner:
            self._by_owner[owner] = self._installed(repository) if self.is_app else self._by_token()
        return self._by_owner[owner]

    def app_login(self) -> str:
        """The login of the App's comments: its slug, marked as GitHub marks bots."""
        integration = self._integration()
        with told("GET /app"):
            return f"{integration.get_app().slug}[bot]"

    def close(self) -> None:
        for client in self._by_owner.values():
            client.close()
        self._by_owner.clear()
        if self._as_app is not None:
            self._as_app.close()
            self._as_app = None

    def _by_token(self) -> Github:
        from github import Auth, Github

        token = secret_of(self._settings.token, self._settings.token_file, "github.token_file")
        return Github(auth=Auth.Token(token) if token else None, **self._options())

    def _installed(self, repository: str) -> Github:
        owner, _, name = repository.partition("/")
        integration = self._integration()
        try:
            with told(f"GET /repos/{repository}/installation"):
                number = integration.get_repo_installation(owner, name).id
        except ForgeError as error:
            if error.fault is not ForgeFault.NOT_FOUND:
                raise
            return self._by_token()
        return integration.get_github_for_installation(number)

    def _integration(self) -> GithubIntegration:
        from github import GithubIntegration

        if self._as_app is None:
            self._as_app = GithubIntegration(auth=self._app_auth(), **self._options())
        return self._as_app

    def _app_auth(self) -> AppAuth:
        """Signs once, so that a key of no use is told before anything is asked."""
        from github import Auth
        from jwt.exceptions import PyJWTError

        key_file = self._settings.app_key_file
        assert self._settings.app_id is not None
        assert key_file is not None
        try:
            key = key_file.read_text(encoding="utf-8")
            auth = Auth.AppAuth(self._settings.app_id, key or " ")
            auth.create_jwt()
        except OSError as error:
            raise _of_no_use(
                key_file, root_words.secret_file_unreadable(_KEY, str(key_file), error.strerror or type(error).__name__)
            ) from None
        except (PyJWTError, ValueError, TypeError):
            raise _of_no_use(key_file, words.app_key_unusable(_KEY, str(key_file))) from None
        return auth

    def _options(self) -> dict[str, Any]:
        """Pacing is ours (`reviewbot.forges.pacing`): PyGithub's sleeps even where nothing is to be waited for."""
        from reviewbot.forges.github.retries import ReadRetry

        # PyGithub hangs a handler of its own on its logger, which would write retries between a command's lines.
        logging.getLogger("github").handlers.clear()
        return {
            "base_url": self._settings.api_url.rstrip("/"),
            "timeout": max(round(self._settings.timeout_seconds), 1),  # PyGithub takes whole seconds
            "retry": ReadRetry(longest=_LONGEST_WAIT, total=_RETRIES, backoff_factor=self._pause),
            "seconds_between_requests": None,
            "seconds_between_writes": None,
            "user_agent": "reviewbot",
        }


def _of_no_use(file: Path, sentence: str) -> SettingsError:
    return SettingsError((SettingProblem(_KEY, str(file), sentence),))
