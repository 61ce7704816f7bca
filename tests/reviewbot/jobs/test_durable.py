"""The queue itself: one job for one delivery, however often it is repeated."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from reviewbot.forges.models import ForgeKind
from reviewbot.jobs.durable import DurableQueue, Pace
from reviewbot.service.models import Delivery, DeliveryState, Receipt
from tests.reviewbot.jobs.test_service import comment
from tests.reviewbot.reviewing.desks import NOW, setting
from tests.support.upstream_and_downstream import Pair, pair


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return pair(tmp_path_factory.mktemp("repositories"))


def test_a_repeat_of_a_delivery_under_way_is_the_same_job(tmp_path: Path, repositories: Pair) -> None:
    with setting(tmp_path, repositories) as at:
        queue = DurableQueue(at.settings, at.desk, "w1", Pace(poll=0.1, retry=0.1))
        try:
            body = json.dumps(comment("/upstream-review help", 1)).encode()
            told = Delivery(key="github:d", forge=ForgeKind.GITHUB, event="issue_comment", body=body, received_at=NOW)
            at.store.deliveries.receive(told)
            with at.world.guard:  # the forge does not answer until the repeat has come
                queue.hand_over(told.key)
                at.store.deliveries.mark_handed([told.key], NOW)
                assert at.store.deliveries.receive(told) is Receipt.REPEATED
                queue.hand_over(told.key)
                depth = queue.depth()
                assert depth.waiting + depth.running == 1
            deadline = time.monotonic() + 60
            while at.store.deliveries.counts() != {DeliveryState.DONE: 1}:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        finally:
            queue.close(5)
