"""What all practice games of a command share: channels, the house's cast, and tasks of their own. Knows no contest."""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine, Sequence
from typing import Any

from broadcast.airlog import AirLog
from broadcast.app import Studio
from server.bots.dialects.plain_text import folded_name
from server.config import Settings
from server.front.cast import CAST, Character
from server.game.events import Entrant

MOST_GAMES = 200
"""Games at once."""
CHANNELS_KEPT = 300
"""Shows that can be looked at; the oldest go first."""

Rivals = Sequence[tuple[Character, Entrant]]
"""House bots, and how they are entered."""


class PracticeRooms:
    """Many practice games at once, each with its own log, journal and channel."""

    def __init__(self, settings: Settings, studio: Studio, cast: Sequence[Entrant]) -> None:
        self.settings = settings
        self._studio = studio
        self._cast = list(zip(CAST, cast, strict=True))
        self._opened = 0
        self._channels: deque[str] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    def next_channel(self) -> str:
        """The name of another game's channel."""
        self._opened += 1
        return f"practice-{self._opened}"

    def open(self, channel: str) -> AirLog:
        """The channel, open; the oldest one is closed where there are too many."""
        self._channels.append(channel)
        if len(self._channels) > CHANNELS_KEPT:
            self._studio.close_channel(self._channels.popleft())
        return self._studio.open_channel(channel, self.settings.speed)

    def close(self, channel: str) -> None:
        """Takes the channel of a game that broke off away, unless that has happened already."""
        if channel in self._channels:
            self._channels.remove(channel)
            self._studio.close_channel(channel)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs `work` on its own: whatever happens to one game is no other game's business."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def rivals(self, name: str, count: int) -> Rivals:
        """House bots for the other seats, a different company each time, never the guest's namesake."""
        others = [pair for pair in self._cast if folded_name(pair[0].name) != folded_name(name)]
        turn = self._opened % len(others)
        return (others[turn:] + others[:turn])[:count]

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logging.getLogger(__name__).error("a practice game broke off: %s", error, exc_info=error)
