"""When the studio counts as gone: after a long absence, or repeated failures with nothing new on air."""

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


class WatchedStudio:
    """A watch with a fake clock, and the diary of its studios."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.diary = Diary(folder / "x.air")
        self.watch = StudioWatch(folder / "x.air", lambda: self.now)

    def fails(self, *, shows: int = 0) -> None:
        """A studio starts, shows the entry of that number, if any, and ends."""
        self.diary.begin(0)
        self.watch.heard()
        if shows:
            self.diary.append(Aired(shows, 0, 0))
        self.watch.ended("ended with status -9")


@pytest.fixture
def studio(tmp_path: Path) -> WatchedStudio:
    return WatchedStudio(tmp_path)


def test_studio_counts_as_gone_once_patience_is_over_and_as_back_when_it_returns(studio: WatchedStudio) -> None:
    studio.watch.heard()
    studio.now = 100.0
    assert not studio.watch.missed
    studio.watch.ended("hangs")
    studio.now += PATIENCE_SECONDS - 0.1
    assert not studio.watch.missed
    studio.now += 0.2
    assert studio.watch.missed
    studio.watch.heard()
    assert studio.watch.here
    assert not studio.watch.missed


def test_repeatedly_failing_studio_counts_as_gone_until_it_stays_up_or_shows_something(studio: WatchedStudio) -> None:
    for _ in range(MAX_FAILURES):
        assert not studio.watch.missed
        studio.fails()
    assert studio.watch.missed
    studio.watch.heard()
    assert studio.watch.missed
    studio.now += STEADY_SECONDS
    studio.watch.heard()
    assert not studio.watch.missed
    for _ in range(MAX_FAILURES):
        studio.fails()
    assert studio.watch.missed
    studio.watch.forget_failures()
    assert not studio.watch.missed


def test_studio_that_showed_something_new_is_restarted_at_once(studio: WatchedStudio) -> None:
    for entry in range(1, 20):
        studio.fails(shows=entry)
        assert studio.watch.wait_seconds == AGAIN_SECONDS
    assert not studio.watch.missed


def test_each_failure_without_anything_new_delays_the_next_restart(studio: WatchedStudio) -> None:
    """A studio that only repeats what was shown before has shown nothing new."""
    studio.fails(shows=7)
    waits = []
    for _ in range(12):
        studio.fails(shows=5)
        waits.append(studio.watch.wait_seconds)
    assert all(wait >= 2 * before or wait == LONGEST_WAIT_SECONDS for before, wait in pairwise(waits))
    assert waits[-1] == LONGEST_WAIT_SECONDS


def test_restarted_card_room_knows_what_was_on_air_before(studio: WatchedStudio, tmp_path: Path) -> None:
    studio.fails(shows=7)
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
