"""Old games of a season, shown again to whoever asks, each on a channel of its own."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from broadcast.app import Studio
from broadcast.showrunner import Showrunner
from server.bus import Bus
from server.front.season_store import Store
from server.journal import Recording, read_journal

MOST = 12
"""Shows at a time; the oldest goes first."""


class Replays:
    """The channels of games that are shown again."""

    def __init__(self, studio: Studio, store: Store, clock: Callable[[], float]) -> None:
        self._studio = studio
        self._store = store
        self._clock = clock
        self._on: OrderedDict[str, asyncio.Task[None]] = OrderedDict()

    async def show(self, game: int) -> str:
        """The channel on which a game that is over is shown from its beginning. Raises OSError, JournalDamaged."""
        channel = f"game-{game}"
        if channel not in self._on:
            recording = await asyncio.to_thread(read_journal, self._store.game(game).journal)
            self._open(channel, recording)
        return channel

    def close(self) -> None:
        """Ends all of them."""
        for channel in list(self._on):
            self._close(channel)

    def _open(self, channel: str, recording: Recording) -> None:
        if channel in self._on:
            return
        while len(self._on) >= MOST:
            self._close(next(iter(self._on)))
        self._on[channel] = asyncio.create_task(self._run(channel, recording))

    async def _run(self, channel: str, recording: Recording) -> None:
        bus = Bus(None, self._clock)
        bus.load(recording.entries)
        bus.close()
        air = self._studio.open_channel(channel, 1.0)
        try:
            await Showrunner(air, clock=self._clock).run(bus.follow())
        except Exception as error:  # One show's trouble is no other's.
            logging.getLogger(__name__).error("the show of %s broke off: %s", channel, error, exc_info=error)

    def _close(self, channel: str) -> None:
        self._on.pop(channel).cancel()
        if channel in self._studio.channels:
            self._studio.close_channel(channel)
