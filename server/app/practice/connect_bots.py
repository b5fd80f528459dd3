"""Connects registered bots to their practice games. Either a bot connects to the port that this server opens for it, or
this server calls the bot over HTTP.

The caller must have looked up the addresses of HTTP bots, and checked that the organiser allows these addresses.
"""

import asyncio
import socket
from collections import defaultdict
from collections.abc import Awaitable, Callable
from functools import partial

from msgspec.structs import replace

from broadcast.web.access import is_same_link
from server.app.host_lookup import is_same_server
from server.app.practice.games.plan import practice_format
from server.app.practice.guests import Guest
from server.app.practice.matchmaking import Matchmaker, NotSeated, RegisteredGuest
from server.app.practice.practice_server import PracticeServer
from server.bots.transports.http import Address
from server.bots.transports.tcp_listener import BotListener, BotNotConnected, listen_for_bot
from server.game.formats import Format
from server.registration.practice_options import PracticeOptions
from server.registration.register import CheckedIn, Registration, RegistrationRefused

CONNECT_SECONDS = 15.0
"""A port waits this many seconds for the bot that registered."""
MAX_WAITING_PORTS = 40
"""At most this many ports wait for bots from one address. If there are more, the oldest port is closed."""
READY_TIMEOUT_SECONDS = 10.0
"""A bot that is not ready is called repeatedly for this many seconds, because some bots register before they listen."""
CALL_AGAIN_SECONDS = 0.5
"""The pause between two calls of a bot that is not ready."""
ALREADY_PLAYING = (
    'the bot at this address is already playing, as "{name}": that game continues, and no other was started; register '
    "again once it is over"
)


class TcpGames:
    """The games of one practice server in a contest in which bots connect over TCP."""

    def __init__(
        self,
        make_format: Callable[[int, int], Format],
        server: PracticeServer,
        *,
        connect_seconds: float = CONNECT_SECONDS,
    ) -> None:
        """`make_format` returns the format of a game with the given numbers of seats and hands."""
        self.guests = server.guests
        self._make_format = make_format
        self._server = server
        self._connect_seconds = connect_seconds
        self._matchmaker = Matchmaker(server, make_format)
        self._listeners: defaultdict[str, list[BotListener]] = defaultdict(list)

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """Opens a port for a bot that registers from `address`. The game starts once the bot connects.

        Returns the port and the links to the bot's pages. Raises RegistrationRefused: 429 if `address` has too many
        games, 503 if all tables or ports are taken, or another status if the bot names a challenge that is not open to
        it.
        """
        status, settings = "has registered, but has not connected yet", self._server.settings
        registered_guest = self._matchmaker.register(registration.name, status, registration.practice_options, address)
        try:
            listener = await listen_for_bot(settings.host, address, self._connect_seconds, ports=settings.game_ports)
        except OSError as error:
            why = f"no port is free for a game: {error.strerror}"
            self._matchmaker.withdraw(registered_guest, f"registered, and {why}")
            registered_guest.release_table()
            raise RegistrationRefused(503, why) from None
        guest = registered_guest.guest
        listeners = self._listeners[guest.client]
        listeners.append(listener)
        if len(listeners) > MAX_WAITING_PORTS:
            listeners[0].close()
        default_format = self._make_format(registration.test_game_size, registration.test_hand_count)
        self._server.start(
            self._matchmaker.connect_and_play(registered_guest, partial(self._accept, guest, listener), default_format)
        )
        return CheckedIn(listener.port, guest.number, guest.watch_url, guest.own_url, guest.house_strength)

    async def _accept(self, guest: Guest, listener: BotListener) -> socket.socket:
        """Waits for the bot to connect. Raises NotSeated if it does not connect in time."""
        try:
            return (await listener.accept()).detach_socket()
        except BotNotConnected:
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
        contest_format: Format,
        call_to_seat: Callable[[str, Address], Awaitable[str]],
        server: PracticeServer,
        ready_seconds: float = READY_TIMEOUT_SECONDS,
    ) -> None:
        """`call_to_seat` takes a bot's name and address, and calls the bot to its seat. The function returns ""
        if the bot accepts, otherwise why not, as text for the author.
        """
        self.guests = server.guests
        self._contest_format = contest_format
        self._call_to_seat = call_to_seat
        self._server = server
        self._ready_seconds = ready_seconds
        self._matchmaker = Matchmaker(server, partial(practice_format, contest_format))
        self._playing_bots: list[tuple[Guest, Address]] = []

    def start_game(self, name: str, address: Address, client: str, options: PracticeOptions) -> tuple[Guest, list[str]]:
        """Starts a game for the bot at `address` in a task. Returns the bot and warnings. Makes up a name if `name` is
        "". `client` is the address from which the request came.

        If a bot registers again while it plays, starts no new game and returns the playing bot. If the new registration
        lacks the bot's key, the returned bot has no link to the author's page. Raises RegistrationRefused: 429 if the
        client has too many games, 503 if all tables are taken.
        """
        for guest, guest_address in self._playing_bots:
            if is_same_server(guest_address, address):
                is_author = options.key and is_same_link(
                    guest.page_token, self._server.practice_pages.token(guest.name, options.key)
                )
                return guest if is_author else replace(guest, page_token=""), [ALREADY_PLAYING.format(name=guest.name)]
        registered_guest = self._matchmaker.register(name, "is called to its seat", options, client)
        self._playing_bots.append((registered_guest.guest, address))
        self._server.start(self._connect_and_play(registered_guest, address))
        return registered_guest.guest, []

    async def _connect_and_play(self, registered_guest: RegisteredGuest, address: Address) -> None:
        try:
            await self._matchmaker.connect_and_play(
                registered_guest,
                partial(self._seat, registered_guest.guest, address),
                practice_format(self._contest_format),
            )
        finally:
            self._playing_bots.remove((registered_guest.guest, address))

    async def _seat(self, guest: Guest, address: Address) -> Address:
        """Calls a bot to its seat until it accepts. Raises NotSeated if it does not accept in time."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._ready_seconds
        while why := await self._call_to_seat(guest.name, address):
            if loop.time() >= deadline:
                raise NotSeated(f"is not seated: {why}")
            self.guests.report_status(guest, f"is called again, because it is not ready yet: {why}")
            await asyncio.sleep(CALL_AGAIN_SECONDS)
        return address
