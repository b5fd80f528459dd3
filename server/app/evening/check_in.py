"""Check-in before a tournament starts: opens a port for each entrant's bot to connect to."""

import asyncio
import hmac
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from server.bots.bot import Bot
from server.bots.dialects.messages import Dialect
from server.bots.record import RecordOf, no_record
from server.bots.transports.tcp_listener import BotListener, NobodyCame, listen_for_bot
from server.game.events import BotDisconnected, Entrant, Event
from server.registration.register import CheckedIn, Refused, Registration
from server.text.look_alikes import look_alike
from server.token_bucket import TokenBucket
from server.tournament.director import Director

WAIT_SECONDS = 30.0
"""How long a port stays open for a bot that has registered."""
UNREGISTERED_WAIT_SECONDS = 86_400.0
"""How long a port stays open in a contest without registration."""
RECONNECT_BURST = 10
RETURN_SECONDS = 5.0
"""In a contest without registration, a bot may reconnect RECONNECT_BURST times in a row, then once every
RETURN_SECONDS. Without this limit, anybody could fill the journal by connecting to the bot's port again and again.
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
        record: RecordOf = no_record,
    ) -> None:
        """`make_dialect` makes a bot's dialect, the server's side of its protocol. Listens on `host`, on the given
        `ports` or, if `ports` is empty, on any free ports.

        `secrets` is keyed by bot number. A bot with a secret must send it, because names can be guessed.
        """
        self.all_connected = asyncio.Event()
        self._expected = tuple(entrants)
        self._listeners: dict[int, BotListener] = {}
        self._present: set[int] = set()
        self._director = director
        self._make_dialect = make_dialect
        self._host = host
        self._ports = ports
        self._record = record
        self._secrets = secrets or {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._own_ports: dict[int, int] = {}
        """The ports of bots that need not register, keyed by bot number."""
        clock = asyncio.get_running_loop().time
        self._reconnections = {bot.bot: TokenBucket(RECONNECT_BURST, 1 / RETURN_SECONDS, clock) for bot in entrants}
        self._closed = False
        if not entrants:
            self.all_connected.set()

    async def open_ports(self) -> dict[int, int]:
        """Opens a port for each entrant, in the order of `ports`. Returns the ports, keyed by bot number. Raises
        OSError.
        """
        for entrant, port in zip(self._expected, self._ports or [0] * len(self._expected), strict=False):
            await self._open_port(entrant, port)
        return dict(self._own_ports)

    async def _open_port(self, entrant: Entrant, port: int) -> None:
        listener = await listen_for_bot(self._host, "", UNREGISTERED_WAIT_SECONDS, ports=(port,))
        self._own_ports[entrant.bot] = listener.port
        self._wait_for(entrant, listener)

    async def _reopen_port(self, entrant: Entrant, port: int) -> None:
        if seconds := self._reconnections[entrant.bot].charge(1):
            await asyncio.sleep(seconds)
        if not self._closed:
            await self._open_port(entrant, port)

    def _wait_for(self, entrant: Entrant, listener: BotListener) -> None:
        if earlier := self._listeners.pop(entrant.bot, None):
            earlier.close()
        self._listeners[entrant.bot] = listener
        self._spawn(self._let_in(entrant, listener))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Closes all ports; from now on `check_in` refuses all bots."""
        self._closed = True
        for listener in self._listeners.values():
            listener.close()

    async def check_in(self, registration: Registration, address: str) -> CheckedIn:
        """Opens a port for an entrant, for connections from `address` only. Closes the port that the entrant had
        before.

        Raises Refused if the bot may not join or is already connected, or if no port is free.
        """
        if self._closed:
            raise Refused(409, "the tournament has begun, and no bot can join it now")
        entrant = self._entrant(registration.name)
        if entrant is None:
            raise Refused(403, f"{registration.name} is not entered in this tournament")
        if not hmac.compare_digest(registration.secret.encode(), self._secrets.get(entrant.bot, "").encode()):
            raise Refused(403, f'{registration.name} must send the secret it was given in the field "secret"')
        if entrant.bot in self._present:
            raise Refused(409, f"{registration.name} is already connected and cannot join twice")
        try:
            listener = await listen_for_bot(self._host, address, WAIT_SECONDS, ports=self._ports)
        except OSError as error:
            raise Refused(503, f"no port is free for {registration.name}: {error.strerror}; try again") from None
        self._wait_for(entrant, listener)
        return CheckedIn(listener.port, entrant.bot)

    def _entrant(self, name: str) -> Entrant | None:
        """Returns the entrant with this name, otherwise an entrant with a name that looks alike, otherwise None."""
        alike = (each for each in self._expected if look_alike(each.name, name))
        return next((each for each in self._expected if each.name == name), None) or next(alike, None)

    async def _let_in(self, entrant: Entrant, listener: BotListener) -> None:
        try:
            connection = await listener.accept()
        except NobodyCame:
            return
        self._present.add(entrant.bot)
        self._director.welcome(
            Bot(entrant.bot, self._make_dialect(), connection, self._hear, record=self._record(entrant.bot))
        )
        if len(self._present) == len(self._expected):
            self.all_connected.set()

    def _hear(self, event: Event) -> None:
        """Passes on a bot's event. A bot that has left may reconnect until the tournament starts."""
        if isinstance(event, BotDisconnected):
            self._present.discard(event.bot)
            self.all_connected.clear()
            if (port := self._own_ports.get(event.bot)) and not self._closed:
                entrant = next(each for each in self._expected if each.bot == event.bot)
                self._spawn(self._reopen_port(entrant, port))
        self._director.hear(event)
