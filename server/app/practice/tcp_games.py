"""Practice games of Quick Draw: a listening port for each bot that registers, and a game once it connects."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

from server.app.practice.channels import PracticeChannels
from server.app.practice.guests import Guest
from server.app.practice.limits import household
from server.app.practice.tcp_game import PracticeGame
from server.bots.bot import Bot
from server.bots.transports.tcp import TcpWire
from server.bots.transports.tcp_listener import Door, NobodyCame, open_door
from server.registration.register import CheckedIn, Registration

CONNECT_SECONDS = 15.0
"""How long a port waits for the bot that registered."""
MOST_WAITING = 40
"""Ports that wait for one address; one more closes the oldest, so a bot that connects at once is always let in."""
LINGER_SECONDS = 5.0
"""Between the last `hand_result` and the end of the connection, by which a bot knows that its game is over."""


class TcpGames:
    """The games of one practice command, for bots that connect by TCP."""

    def __init__(
        self,
        channels: PracticeChannels,
        *,
        connect_seconds: float = CONNECT_SECONDS,
        linger_seconds: float = LINGER_SECONDS,
    ) -> None:
        self._channels = channels
        self._connect_seconds = connect_seconds
        self._linger_seconds = linger_seconds
        self._doors: defaultdict[str, list[Door]] = defaultdict(list)

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """Opens a port for the bot that registers, and starts its game once it connects; returns the port and its page.

        `address` is where the request came from. Raises Refused (429 or 503) where it has too many games or all tables
        are taken, OSError where no port can be opened.
        """
        leave = self._channels.places.take(address)
        try:
            door = await open_door(self._channels.settings.host, address, self._connect_seconds)
        except OSError:
            leave()
            raise
        waiting = self._doors[household(address)]
        waiting.append(door)
        if len(waiting) > MOST_WAITING:
            waiting[0].close()
        guest = self._channels.guest(registration.name, "has registered and is to connect")
        self._channels.start(self._host(registration, guest, door, address, leave))
        return CheckedIn(door.port, 1, guest.watch_url)

    async def _host(
        self, registration: Registration, guest: Guest, door: Door, address: str, leave: Callable[[], None]
    ) -> None:
        """Waits for the bot, plays its game, and closes its connection some seconds after the end."""
        try:
            wire = await self._entered(guest, door, household(address))
            bot = await self._play(registration, guest, wire) if wire else None
        finally:
            leave()
        if bot:
            await asyncio.sleep(self._linger_seconds)
            bot.hang_up()

    async def _entered(self, guest: Guest, door: Door, household: str) -> TcpWire | None:
        try:
            return await door.entered()
        except NobodyCame:
            self._channels.lose(guest, f"registered and did not connect to port {door.port} in time: there is no game")
            return None
        finally:
            door.close()
            self._doors[household].remove(door)
            if not self._doors[household]:
                del self._doors[household]

    async def _play(self, registration: Registration, guest: Guest, wire: TcpWire) -> Bot | None:
        """Plays the game and returns the bot; None, with its connection closed, if the disk does not take it."""
        channels = self._channels
        rivals = channels.rivals(registration.name, registration.test_game_size - 1)
        air = channels.open(guest)
        try:
            game = PracticeGame(channels.settings, air, registration, rivals, channels.files.begin)
            observer = channels.show(guest, game.table)
            bot, ended = await game.play(wire)
        except OSError as error:
            wire.close()
            channels.lose(guest, f"has lost its game, which the server's disk did not take: {error}")
            return None
        channels.played(guest, observer, ended)
        return bot
