"""Where Quick Draw's bots come to practise: a door for each registration, and behind it a game of its own."""

import asyncio
from collections import Counter

from server.bots.bot import Bot
from server.bots.transports.door import Door, NobodyCame, open_door
from server.bots.transports.tcp import TcpWire
from server.front.check_in import WAIT_SECONDS
from server.front.practice_game import PracticeGame
from server.front.practice_rooms import MOST_GAMES, PracticeRooms
from server.front.words import say
from server.lobby import CheckedIn, Refused, Registration

MOST_WAITING = 40
"""Registrations from one address whose bots have not connected yet: nobody can take all tables without playing."""
LINGER_SECONDS = 600.0
"""The original never closes a connection after the game, and its sample bot spins when somebody does."""


class PracticeHall:
    """Lets bots in by TCP."""

    def __init__(self, rooms: PracticeRooms) -> None:
        self._rooms = rooms
        self._playing = 0
        self._waiting: Counter[str] = Counter()

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """A door to a new game. Raises Refused while all tables are taken."""
        if self._playing >= MOST_GAMES:
            raise Refused(503, f"all {MOST_GAMES} practice tables are taken, try again in a minute")
        if self._waiting[address] >= MOST_WAITING:
            raise Refused(429, f"{MOST_WAITING} bots from {address} have registered and not connected yet")
        door = await open_door(self._rooms.settings.host, address, WAIT_SECONDS)
        channel = self._rooms.next_channel()
        self._waiting[address] += 1
        self._rooms.start(self._host(registration, channel, door, address))
        return CheckedIn(door.port, 1, f"/overlay?channel={channel}")

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
        rivals = self._rooms.rivals(registration.name, registration.test_game_size - 1)
        air = self._rooms.open(channel)
        try:
            game = PracticeGame(self._rooms.settings, air, registration, rivals)
            self._rooms.start(game.show())
            return await game.play(wire)
        except OSError as error:
            wire.close()
            self._rooms.close(channel)
            say(f"the practice game {channel} broke off: {error}")
            return None
