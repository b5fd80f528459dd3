"""Practice games of bots that this server calls over HTTP: each is called to its seat, then plays a game of its own.

Addresses that come in here have been looked up already, and lie where the organiser allows.
"""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from broadcast.web.private_pages import same_link
from server.app.enova.registry import is_at
from server.app.enova.store import Registered
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.contests import Kind
from server.app.practice.guests import Guest
from server.bots.transports.http import Address
from server.registration.wishes import Asked

PATIENCE_SECONDS = 10.0
"""Some bots register before their own server listens: a bot that is not ready is called again for so long."""
AGAIN_SECONDS = 0.5
"""The pause between two such calls."""


class HttpGames:
    """The games of one practice command, for a contest whose bots are called."""

    def __init__(self, kind: Kind, channels: PracticeChannels, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.guests = channels.guests
        self._kind = kind
        self._channels = channels
        self._patience_seconds = patience_seconds
        self._playing: list[tuple[Guest, Address]] = []

    def welcome(self, name: str, address: Address, client: str, asked: Asked) -> Guest:
        """Starts a game for the bot at `address` and returns what is known of it; the game runs in a task of its own.

        A bot that registers again while it plays is shown its running game, and its author's page only to who knows its
        key. With the name "" it is given one. `client` is the address that the request came from: raises Refused (429
        or 503) where it has too many games or all tables are taken.
        """
        for guest, at in self._playing:
            if is_at(at, address):
                knows = asked.key and same_link(guest.own, self._channels.own.token(guest.name, asked.key))
                return guest if knows else replace(guest, own="")
        leave = self._channels.places.take(client)
        guest = self._channels.guest(name, "is called to its seat", asked)
        self._playing.append((guest, address))
        self._channels.start(self._host(guest, address, asked, leave))
        return guest

    async def _host(self, guest: Guest, address: Address, asked: Asked, leave: Callable[[], None]) -> None:
        """Calls the bot to its seat and plays its game; gives its place back at the end."""
        try:
            if await self._takes_its_seat(guest, address):
                await self._channels.play(guest, self._kind.contest, address, house=asked.house)
        finally:
            self._playing.remove((guest, address))
            leave()

    async def _takes_its_seat(self, guest: Guest, address: Address) -> bool:
        clock = asyncio.get_running_loop()
        until = clock.time() + self._patience_seconds
        while why := await self._kind.refusal(Registered(guest.name, address)):
            if clock.time() >= until:
                self._channels.lose(guest, f"is not seated: {why}")
                return False
            self.guests.stands(guest, f"is called again, for it is not there yet: {why}")
            await asyncio.sleep(AGAIN_SECONDS)
        return True
