"""The bus: numbers events without gaps, from any sender to any number of readers, none of whom can delay it."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.game.events import BotConnected, ChatSent
from server.journal.bus import Bus
from server.journal.journal import Entry, Journal, read_journal


def still() -> float:
    """A clock that stands."""
    return 100.0


def chat(number: int) -> ChatSent:
    return ChatSent(number, "howdy")


async def everything(entries: AsyncIterator[Entry]) -> list[Entry]:
    return [entry async for entry in entries]


# -- numbers and times -----------------------------------------------------------------------------


def test_entries_are_numbered_from_1_without_gaps() -> None:
    bus = Bus(None, still)
    first, second, third = *bus.publish(chat(1), chat(2)), *bus.publish(chat(3))
    assert [entry.seq for entry in (first, second, third)] == [1, 2, 3]
    assert bus.entries == [first, second, third]


def test_a_log_that_nobody_follows_can_forget_what_is_written_and_its_numbers_go_on(tmp_path: Path) -> None:
    bus = Bus(Journal(tmp_path / "log.jsonl"), lambda: 0.0)
    bus.publish(BotConnected(1), BotConnected(2))
    bus.forget()
    assert bus.entries == []
    assert [entry.seq for entry in bus.publish(BotConnected(3))] == [3]
    bus.close()
    assert [entry.seq for entry in read_journal(tmp_path / "log.jsonl").entries] == [1, 2, 3]


def test_entries_carry_the_milliseconds_since_the_log_was_begun() -> None:
    times = iter([50.0, 50.0, 51.5, 53.25])
    bus = Bus(None, lambda: next(times))
    for number in range(3):
        bus.publish(chat(number))
    assert [entry.at_ms for entry in bus.entries] == [0, 1500, 3250]


def test_events_published_together_carry_the_same_time() -> None:
    times = iter([0.0, 7.0])
    bus = Bus(None, lambda: next(times))
    assert {entry.at_ms for entry in bus.publish(chat(1), chat(2), chat(3))} == {7000}


def test_a_loaded_log_goes_on_with_the_next_number() -> None:
    bus = Bus(None, still)
    bus.load([Entry(1, 0, chat(1)), Entry(2, 5, chat(2))])
    assert bus.publish(chat(3))[0].seq == 3


# -- following -------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", range(7))
def test_a_follower_gets_every_entry_after_the_one_it_names(after: int) -> None:
    bus = Bus(None, still)
    bus.publish(*map(chat, range(6)))
    bus.close()
    seen = asyncio.run(everything(bus.follow(after)))
    assert [entry.seq for entry in seen] == list(range(after + 1, 7))


def test_a_follower_gets_past_and_future_without_a_gap_until_the_log_ends() -> None:
    async def story() -> list[Entry]:
        bus = Bus(None, still)
        bus.publish(chat(1), chat(2))
        following = asyncio.create_task(everything(bus.follow()))
        for number in range(3, 50):
            bus.publish(chat(number))
            if number % 5 == 0:
                await asyncio.sleep(0)
        bus.close()
        return await following

    assert [entry.seq for entry in asyncio.run(story())] == list(range(1, 50))


def test_many_followers_from_many_places_all_get_everything() -> None:
    async def story() -> list[tuple[int, list[Entry]]]:
        dice, bus = random.Random(2), Bus(None, still)
        followers: list[tuple[int, asyncio.Task[list[Entry]]]] = []
        while len(bus.entries) < 500:
            bus.publish(*map(chat, range(dice.randint(0, 3))))
            if dice.random() < 0.3:
                after = dice.randint(0, len(bus.entries))
                followers.append((after, asyncio.create_task(everything(bus.follow(after)))))
            for _ in range(dice.randint(0, 2)):
                await asyncio.sleep(0)
        bus.close()
        return [(after, await following) for after, following in followers]

    followers = asyncio.run(story())
    last = followers[0][1][-1].seq
    assert len(followers) > 50
    assert all([entry.seq for entry in seen] == list(range(after + 1, last + 1)) for after, seen in followers)


def test_a_follower_that_asks_for_the_future_waits_for_it() -> None:
    async def story() -> list[Entry]:
        bus = Bus(None, still)
        following = asyncio.create_task(everything(bus.follow(3)))
        for number in range(1, 6):
            await asyncio.sleep(0)
            bus.publish(chat(number))
        bus.close()
        return await following

    assert [entry.seq for entry in asyncio.run(story())] == [4, 5]


def test_publishing_waits_for_nobody() -> None:
    async def story() -> list[int]:
        bus = Bus(None, still)
        stuck = bus.follow()
        bus.publish(chat(1))
        await anext(stuck)  # and never comes back for more
        slow = bus.follow()
        got: list[int] = []
        for number in range(2, 1001):
            bus.publish(chat(number))  # not awaited: it cannot be held up
        while len(got) < 1000:
            got.append((await anext(slow)).seq)
            await asyncio.sleep(0)
        return got

    assert asyncio.run(story()) == list(range(1, 1001))


def test_a_follower_that_gives_up_leaves_the_others_alone() -> None:
    async def story() -> list[Entry]:
        bus = Bus(None, still)
        staying = asyncio.create_task(everything(bus.follow()))
        leaving = asyncio.create_task(everything(bus.follow()))
        await asyncio.sleep(0)
        leaving.cancel()
        bus.publish(chat(1), chat(2))
        bus.close()
        return await staying

    assert len(asyncio.run(story())) == 2


def test_following_an_ended_log_ends() -> None:
    bus = Bus(None, still)
    bus.close()
    assert asyncio.run(everything(bus.follow())) == []


# -- durable before visible ------------------------------------------------------------------------


def test_what_a_follower_sees_is_on_disk_already(tmp_path: Path) -> None:
    path = tmp_path / "show.journal"

    async def story() -> int:
        bus = Bus(Journal(path), still)
        following = asyncio.create_task(compared(bus, path))
        for number in range(100):
            bus.publish(chat(number), BotConnected(number))
            await asyncio.sleep(0)
        bus.close()
        return await following

    assert asyncio.run(story()) == 200


async def compared(bus: Bus, path: Path) -> int:
    """How many entries were seen; each must stand in the file by then."""
    count = 0
    async for entry in bus.follow():
        assert read_journal(path).entries[entry.seq - 1] == entry
        count += 1
    return count


def test_what_the_disk_refused_is_never_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> list[Entry]:
        bus = Bus(Journal(tmp_path / "show.journal"), still)
        following = asyncio.create_task(everything(bus.follow()))
        bus.publish(chat(1))
        await asyncio.sleep(0)
        with monkeypatch.context() as patched:
            patched.setattr("os.fdatasync", refuse)
            with pytest.raises(OSError, match="full"):
                bus.publish(chat(2))
        await asyncio.sleep(0)
        bus.publish(chat(3))
        bus.close()
        return await following

    assert [(entry.seq, entry.event) for entry in asyncio.run(story())] == [(1, chat(1)), (2, chat(3))]


def refuse(file: int) -> None:
    raise OSError(28, "the disk is full")
