"""When the studio counts as gone: away for long, or dying repeatedly with nothing new on air."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from broadcast.on_air.diary import Aired, Diary, last_on_air
from server.app.studio.gone import (
    AGAIN_SECONDS,
    LONGEST_WAIT_SECONDS,
    MAX_FAILURES,
    PATIENCE_SECONDS,
    STEADY_SECONDS,
    StudioWatch,
)


class Stand:
    """A watch on a fake clock, and the diary of its studios."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.diary = Diary(folder / "x.air")
        self.watch = StudioWatch(folder / "x.air", lambda: self.now)

    def falls(self, *, shows: int = 0) -> None:
        """A studio starts, puts the entry of that number, if any, on air, and ends."""
        self.diary.begin(0)
        self.watch.heard()
        if shows:
            self.diary.append(Aired(shows, 0, 0))
        self.watch.ended("ended with status -9")


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(tmp_path)


def test_studio_counts_as_gone_after_a_while_and_as_back_when_it_returns(stand: Stand) -> None:
    stand.watch.heard()
    stand.now = 100.0
    assert not stand.watch.missed
    stand.watch.ended("hangs")
    stand.now += PATIENCE_SECONDS - 0.1
    assert not stand.watch.missed
    stand.now += 0.2
    assert stand.watch.missed
    stand.watch.heard()
    assert stand.watch.here
    assert not stand.watch.missed


def test_repeatedly_failing_studio_counts_as_gone_until_it_stays_up_or_shows_something(stand: Stand) -> None:
    for _ in range(MAX_FAILURES):
        assert not stand.watch.missed
        stand.falls()
    assert stand.watch.missed
    stand.watch.heard()
    assert stand.watch.missed
    stand.now += STEADY_SECONDS
    stand.watch.heard()
    assert not stand.watch.missed
    for _ in range(MAX_FAILURES):
        stand.falls()
    assert stand.watch.missed
    stand.watch.forget_failures()
    assert not stand.watch.missed


def test_studio_that_showed_something_new_is_restarted_at_once(stand: Stand) -> None:
    for entry in range(1, 20):
        stand.falls(shows=entry)
        assert stand.watch.wait_seconds == AGAIN_SECONDS
    assert not stand.watch.missed


def test_each_failure_without_anything_new_delays_the_next_restart(stand: Stand) -> None:
    """So does a studio that only repeats what was shown before."""
    stand.falls(shows=7)
    waits = []
    for _ in range(12):
        stand.falls(shows=5)
        waits.append(stand.watch.wait_seconds)
    assert all(wait >= 2 * before or wait == LONGEST_WAIT_SECONDS for before, wait in pairwise(waits))
    assert waits[-1] == LONGEST_WAIT_SECONDS


def test_restarted_program_knows_what_was_on_air_before(stand: Stand, tmp_path: Path) -> None:
    stand.falls(shows=7)
    again = StudioWatch(tmp_path / "x.air", lambda: 0.0)
    again.ended("ended with status 1")
    assert again.wait_seconds > AGAIN_SECONDS


def test_wait_for_a_missing_studio_ends_by_time_alone(tmp_path: Path) -> None:
    async def story() -> None:
        watch = StudioWatch(tmp_path / "x.air", asyncio.get_running_loop().time, 0.02)
        await watch.until(lambda: watch.missed)
        watch.heard()
        await watch.until(lambda: not watch.missed)

    asyncio.run(asyncio.wait_for(story(), 10))


def test_waiter_checks_again_only_after_a_change(stand: Stand) -> None:
    looks = 0

    def never() -> bool:
        nonlocal looks
        looks += 1
        return False

    async def story() -> None:
        stand.now = 2 * PATIENCE_SECONDS
        waiting = asyncio.ensure_future(stand.watch.until(never))
        for _ in range(50):
            await asyncio.sleep(0)
        assert looks == 1
        stand.watch.heard()
        for _ in range(50):
            await asyncio.sleep(0)
        assert looks == 2
        waiting.cancel()

    asyncio.run(story())


def test_last_entry_on_air_is_read_from_the_end_of_a_long_diary(tmp_path: Path) -> None:
    path = tmp_path / "x.air"
    assert last_on_air(path) == 0
    diary = Diary(path)
    for seq in range(1, 3000):
        diary.append(Aired(seq, seq * 1000, 500))
        if seq % 100 == 0:
            assert last_on_air(path) == seq
    diary.begin(5)
    assert last_on_air(path) == 2999
