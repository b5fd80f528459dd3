"""`highnoon practice`: the testing mode. Every registration gets its own game against house bots, and its own show."""

import asyncio
import logging
import resource
import time
from collections import Counter, deque
from collections.abc import Coroutine, Sequence
from typing import Any

from broadcast.airlog import AirLog
from broadcast.app import Studio
from server.bots.bot import Bot
from server.bots.dialects.plain_text import folded_name
from server.bots.transports.door import Door, NobodyCame, open_door
from server.bots.transports.tcp import TcpWire
from server.config import Settings
from server.front.cast import CAST, Character, enter_cast
from server.front.check_in import WAIT_SECONDS
from server.front.practice_game import PracticeGame
from server.front.serving import serving
from server.front.words import addresses, say
from server.game.events import Entrant
from server.lobby import CheckedIn, Refused, Registration, register_router

MOST_GAMES = 200
"""Games at once."""
MOST_WAITING = 40
"""Registrations from one address whose bots have not connected yet: nobody can take all tables without playing."""
CHANNELS_KEPT = 300
"""Shows that can be looked at; the oldest go first."""
LINGER_SECONDS = 600.0
"""The original never closes a connection after the game, and its sample bot spins when somebody does."""


async def practice(settings: Settings) -> int:
    """Serves practice games until interrupted."""
    _allow_many_sockets()
    studio = Studio(settings.media, time.monotonic)
    hall = PracticeHall(settings, studio, enter_cast(settings))
    studio.app.include_router(register_router(hall.check_in))
    async with serving(studio.app, settings.host, settings.port) as base:
        say("High Noon practice: bots register and play at once. Ctrl-C ends it.")
        say(f"  register        POST {base}/register")
        addresses(base, "practice-1")
        await asyncio.Event().wait()
    return 0


class PracticeHall:
    """Many practice games at once, each with its own log, journal and channel."""

    def __init__(self, settings: Settings, studio: Studio, cast: Sequence[Entrant]) -> None:
        self._settings = settings
        self._studio = studio
        self._cast = list(zip(CAST, cast, strict=True))
        self._opened = 0
        self._playing = 0
        self._waiting: Counter[str] = Counter()
        self._channels: deque[str] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """A door to a new game. Raises Refused while all tables are taken."""
        if self._playing >= MOST_GAMES:
            raise Refused(503, f"all {MOST_GAMES} practice tables are taken, try again in a minute")
        if self._waiting[address] >= MOST_WAITING:
            raise Refused(429, f"{MOST_WAITING} bots from {address} have registered and not connected yet")
        door = await open_door(self._settings.host, address, WAIT_SECONDS)
        self._opened += 1
        channel = f"practice-{self._opened}"
        self._waiting[address] += 1
        self._start(self._host(registration, channel, door, address))
        return CheckedIn(door.port, 1, f"/overlay?channel={channel}")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs `work` on its own: whatever happens to one game is no other game's business."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logging.getLogger(__name__).error("a practice game broke off: %s", error, exc_info=error)

    async def _host(self, registration: Registration, channel: str, door: Door, address: str) -> None:
        """One guest, from the door to the end of its connection."""
        self._playing += 1
        try:
            wire = await self._entered(door, address)
            guest = await self._play(registration, channel, wire) if wire else None
        finally:
            self._playing -= 1
        if guest:
            await asyncio.sleep(LINGER_SECONDS)
            guest.hang_up()

    async def _entered(self, door: Door, address: str) -> TcpWire | None:
        try:
            return await door.entered()
        except NobodyCame:
            return None
        finally:
            self._waiting[address] -= 1

    async def _play(self, registration: Registration, channel: str, wire: TcpWire) -> Bot | None:
        """The guest after its game; none, and its connection closed, where the disk does not take the game."""
        air = self._open_channel(channel)
        try:
            game = PracticeGame(self._settings, air, registration, self._rivals(registration))
            self._start(game.show())
            return await game.play(wire)
        except OSError as error:
            wire.close()
            self._channels.remove(channel)
            self._studio.close_channel(channel)
            say(f"the practice game {channel} broke off: {error}")
            return None

    def _open_channel(self, channel: str) -> AirLog:
        self._channels.append(channel)
        if len(self._channels) > CHANNELS_KEPT:
            self._studio.close_channel(self._channels.popleft())
        return self._studio.open_channel(channel, self._settings.speed)

    def _rivals(self, registration: Registration) -> list[tuple[Character, Entrant]]:
        """House bots for the other seats, a different company each time, never the guest's namesake."""
        guest = folded_name(registration.name)
        others = [pair for pair in self._cast if folded_name(pair[0].name) != guest]
        turn = self._opened % len(others)
        return (others[turn:] + others[:turn])[: registration.test_game_size - 1]


def _allow_many_sockets() -> None:
    """A practice game holds up to twelve sockets; the usual limit of 1,024 would end at some eighty games."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
