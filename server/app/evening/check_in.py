"""The check-in of bots before a tournament starts. Each entrant's bot gets its own port and connects to this port."""

import asyncio
import hmac
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from server.bots.bot import Bot
from server.bots.dialects.messages import Dialect
from server.bots.message_records import RecordFactory, no_record
from server.bots.transports.tcp_listener import BotListener, BotNotConnected, listen_for_bot
from server.game.events import BotDisconnected, Entrant, Event
from server.registration.register import CheckedIn, Registration, RegistrationRefused
from server.text.look_alikes import look_alike
from server.token_bucket import TokenBucket
from server.tournament.director import Director

WAIT_SECONDS = 30.0
"""A port stays open for this many seconds for a bot that has registered."""
UNREGISTERED_WAIT_SECONDS = 86_400.0
"""In a contest without registration, a port stays open for this many seconds."""
RECONNECT_BURST = 10
RECONNECT_SECONDS = 5.0
"""In a contest without registration, a bot may reconnect RECONNECT_BURST times in a row. After that, it may reconnect
once every RECONNECT_SECONDS. Without this limit, anybody could fill the journal by connecting to the bot's port again
and again.
"""


class CheckInDesk:
    """Lets bots connect and reconnect until the tournament starts. The event `all_connected` is set while all bots are
    connected.
    """

    def __init__(
        self,
        entrants: Sequence[Entrant],
        director: Director,
        make_dialect: Callable[[], Dialect],
        host: str,
        secrets: Mapping[int, str] | None = None,
        *,
        ports: Sequence[int] = (),
        make_record: RecordFactory = no_record,
    ) -> None:
        """`director` plays the tournament, and gets the bots that have connected. `make_dialect` makes a dialect, the
        server's side of a bot's protocol. The desk listens on `host`, at the given `ports`. If `ports` is empty, the
        desk uses any free ports.

        `secrets` is keyed by bot number. A bot that has a secret must send the secret, because names can be guessed.
        """
        self.all_connected = asyncio.Event()
        self._entrants = tuple(entrants)
        self._listeners: dict[int, BotListener] = {}
        self._connected_bots: set[int] = set()
        self._director = director
        self._make_dialect = make_dialect
        self._host = host
        self._ports = ports
        self._make_record = make_record
        self._secrets = secrets or {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._port_by_bot: dict[int, int] = {}
        """The ports of bots that need not register, keyed by bot number."""
        clock = asyncio.get_running_loop().time
        self._reconnect_limits = {
            entrant.bot: TokenBucket(RECONNECT_BURST, 1 / RECONNECT_SECONDS, clock) for entrant in entrants
        }
        self._is_closed = False
        if not entrants:
            self.all_connected.set()

    async def open_ports(self) -> dict[int, int]:
        """Opens a port for each entrant. The ports given to the desk go to the entrants in order. Returns the open
        ports, keyed by bot number. Raises OSError.
        """
        for entrant, port in zip(self._entrants, self._ports or [0] * len(self._entrants), strict=False):
            await self._open_port(entrant, port)
        return dict(self._port_by_bot)

    async def _open_port(self, entrant: Entrant, port: int) -> None:
        listener = await listen_for_bot(self._host, "", UNREGISTERED_WAIT_SECONDS, ports=(port,))
        self._port_by_bot[entrant.bot] = listener.port
        self._expect_connection(entrant, listener)

    async def _reopen_port(self, entrant: Entrant, port: int) -> None:
        if seconds := self._reconnect_limits[entrant.bot].charge(1):
            await asyncio.sleep(seconds)
        if not self._is_closed:
            await self._open_port(entrant, port)

    def _expect_connection(self, entrant: Entrant, listener: BotListener) -> None:
        if earlier_listener := self._listeners.pop(entrant.bot, None):
            earlier_listener.close()
        self._listeners[entrant.bot] = listener
        self._spawn(self._let_in(entrant, listener))

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Closes all ports. From now on, `check_in` refuses all bots."""
        self._is_closed = True
        for listener in self._listeners.values():
            listener.close()

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """Opens a port for an entrant, for connections from `address` only. Closes the port that the entrant had
        before.

        Raises RegistrationRefused if the bot may not join or is already connected, or if no port is free.
        """
        if self._is_closed:
            raise RegistrationRefused(409, "the tournament has begun, and no bot can join it now")
        entrant = self._find_entrant(registration.name)
        if entrant is None:
            raise RegistrationRefused(403, f"{registration.name} is not entered in this tournament")
        if not hmac.compare_digest(registration.secret.encode(), self._secrets.get(entrant.bot, "").encode()):
            raise RegistrationRefused(
                403, f'{registration.name} must send the secret it was given in the field "secret"'
            )
        if entrant.bot in self._connected_bots:
            raise RegistrationRefused(409, f"{registration.name} is already connected and cannot join twice")
        try:
            listener = await listen_for_bot(self._host, address, WAIT_SECONDS, ports=self._ports)
        except OSError as error:
            raise RegistrationRefused(
                503, f"no port is free for {registration.name}: {error.strerror}; try again"
            ) from None
        self._expect_connection(entrant, listener)
        return CheckedIn(listener.port, entrant.bot)

    def _find_entrant(self, name: str) -> Entrant | None:
        """Returns the entrant called `name`. If there is none, returns an entrant whose name looks like `name`, or
        None.
        """
        alike = (entrant for entrant in self._entrants if look_alike(entrant.name, name))
        return next((entrant for entrant in self._entrants if entrant.name == name), None) or next(alike, None)

    async def _let_in(self, entrant: Entrant, listener: BotListener) -> None:
        try:
            connection = await listener.accept()
        except BotNotConnected:
            return
        self._connected_bots.add(entrant.bot)
        self._director.add_bot(
            Bot(
                entrant.bot, self._make_dialect(), connection, self._on_bot_event, record=self._make_record(entrant.bot)
            )
        )
        if len(self._connected_bots) == len(self._entrants):
            self.all_connected.set()

    def _on_bot_event(self, event: Event) -> None:
        """Passes a bot's event to the director. A disconnected bot may reconnect until the tournament starts."""
        if isinstance(event, BotDisconnected):
            self._connected_bots.discard(event.bot)
            self.all_connected.clear()
            if (port := self._port_by_bot.get(event.bot)) and not self._is_closed:
                entrant = next(entrant for entrant in self._entrants if entrant.bot == event.bot)
                self._spawn(self._reopen_port(entrant, port))
        self._director.record_bot_event(event)
