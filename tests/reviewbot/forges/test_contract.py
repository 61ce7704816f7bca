"""Every adapter keeps the contract: GitHub and AtomGit over HTTP against their fakes, the local one in a folder.

The tests are in `contract`, the benches in `worlds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot.forges.models import ForgeKind
from tests.reviewbot.forges.contract import ForgeContract, WebContract
from tests.reviewbot.forges.worlds import BENCHES, WEB, Bench, WebBench, web_bench


class TestEveryForge(ForgeContract):
    @pytest.fixture(params=list(ForgeKind))
    def bench(self, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
        with BENCHES[request.param](tmp_path) as bench:
            yield bench


class TestForgesOverHttp(WebContract):
    @pytest.fixture(params=WEB)
    def web(self, request: pytest.FixtureRequest) -> Iterator[WebBench]:
        with web_bench(request.param) as bench:
            yield bench

    @pytest.fixture(params=WEB)
    def impatient(self, request: pytest.FixtureRequest) -> Iterator[WebBench]:
        """Gives up after a second, the least that every client can."""
        with web_bench(request.param, timeout=1.0) as bench:
            yield bench
