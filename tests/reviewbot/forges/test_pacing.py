"""The buckets hold their limits in every window, by a clock that only sleeping moves."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.forges.pacing import Bucket
from reviewbot.settings_service import AtomgitSettings, GithubSettings


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def takings(bucket: Bucket, time: Time, pauses: list[float]) -> list[float]:
    taken = []
    for pause in pauses:
        time.now += pause
        bucket.take()
        taken.append(time.now)
    return taken


def most_in_a_window(taken: list[float], period: float) -> int:
    return max(sum(start <= one < start + period - 1e-9 for one in taken) for start in taken)


@given(st.lists(st.floats(0, 3), min_size=1, max_size=120), st.sampled_from([0.5, 1.0, 2.5, 3.0, 50.0]))
def test_no_window_holds_more_than_the_limit(pauses: list[float], limit: float) -> None:
    time = Time()
    taken = takings(Bucket(limit, 10.0, clock=time, sleep=time.sleep), time, pauses)
    window = 10.0 * max(1.0, 1.0 / limit)
    assert most_in_a_window(taken, window) <= max(limit, 1)


def test_the_limits_of_both_forges_by_default() -> None:
    time = Time()
    writes = Bucket(GithubSettings().writes_per_second, clock=time, sleep=time.sleep)
    assert takings(writes, time, [0.0] * 4) == [100.0, 101.0, 102.0, 103.0]
    time = Time()
    requests = Bucket(AtomgitSettings().requests_per_minute, 60.0, clock=time, sleep=time.sleep)
    taken = takings(requests, time, [0.0] * 120)
    assert most_in_a_window(taken, 60.0) == 50
    assert taken[-1] == pytest.approx(220.0)


def test_threads_share_one_bucket() -> None:
    time = Time()
    bucket = Bucket(1.0, clock=time, sleep=lambda _: None)
    waits: list[float] = []
    threads = [threading.Thread(target=lambda: waits.append(bucket.take())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [float(number) for number in range(8)]
