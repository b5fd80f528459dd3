"""Publishes shows to a folder. A test can put a show on air entry by entry, in real time."""

import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path

from broadcast.live.channel import KEPT_BYTES, LiveChannel
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.publish.destination import Destination
from broadcast.publish.destination_lease import event_name
from broadcast.publish.live_publisher import LivePublisher
from broadcast.publish.site import Site
from server.game.events import TournamentOpened
from server.journal.journal import Entry
from tests.publish.test_live_publisher import PublishedShow
from tests.support.background import BackgroundService


class HostedShow(BackgroundService):
    """A show that can be restarted. Its clock is `clock_lag` seconds slow. So entries get earlier times, and pages show
    them sooner.
    """

    def __init__(self, folder: Path, clock_lag: float = 8.0) -> None:
        super().__init__()
        self.folder = folder
        self.clock_lag = clock_lag

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        await _write_site(self.folder)
        self.begin()
        yield

    def begin(self, recalled: Iterable[OnAirEntry] = ()) -> None:
        """Begins the show after the entries `recalled`, which have already been on air."""
        self.air = AirLog("main", 1.0)
        self.live = LiveChannel(self.air, time.monotonic, KEPT_BYTES, lambda: time.time() - self.clock_lag)
        for entry in recalled:
            self.air.recall(entry.event, entry.at_ms, entry.hold_ms)
        self._began = time.monotonic() - self.air.at_ms / 1000
        self.publisher = LivePublisher(
            str(self.folder), self.live, "friday", utc_clock=lambda: time.time() - self.clock_lag
        )

    def put(self, entries: Iterable[OnAirEntry]) -> None:

        async def put_and_publish() -> None:
            for entry in entries:
                self.air.put(entry.event, int((time.monotonic() - self._began) * 1000), entry.hold_ms)
            await self.publisher.publish()

        self.do(put_and_publish())

    def publishing(self) -> AbstractContextManager[object]:
        return self.run_in_background(self.publisher.run())


def name_of_event(entries: Sequence[Entry]) -> str:
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    return event_name("friday", opened.seed_commitment)


async def publish_show(folder: Path, entries: Sequence[Entry], *, is_interrupted: bool = False) -> None:
    """Publishes the whole live show of a contest, or only the show's first minute if `is_interrupted`."""
    await _write_site(folder)
    published_show = PublishedShow(folder, name_of_event(entries), journal=entries)
    async with published_show.show.running_task():
        await published_show.clock.run(60)
        while not (is_interrupted or published_show.is_over):
            await published_show.clock.run(60)
        await published_show.publisher.publish()
    assert published_show.is_over != is_interrupted


async def _write_site(folder: Path) -> None:
    site = Site(Destination(str(folder)))
    await site.begin()
    await site.send_program()
    await site.send_list(live_title="Friday")
    await site.send_watch("Friday")
