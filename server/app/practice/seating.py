"""Seats bots in their practice games. A bot connects to a port of its own, or this server calls the bot over HTTP.

The caller must have looked up the addresses of HTTP bots, and checked that the organiser allows these addresses.
"""

import asyncio
import socket
from collections import defaultdict
from collections.abc import Awaitable, Callable
from functools import partial

from msgspec.structs import replace

from broadcast.web.access import same_link
from server.app.host_lookup import is_at
from server.app.practice.challenges import Challenges, Entry, NotSeated
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.plan import practice_format
from server.app.practice.guests import Guest
from server.bots.transports.http import Address
from server.bots.transports.tcp_listener import BotListener, NobodyCame, listen_for_bot
from server.game.formats import Format
from server.registration.register import CheckedIn, Refused, Registration
from server.registration.wishes import Asked

CONNECT_SECONDS = 15.0
"""How many seconds a port waits for the bot that registered."""
MAX_WAITING = 40
"""How many ports may wait for bots from one address. When another port is opened, the oldest is closed."""
PATIENCE_SECONDS = 10.0
"""For how many seconds the server keeps calling a bot that is not ready. Some bots register before they listen."""
AGAIN_SECONDS = 0.5
"""The pause between two calls of a bot that is not ready."""
ALREADY_PLAYING = (
    'the bot at this address is already playing, as "{name}": that game continues, and no other was started; register '
    "again once it is over"
)


class TcpGames:
    """The games of one practice server in a contest in which bots connect over TCP."""

    def __init__(
        self,
        contest: Callable[[int, int], Format],
        channels: PracticeChannels,
        *,
        connect_seconds: float = CONNECT_SECONDS,
    ) -> None:
        """`contest` returns the format of a game with the given numbers of seats and hands."""
        self.guests = channels.guests
        self._contest = contest
        self._channels = channels
        self._connect_seconds = connect_seconds
        self._challenges = Challenges(channels, contest)
        self._listeners: defaultdict[str, list[BotListener]] = defaultdict(list)

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """Opens a port for a bot that registers from `address`. The game starts once the bot connects.

        Returns the port and the links to the bot's pages. Raises Refused: 429 if `address` has too many games, 503 if
        all tables or ports are taken.
        """
        status, settings = "has registered, but has not connected yet", self._channels.settings
        entry = self._challenges.enter(registration.name, status, registration.asked, address)
        try:
            listener = await listen_for_bot(settings.host, address, self._connect_seconds, ports=settings.game_ports)
        except OSError as error:
            why = f"no port is free for a game: {error.strerror}"
            self._challenges.leave(entry, f"registered, and {why}")
            entry.free()
            raise Refused(503, why) from None
        guest = entry.guest
        waiting = self._listeners[guest.client]
        waiting.append(listener)
        if len(waiting) > MAX_WAITING:
            waiting[0].close()
        alone = self._contest(registration.test_game_size, registration.test_hand_count)
        self._channels.start(self._challenges.host(entry, partial(self._accept, guest, listener), alone))
        return CheckedIn(listener.port, guest.number, guest.watch_url, guest.own_url, guest.house)

    async def _accept(self, guest: Guest, listener: BotListener) -> socket.socket:
        """Waits for the bot to connect. Raises NotSeated if it does not connect in time."""
        try:
            return (await listener.accept()).given_away()
        except NobodyCame:
            why = f"registered and did not connect to port {listener.port} in time: there is no game"
            raise NotSeated(why) from None
        finally:
            listener.close()
            self._listeners[guest.client].remove(listener)
            if not self._listeners[guest.client]:
                del self._listeners[guest.client]


class HttpGames:
    """The games of one practice server in a contest whose bots are HTTP servers."""

    def __init__(
        self,
        contest: Format,
        refusal: Callable[[str, Address], Awaitable[str]],
        channels: PracticeChannels,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """`refusal` is called with a bot's name and address. It calls the bot to its seat, and returns "" if the bot
        accepts. Otherwise it returns the reason, as text for the author.
        """
        self.guests = channels.guests
        self._contest = contest
        self._call = refusal
        self._channels = channels
        self._patience_seconds = patience_seconds
        self._challenges = Challenges(channels, partial(practice_format, contest))
        self._playing: list[tuple[Guest, Address]] = []

    def welcome(self, name: str, address: Address, client: str, asked: Asked) -> tuple[Guest, list[str]]:
        """Starts a game for the bot at `address` in a task. Returns the bot and warnings. Makes up a name if `name` is
        "". `client` is the address from which the request came.

        If a bot registers again while it plays, returns its running game. In this case, the link to the author's page
        is left out unless the bot sends its key. Raises Refused: 429 if the client has too many games, 503 if all
        tables are taken.
        """
        for guest, at in self._playing:
            if is_at(at, address):
                is_author = asked.key and same_link(guest.own, self._channels.own.token(guest.name, asked.key))
                return guest if is_author else replace(guest, own=""), [ALREADY_PLAYING.format(name=guest.name)]
        entry = self._challenges.enter(name, "is called to its seat", asked, client)
        self._playing.append((entry.guest, address))
        self._channels.start(self._host(entry, address))
        return entry.guest, []

    async def _host(self, entry: Entry, address: Address) -> None:
        try:
            await self._challenges.host(
                entry, partial(self._seat, entry.guest, address), practice_format(self._contest)
            )
        finally:
            self._playing.remove((entry.guest, address))

    async def _seat(self, guest: Guest, address: Address) -> Address:
        """Calls a bot to its seat until it accepts. Raises NotSeated if it does not accept in time."""
        clock = asyncio.get_running_loop()
        until = clock.time() + self._patience_seconds
        while why := await self._call(guest.name, address):
            if clock.time() >= until:
                raise NotSeated(f"is not seated: {why}")
            self.guests.report_status(guest, f"is called again, because it is not ready yet: {why}")
            await asyncio.sleep(AGAIN_SECONDS)
        return address
