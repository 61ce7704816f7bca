"""GitHub and GitHub Enterprise, by PyGithub."""

from __future__ import annotations

from reviewbot.forges.github.adapter import GithubForge

__all__ = ["GithubForge"]
