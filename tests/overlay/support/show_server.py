"""A real studio on a real port, in a thread. Tests put entries on air and look at its pages."""

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from broadcast.app import Studio
from broadcast.live.channel import KEPT_BYTES
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.web.serve import serving
from server.paths import ASSETS

Result = TypeVar("Result")
PATIENCE_SECONDS = 60.0
"""Longer than any request takes, even on a busy machine."""


class ShowServer:
    """A studio that runs in a separate thread until the `with` block ends."""

    def __init__(self, media: Path, clock: Callable[[], float] = time.monotonic) -> None:
        for name in ("avatar.webp", "particle.webp", "sound.ogg"):
            for file in (ASSETS / "house").glob(f"*/{name}"):
                media.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, media / f"{file.parent.name}-{name}")
        self.studio = Studio(media, clock)
        self.studio.why_absent = lambda _: ""  # any channel may still open
        self.address = ""
        self._started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),), daemon=True)

    def __enter__(self) -> "ShowServer":
        self._thread.start()
        assert self._started.wait(PATIENCE_SECONDS), "the studio did not start"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._in_thread(self._over.set)
        self._thread.join(PATIENCE_SECONDS)
        self._loop.close()

    def channel(
        self,
        name: str,
        entries: Iterable[OnAirEntry] = (),
        speed: float = 1,
        kept_bytes: int = KEPT_BYTES,
        title: str = "",
    ) -> AirLog:
        """Opens a channel with `entries` on air. It keeps the last `kept_bytes` of them for viewers who go back."""

        def open_channel() -> AirLog:
            return self.studio.open_channel(name, speed, title, kept_bytes)

        air = self._in_thread(open_channel)
        self.put(air, entries)
        return air

    def close(self, air: AirLog) -> None:
        self._in_thread(lambda: self.studio.close_channel(air.channel))

    def put(self, air: AirLog, entries: Iterable[OnAirEntry]) -> None:
        """Puts `entries` on air at once."""
        written = list(entries)

        def on_air() -> None:
            for entry in written:
                air.put(entry.event, entry.at_ms, entry.hold_ms)

        self._in_thread(on_air)

    def recall(self, air: AirLog, entries: Iterable[OnAirEntry]) -> None:
        """Puts `entries` on air like a resumed show: pages get only the picture after all of them."""
        written = list(entries)

        def on_air() -> None:
            for entry in written:
                air.recall(entry.event, entry.at_ms, entry.hold_ms)
            air.refresh()

        self._in_thread(on_air)

    def picture(self, air: AirLog) -> Any:
        """The studio's snapshot of a channel."""
        return self._in_thread(air.snapshot)

    def _in_thread(self, work: Callable[[], Result]) -> Result:
        done: Future[Result] = Future()
        self._loop.call_soon_threadsafe(lambda: done.set_result(work()))
        return done.result(PATIENCE_SECONDS)

    async def _run(self) -> None:
        self._over = asyncio.Event()
        async with serving(self.studio.app, "127.0.0.1", 0) as self.address:
            self._started.set()
            await self._over.wait()
