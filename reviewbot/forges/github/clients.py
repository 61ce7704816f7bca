"""PyGithub clients for the settings: one for a token, one for each owner where an App is installed.

Contract: nothing is asked before the first call. A client retries reads alone, a few times: PyGithub's own default
sends POSTs again, too, which posts comments twice (measured with 2.10.0: two answers of 502, three comments).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reviewbot.forges.github.faults import told
from reviewbot.settings_secrets import secret_of
from reviewbot.settings_service import GithubSettings

if TYPE_CHECKING:
    from github import Github
    from github.Auth import AppAuth

_RETRIES = 3
#: A rate limit is waited for so long inside a call; beyond, the job waits, not the thread.
_LONGEST_WAIT = 20


class Clients:
    """Safe for one thread at a time, like the clients. ``pause`` is the first wait between retries, in seconds."""

    def __init__(self, settings: GithubSettings, pause: float = 1.0) -> None:
        self._settings = settings
        self._pause = pause
        self._by_owner: dict[str, Github] = {}

    @property
    def is_app(self) -> bool:
        return self._settings.app_id is not None

    def of(self, repository: str) -> Github:
        """The client for a repository. Raises ``SettingsError`` for a key that cannot be read, ``ForgeError`` where the
        App is not installed.
        """
        owner = repository.partition("/")[0] if self.is_app else ""
        if owner not in self._by_owner:
            self._by_owner[owner] = self._installed(repository) if self.is_app else self._by_token()
        return self._by_owner[owner]

    def app_login(self) -> str:
        """The login of the App's comments: its slug, marked as GitHub marks bots."""
        with told("GET /app"):
            return f"{self._integration().get_app().slug}[bot]"

    def close(self) -> None:
        for client in self._by_owner.values():
            client.close()
        self._by_owner.clear()

    def _by_token(self) -> Github:
        from github import Auth, Github

        token = secret_of(self._settings.token, self._settings.token_file, "github.token_file")
        return Github(auth=Auth.Token(token) if token else None, **self._options())

    def _installed(self, repository: str) -> Github:
        owner, _, name = repository.partition("/")
        with told(f"GET /repos/{repository}/installation"):
            integration = self._integration()
            number = integration.get_repo_installation(owner, name).id
            client: Github = integration.get_github_for_installation(number)
            return client

    def _integration(self) -> Any:
        from github import GithubIntegration

        return GithubIntegration(auth=self._app_auth(), **self._options())

    def _app_auth(self) -> AppAuth:
        from github import Auth

        assert self._settings.app_id is not None
        key_file = self._settings.app_key_file
        return Auth.AppAuth(self._settings.app_id, "" if key_file is None else key_file.read_text(encoding="utf-8"))

    def _options(self) -> dict[str, Any]:
        """Pacing is ours (`reviewbot.forges.pacing`): PyGithub's sleeps even where nothing is to be waited for."""
        from github import GithubRetry

        retry = GithubRetry(
            total=_RETRIES,
            backoff_factor=self._pause,
            allowed_methods={"GET", "HEAD"},
            max_rate_limit_wait=_LONGEST_WAIT,
        )
        return {
            "base_url": self._settings.api_url.rstrip("/"),
            "timeout": max(round(self._settings.timeout_seconds), 1),  # PyGithub takes whole seconds
            "retry": retry,
            "seconds_between_requests": None,
            "seconds_between_writes": None,
            "user_agent": "reviewbot",
        }
