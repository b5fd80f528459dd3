"""Practice games of bots that this server calls over HTTP: each is called to its seat, then plays a game of its own.

Addresses that come in here have been looked up already, and lie where the organiser allows.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from msgspec.structs import replace

from broadcast.web.access import same_link
from server.addresses import household
from server.app.own_addresses import is_at
from server.app.practice.challenges import Challenges
from server.app.practice.channels import Player, PracticeChannels
from server.app.practice.games.plan import short
from server.app.practice.guests import Guest
from server.app.practice.invitations import Invitation
from server.bots.transports.http import Address
from server.game.tournament import Format
from server.registration.register import Refused
from server.registration.wishes import Asked

PATIENCE_SECONDS = 10.0
"""Some bots register before their own server listens: a bot that is not ready is called again for so long."""
ALREADY = (
    'the bot at this address plays already, as "{name}": that game goes on, and nothing else was begun; register again '
    "once it is over"
)
AGAIN_SECONDS = 0.5
"""The pause between two such calls."""


class HttpGames:
    """The games of one practice command, for a contest whose bots are called."""

    def __init__(
        self,
        contest: Format,
        refusal: Callable[[str, Address], Awaitable[str]],
        channels: PracticeChannels,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """`refusal` calls a bot to its seat and returns why it does not take it, in words for its author, or ""."""
        self.guests = channels.guests
        self._contest = short(contest)
        self._call = refusal
        self._channels = channels
        self._patience_seconds = patience_seconds
        self._challenges = Challenges(channels, partial(short, contest))
        self._playing: list[tuple[Guest, Address]] = []

    def welcome(self, name: str, address: Address, client: str, asked: Asked) -> tuple[Guest, list[str]]:
        """Starts a game for the bot at `address`, in a task of its own; returns what is known of it, and warnings.

        A bot that registers again while it plays is shown its running game, and its author's page only to who knows its
        key. With the name "" it is given one. `client` is the address that the request came from: raises Refused (429
        or 503) where it has too many games or all tables are taken.
        """
        for guest, at in self._playing:
            if is_at(at, address):
                knows = asked.key and same_link(guest.own, self._channels.own.token(guest.name, asked.key))
                return guest if knows else replace(guest, own=""), [ALREADY.format(name=guest.name)]
        leave = self._channels.places.take(client)
        try:
            invitation, guest = self._guest(name, asked)
        except Refused:
            leave()
            raise
        guest.client = household(client)
        self._playing.append((guest, address))
        self._channels.start(self._host(guest, invitation, address, asked, leave))
        return guest, []

    def _guest(self, name: str, asked: Asked) -> tuple[Invitation | None, Guest]:
        stands = "is called to its seat"
        if asked.challenge:
            return self._challenges.enter(name, stands, asked)
        return None, self._channels.guest(name, stands, asked)

    async def _host(
        self,
        guest: Guest,
        invitation: Invitation | None,
        address: Address,
        asked: Asked,
        leave: Callable[[], None],
    ) -> None:
        """Calls the bot to its seat and plays its game; gives its place back at the end."""
        try:
            if why := await self._refusal(guest, address):
                if invitation:
                    self._challenges.leave(invitation, guest, why)
                else:
                    self._channels.lose([guest], why)
            elif invitation:
                await self._challenges.play(invitation, guest, address, asked.house)
            else:
                await self._channels.play([Player(guest, address)], self._contest, house=asked.house)
        finally:
            self._playing.remove((guest, address))
            leave()

    async def _refusal(self, guest: Guest, address: Address) -> str:
        """Why a bot does not take its seat, after it has been called for some time; "" as soon as it does."""
        clock = asyncio.get_running_loop()
        until = clock.time() + self._patience_seconds
        while why := await self._call(guest.name, address):
            if clock.time() >= until:
                return f"is not seated: {why}"
            self.guests.stands(guest, f"is called again, for it is not there yet: {why}")
            await asyncio.sleep(AGAIN_SECONDS)
        return ""
