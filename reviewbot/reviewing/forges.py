"""The forge that upstream's own pull requests are read from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from reviewbot.forges.models import ForgeKind
from reviewbot.forges.opening import open_forge
from reviewbot.forges.protocol import Forge
from reviewbot.settings import Settings


@contextmanager
def upstream_forge(settings: Settings, at_hand: Forge) -> Iterator[Forge | None]:
    """Upstream is on GitHub. The forge at hand where it is GitHub already; none where the one at hand is a folder,
    which is for trying out without a network.
    """
    if at_hand.kind is ForgeKind.GITHUB:
        yield at_hand
    elif at_hand.kind is ForgeKind.LOCAL:
        yield None
    else:
        forge = open_forge(ForgeKind.GITHUB, settings)
        try:
            yield forge
        finally:
            forge.close()
