"""A live show that is published to a folder is complete at every moment, and never ahead of what is on air."""

import asyncio
import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from broadcast.live.channel import KEPT_BYTES, LiveChannel
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import LineSpoken
from broadcast.publish.destination import Destination
from broadcast.publish.destination_lease import SILENCE_SECONDS, DestinationTaken
from broadcast.publish.live_files import INDEX_SECONDS
from broadcast.publish.live_publisher import MAX_PAUSE_SECONDS, LivePublisher, LiveSite
from server.journal.bus import Bus
from server.journal.journal import Entry
from tests.publish.published_pairs import differences
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock
from tests.support.games.recordings import small_contest
from tests.support.published import published_entries, published_index
from tests.voice.spoken_show import run_aside

WORLD = 1_000_000.0
"""The real time at which the clock of a test starts at 0, in Unix seconds."""
Json = dict[str, Any]


class PublishedShow:
    """A show and its publisher. Its journal is complete from the start, so a fault would publish too much too early."""

    def __init__(
        self, to: Path, event: str = "friday", clock: ManualClock | None = None, journal: Sequence[Entry] = ()
    ) -> None:
        bus = Bus(None, lambda: 0.0)
        bus.load(journal or small_contest())
        self.show = ShowOnFakeClock(bus=bus, clock=clock)
        self.clock = self.show.clock
        self.entries: list[Json] = []
        self.show.air.recorders.add(lambda entry, _, __: self.entries.append(json.loads(entry.to_json())))
        self.live = LiveChannel(self.show.air, lambda: self.clock.now, KEPT_BYTES, self.world)
        self.publisher = LivePublisher(
            str(to), self.live, event, clock=lambda: self.clock.now, utc_clock=self.world, sleep=self.clock.sleep
        )

    def world(self) -> float:
        return WORLD + self.clock.now

    @property
    def over(self) -> bool:
        return self.live.make_index(0).state == "over"


def aired(entries: Sequence[Json]) -> list[Json]:
    """The entries that the studio sent, in the form of `published_entries`."""
    return [
        {**{key: value for key, value in each.items() if key != "at_ms"}, "offset_ms": each["at_ms"]}
        for each in entries
    ]


class CheckedDestination(Destination):
    """A folder that is read after each write, in the way in which viewers' pages read it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self.folder = folder
        self.order: list[str] = []

    async def put(self, path: str, content: bytes, kind: str, cache: str) -> None:
        await super().put(path, content, kind, cache)
        self.order.append(path)
        if (self.folder / "live/main/index.json").exists():
            published_entries(self.folder)


async def test_index_has_what_was_on_air_in_files_that_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    destination = CheckedDestination(tmp_path)
    monkeypatch.setattr("broadcast.publish.live_publisher.Destination", lambda _: destination)
    on = PublishedShow(tmp_path)
    read: list[Json] = []
    with on.show.begun():
        while not on.over:
            await on.publisher.publish()
            assert destination.order[-1] == "live/main/index.json"
            for piece in published_index(tmp_path)["fresh"]:
                assert piece["first_seq"] == (piece["entries"] or [{"seq": 1}])[0]["seq"]
                read += [{**each, "offset_ms": piece["at_ms"] + each["offset_ms"]} for each in piece["entries"]]
            assert read == published_entries(tmp_path) == aired(on.entries)
            await on.clock.run(INDEX_SECONDS)
    await on.publisher.publish()
    assert published_entries(tmp_path) == aired(on.entries)
    assert published_index(tmp_path)["state"] == "over"
    immutable = [path for path in destination.order if not path.endswith(".json")]
    assert len(set(immutable)) == len(immutable) > 50


@pytest.mark.parametrize(
    ("is_up", "factors"), [(True, [1] * 8), (False, [1, 2, 4, 8, *[MAX_PAUSE_SECONDS / INDEX_SECONDS] * 4])]
)
async def test_index_is_written_steadily_and_pauses_after_failures_grow_to_a_minute(
    factors: list[float], tmp_path: Path, *, is_up: bool
) -> None:
    to = tmp_path / "site"
    if not is_up:
        to.write_text("a file where the folder should be")
    slept, beats = list[float](), list[int]()
    enough = asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        beats.extend([published_index(to)["now_utc_ms"]] if is_up else [])
        on.clock.now += seconds
        if len(slept) == len(factors):
            enough.set()
            await asyncio.Event().wait()

    on = PublishedShow(to)
    publisher = LivePublisher(str(to), on.live, "friday", clock=lambda: on.clock.now, utc_clock=on.world, sleep=sleep)
    running = asyncio.create_task(publisher.run())
    await enough.wait()
    running.cancel()
    assert slept == [INDEX_SECONDS * factor for factor in factors]
    assert beats == [int((WORLD + beat * INDEX_SECONDS) * 1000) for beat in range(len(beats))]
    assert len(beats) == is_up * len(factors)


async def test_outage_shows_at_the_desk_and_the_destination_catches_up_by_itself(tmp_path: Path) -> None:
    to = tmp_path / "site"
    to.write_text("a file where the folder should be")
    on = PublishedShow(to)
    running = asyncio.create_task(on.publisher.run())
    with on.show.begun():
        await on.clock.run(100)
        light = on.publisher.light()
        assert (light.of, light.colour) == ("publishing", "yellow")
        assert light.words.startswith(f"{to}: ")
        assert "The show goes on, and the destination catches up by itself" in light.words
        to.unlink()
        while on.publisher.light().colour != "green":
            await on.clock.run(5)
            await asyncio.sleep(0.01)  # files are written by threads
        last = published_index(to)["last"]
        assert last > 20
        assert published_entries(to) == aired(on.entries)[:last]
    running.cancel()


async def test_destination_belongs_to_a_show_across_restarts_until_the_show_is_gone_or_over(tmp_path: Path) -> None:
    friday = PublishedShow(tmp_path)
    await friday.publisher.publish()
    again = PublishedShow(tmp_path, clock=friday.clock)
    await again.publisher.publish()
    assert published_index(tmp_path)["epoch"] == again.live.epoch != friday.live.epoch
    saturday = PublishedShow(tmp_path, "saturday", clock=friday.clock)
    with pytest.raises(DestinationTaken, match="another show is being published there, friday, last seen 0 s ago"):
        await saturday.publisher.publish()
    assert published_index(tmp_path)["event"] == "friday"
    friday.clock.now += SILENCE_SECONDS + 1  # this show was interrupted before its end
    await saturday.publisher.publish()
    assert published_index(tmp_path)["event"] == "saturday"
    assert (tmp_path / "live/main" / friday.live.epoch / "0-0.part").exists()
    with saturday.show.begun():
        while not saturday.over:
            await saturday.clock.run(60)
    await saturday.publisher.publish()
    await PublishedShow(tmp_path, "sunday", clock=friday.clock).publisher.publish()
    with pytest.raises(DestinationTaken):
        await saturday.publisher.publish()
    assert published_index(tmp_path)["event"] == "sunday"


async def test_one_of_several_shows_that_begin_together_gets_the_destination(tmp_path: Path) -> None:
    clock = PublishedShow(tmp_path / "none").clock
    on = {event: PublishedShow(tmp_path / "site", event, clock=clock) for event in ("friday", "saturday", "sunday")}
    ended = await asyncio.gather(*(each.publisher.publish() for each in on.values()), return_exceptions=True)
    assert sorted(type(each).__name__ for each in ended) == ["DestinationTaken", "DestinationTaken", "NoneType"]
    mine = next(event for event, each in zip(on, ended, strict=True) if each is None)
    assert published_index(tmp_path / "site")["event"] == mine


async def test_show_that_returns_after_a_long_outage_does_not_overwrite_its_successor(tmp_path: Path) -> None:
    to, away = tmp_path / "site", tmp_path / "away"
    failed = asyncio.Event()

    async def sleep(_: float) -> None:
        if away.exists():
            failed.set()
            await asyncio.Event().wait()
        to.rename(away)
        to.write_text("a file where the folder should be")

    on = PublishedShow(to)
    friday = LivePublisher(str(to), on.live, "friday", clock=lambda: on.clock.now, utc_clock=on.world, sleep=sleep)
    running = asyncio.create_task(friday.run())
    await failed.wait()
    running.cancel()
    to.unlink()
    away.rename(to)
    on.clock.now += SILENCE_SECONDS + 1
    await PublishedShow(to, "saturday", clock=on.clock).publisher.publish()
    with pytest.raises(DestinationTaken):
        await friday.publish()
    assert published_index(to)["event"] == "saturday"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"event": 5}', b"\xff", b"\x1f\x8b", gzip.compress(b"{}", mtime=0)[:-9]]
)
def test_invalid_index_is_overwritten(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "live/main").mkdir(parents=True)
    (tmp_path / "live/main/index.json").write_bytes(content)
    asyncio.run(PublishedShow(tmp_path).publisher.publish())
    assert published_entries(tmp_path) == []


PAIRS = 12
"""How many pairs of shows are compared here. The benchmark `published_decks` compares ten thousand."""


def test_published_files_live_pages_and_the_api_do_not_depend_on_cards_to_come() -> None:
    tried = differences(random.Random(1), PAIRS)
    assert tried.differing == []
    assert tried.moments > 5 * PAIRS


def test_spoken_line_is_published_only_after_it_has_been_on_air(tmp_path: Path) -> None:
    on_air, ahead = ("voice-00000000000000a1.ogg", "voice-00000000000000a2.ogg")
    (tmp_path / "media").mkdir()
    for name in (on_air, ahead):
        (tmp_path / "media" / name).write_bytes(name.encode())
    air = AirLog("main", 1.0)
    site = LiveSite("Friday", tmp_path / "media", lambda: air.picture)
    air.recorders.add(site.record)

    async def story() -> None:
        await site.begin(Destination(str(tmp_path / "site")))
        await site.send()
        assert not (tmp_path / "site/media").exists()
        air.put(LineSpoken(on_air, 900), 0, 0)
        air.put(LineSpoken("../../etc/passwd", 900), 0, 0)
        await site.send()

    run_aside(story())
    assert [path.name for path in (tmp_path / "site/media").iterdir()] == [on_air]
