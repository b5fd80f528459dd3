"""The bus numbers events without gaps, and any number of followers get all of them."""

import asyncio
import random
from pathlib import Path

from server.game.events import BotConnected, ChatSent
from server.journal.bus import Bus
from server.journal.journal import Entry, Journal, read_journal


def chat(number: int) -> ChatSent:
    return ChatSent(number, "howdy")


def test_a_log_without_followers_can_forget_its_entries_and_continue_its_numbers(tmp_path: Path) -> None:
    bus = Bus(Journal(tmp_path / "log.jsonl"), lambda: 0.0)
    bus.publish(BotConnected(1), BotConnected(2))
    bus.forget()
    assert bus.entries == []
    assert [entry.seq for entry in bus.publish(BotConnected(3))] == [3]
    bus.close()
    assert [entry.seq for entry in read_journal(tmp_path / "log.jsonl").entries] == [1, 2, 3]


def test_entries_published_together_have_the_same_time_since_the_start_of_the_log() -> None:
    times = iter([50.0, 50.0, 51.5, 53.25])
    bus = Bus(None, lambda: next(times))
    bus.publish(chat(1))
    bus.publish(chat(2), chat(3))
    bus.publish(chat(4))
    assert [entry.at_ms for entry in bus.entries] == [0, 1500, 1500, 3250]


def test_followers_get_every_entry_after_their_starting_point_even_from_a_closed_log() -> None:
    async def collect(bus: Bus, after: int) -> list[Entry]:
        return [entry async for entry in bus.follow(after)]

    async def story() -> list[tuple[int, list[Entry]]]:
        dice, bus = random.Random(2), Bus(None, lambda: 100.0)
        followers: list[tuple[int, asyncio.Task[list[Entry]]]] = []
        while len(bus.entries) < 500:
            bus.publish(*map(chat, range(dice.randint(0, 3))))
            if dice.random() < 0.3:
                after = dice.randint(0, len(bus.entries) + 5)
                followers.append((after, asyncio.create_task(collect(bus, after))))
            for _ in range(dice.randint(0, 2)):
                await asyncio.sleep(0)
        bus.close()
        late = [(after, asyncio.create_task(collect(bus, after))) for after in (0, 2, len(bus.entries))]
        return [(after, await following) for after, following in (*followers, *late)]

    followers = asyncio.run(story())
    last = max(seen[-1].seq for _, seen in followers if seen)
    assert len(followers) > 50
    assert all([entry.seq for entry in seen] == list(range(after + 1, last + 1)) for after, seen in followers)
