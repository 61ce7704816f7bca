"""A desk over a store of its own and the fake GitHub, reached by the real adapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from evals.fake_forges.github import GithubDialect
from evals.fake_forges.serving import serve
from evals.fake_forges.world import World
from reviewbot.drafting.template import TemplateWriter
from reviewbot.drafting.writer import Writer
from reviewbot.forges.models import ForgeKind, Thread
from reviewbot.reviewing import open_reviewer
from reviewbot.reviewing.desk import Desk
from reviewbot.reviewing.forges import ForgePool
from reviewbot.service.models import Review, Trigger
from reviewbot.settings import Settings
from reviewbot.store import Store, open_store
from tests.support.upstream_and_downstream import Pair

REPOSITORY = "team/torch_npu"
THREAD = Thread(forge=ForgeKind.GITHUB, repository=REPOSITORY, number=7)
NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
TITLE = "同步 pytorch/pytorch#123"


@dataclass(frozen=True)
class Setting:
    world: World
    store: Store
    desk: Desk
    settings: Settings

    def order(self, identifier: str, *, again: bool = False, trigger: Trigger = Trigger.PUSH) -> Review:
        given = {"id": identifier, "thread": THREAD, "trigger": trigger, "again": again}
        return self.store.reviews.order(Review.model_validate({**given, "ordered_at": NOW, "due_at": NOW}))

    def run(self, identifier: str) -> Review:
        """The steps of a review in their order, as the job takes them."""
        self.store.reviews.claim_due(NOW + timedelta(seconds=1))
        for position in range(self.desk.fetch(identifier)):
            if not self.desk.analyse(identifier, position):
                break
        self.desk.publish(identifier)
        return self.review(identifier)

    def review(self, identifier: str) -> Review:
        review = self.store.reviews.get(identifier)
        assert review is not None
        return review

    def comments(self) -> Sequence[str]:
        return [one.body for one in self.world.said(REPOSITORY, 7, self.world.bot)]


@contextmanager
def setting(
    folder: Path, repositories: Pair, *, writer: Writer | None = None, before: Callable[[World], None] | None = None
) -> Iterator[Setting]:
    world = World()
    world.permissions[REPOSITORY, "ada"] = "write"
    world.open_pull(REPOSITORY, 7, TITLE, head_sha="a" * 40, base_sha=repositories.base)
    if before is not None:
        before(world)
    with ExitStack() as stack:
        url = stack.enter_context(serve(GithubDialect(world)))
        settings = Settings.model_validate(
            {
                "cache": {"dir": folder / "cache"},
                "store": {"url": f"sqlite:///{folder / 'store.db'}"},
                "index": {"jobs": 1},
                "downstream": {"path": repositories.downstream.path},
                "upstream": {"clone": repositories.upstream.path},
                "review": {"debounce_seconds": 0.0},
                "queue": {"poll_seconds": 0.1},
                "github": {
                    "api_url": url,
                    "login": world.bot,
                    "token": "t",
                    "writes_per_second": 900.0,
                    "requests_per_second": 900.0,
                },
            }
        )
        store = stack.enter_context(open_store(settings.store.url))
        reviewer = stack.enter_context(open_reviewer(settings, writer or TemplateWriter(), store))
        forges = ForgePool(settings)
        stack.callback(forges.close)
        yield Setting(world, store, Desk(reviewer, forges, "w1", lambda: NOW, None), settings)
