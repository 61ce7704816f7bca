"""The forges that reviews speak to: one adapter for each thread, and the one that shows upstream."""

from __future__ import annotations

import threading

from reviewbot.forges.models import ForgeKind
from reviewbot.forges.opening import open_forge
from reviewbot.forges.protocol import Forge
from reviewbot.settings import Settings


class ForgePool:
    """An adapter of each kind for each thread; they share one pace (`open_forge`). Safe for threads; close it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._here = threading.local()
        self._all: list[Forge] = []
        self._guard = threading.Lock()

    def of(self, kind: ForgeKind) -> Forge:
        """Raises ``SettingsError`` for one that is not configured."""
        mine: dict[ForgeKind, Forge] = self._here.__dict__.setdefault("forges", {})
        if kind not in mine:
            mine[kind] = open_forge(kind, self._settings)
            with self._guard:
                self._all.append(mine[kind])
        return mine[kind]

    def upstream(self, beside: ForgeKind) -> Forge | None:
        """Upstream is on GitHub, which strangers may read; none beside a folder, which is for trying out offline."""
        return None if beside is ForgeKind.LOCAL else self.of(ForgeKind.GITHUB)

    def close(self) -> None:
        with self._guard:
            for forge in self._all:
                forge.close()
            self._all.clear()
