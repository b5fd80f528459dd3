"""A real studio (a show's server) on a real port, in a thread. Tests put entries on air and open the studio's pages."""

import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from broadcast.app import Studio
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.web.serve import serving
from server.game.events import Event
from server.paths import ASSETS
from tests.support.background import BackgroundService


class ShowServer(BackgroundService):
    """A studio that runs in a separate thread until the `with` block ends."""

    def __init__(self, media: Path, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        for name in ("avatar.webp", "particle.webp", "sound.ogg"):
            for file in (ASSETS / "house").glob(f"*/{name}"):
                media.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, media / f"{file.parent.name}-{name}")
        self.studio = Studio(media, clock)
        self.studio.why_absent = lambda _: ""  # "" lets pages wait for channels that tests open later
        self.address = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with serving(self.studio.app, "127.0.0.1", 0) as self.address:
            yield

    def channel(self, name: str, entries: Iterable[OnAirEntry] = (), title: str = "") -> AirLog:
        air = self.call_in_server(lambda: self.studio.open_channel(name, 1, title))
        self.put(air, entries)
        return air

    def close(self, air: AirLog) -> None:
        self.call_in_server(lambda: self.studio.close_channel(air.channel))

    def put(self, air: AirLog, entries: Iterable[OnAirEntry]) -> None:
        self._call_for_each(air.put, entries)

    def recall(self, air: AirLog, entries: Iterable[OnAirEntry]) -> None:
        """Puts `entries` on air as a resumed show does: pages get only the picture after the last entry."""
        self._call_for_each(air.recall, entries)
        self.call_in_server(air.refresh)

    def _call_for_each(self, add: Callable[[Event, int, int], object], entries: Iterable[OnAirEntry]) -> None:
        to_add = list(entries)  # a generator runs here, in the test's thread
        self.call_in_server(lambda: [add(entry.event, entry.at_ms, entry.hold_ms) for entry in to_add])

    def picture(self, air: AirLog) -> Any:
        return self.call_in_server(air.snapshot)
