"""TCP: the connection to one bot. Moves bytes; knows no poker and no JSON.

Reads and writes the socket itself instead of through asyncio's streams, to know when a request is with the kernel and
to read, just before that, what was sent earlier. One reader for each connection, no task, no polling.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from functools import partial

from server.bots.transports.outbox import (
    BURST_BYTES,
    BYTES_PER_SECOND,
    DRAINED_READS,
    READ_BYTES,
    Clock,
    Message,
    Outbox,
    Timer,
)
from server.token_bucket import TokenBucket

GAP_SECONDS = 0.015
"""Between two messages to one bot: the sample bot reads once per message and loses what is joined past 4096 bytes."""
DROPPABLE_WAITING = 16
"""With so many messages waiting, a droppable one is not queued at all."""
KERNEL_BYTES = 64 * 1024
"""The kernel's buffers, each way; left alone they grow to megabytes for every bot that floods or does not read."""
CLOSE_SECONDS = 1.0
"""How long a closing connection may take to send what waits."""


class TcpConnection:
    """The connection to one bot, from its socket on."""

    def __init__(self, connection: socket.socket, clock: Clock) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        self._socket = connection
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[str], None] | None = None
        self._open = True
        self._closing = False
        self._shut_down = asyncio.Event()
        self._farewell: asyncio.Task[None] | None = None
        self._outbox = Outbox()
        self._unsent = b""
        self._sending: Message | None = None
        self._pumping = False
        self._next_at = clock.time()
        self._pace: Timer | None = None
        self._credit = TokenBucket(BURST_BYTES, BYTES_PER_SECOND, clock.time)
        self._pause: Timer | None = None

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """Starts reading. `lost` is called once, with the reason, when the bot is gone."""
        self._received = received
        self._lost = lost
        self._loop.add_reader(self._socket, self._read)

    def given_away(self) -> socket.socket:
        """The socket, for another process; of what the bot has sent nothing has been read. Only before `attach`."""
        assert self._received is None, "nobody has read from it"
        self._open = False
        return self._socket

    @property
    def waiting(self) -> int:
        """How many messages wait to be sent."""
        return len(self._outbox) + (self._sending is not None)

    # -- out ---------------------------------------------------------------------------------------

    def send(
        self, raw: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Queues the bytes of a whole message; returns a function that takes it back, if it has not been sent.

        Messages go out GAP_SECONDS apart. `handed` is called when the kernel has all of this one. Never blocks, never
        raises for what the bot does.
        """
        message = Message(raw, droppable, handed)
        if self._open and not self._closing and not (droppable and len(self._outbox) >= DROPPABLE_WAITING):
            self._outbox.put(message)
            self._pump()
        return partial(self._outbox.withdraw, message)

    def _pump(self) -> None:
        """Sends the next message if its time has come, else sees to it that it will be."""
        if self._pumping or self._pace or self._sending or not self._open:
            return
        self._pumping = True
        try:
            if self._outbox and self._clock.time() >= self._next_at:
                self._begin(self._outbox[0])
        finally:
            self._pumping = False
        if self._outbox and self._open and not self._sending:
            self._pace = self._clock.call_at(self._next_at, self._paced)
        elif self._closing and not self._sending:
            self._shut()

    def _paced(self) -> None:
        self._pace = None
        self._pump()

    def _begin(self, message: Message) -> None:
        if message.handed:
            self.drain()  # What the bot said before a request is no answer to it.
        if self._open and message in self._outbox:
            self._outbox.remove(message)
            self._sending, self._unsent = message, message.raw
            self._write()

    def _write(self) -> None:
        """One write per message; only where the kernel takes part of it, a second one for the rest."""
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self._gone(_reason(error))
            return
        self._unsent = self._unsent[sent:]
        if self._unsent:
            self._loop.add_writer(self._socket, self._writable)
        else:
            self._all_sent()

    def _writable(self) -> None:
        self._loop.remove_writer(self._socket)
        self._write()
        self._pump()

    def _all_sent(self) -> None:
        message, self._sending = self._sending, None
        self._next_at = self._clock.time() + GAP_SECONDS
        if message and message.handed:
            message.handed()

    # -- in ----------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Reads what has already arrived, up to the longest message, and passes it on before this returns."""
        for _ in range(DRAINED_READS):
            if not self._open or self._received is None or self._pause or not self._read():
                return

    def _read(self) -> bool:
        """Reads once and passes it on; returns whether there may be more."""
        try:
            received = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            return False
        except OSError as error:
            self._gone(_reason(error))
            return False
        if not received:
            self._gone("closed the connection")
            return False
        self._spend(len(received))
        assert self._received is not None, "nothing is read before somebody listens"
        self._received(received)
        return True

    def _spend(self, count: int) -> None:
        """Whoever sends too much is not read for a while, and TCP holds it back."""
        if seconds := self._credit.owe(count):
            self._loop.remove_reader(self._socket)
            self._pause = self._clock.call_at(self._clock.time() + seconds, self._read_on)

    def _read_on(self) -> None:
        self._pause = None
        if not self._closing:
            self._loop.add_reader(self._socket, self._read)

    # -- the end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """Sends what waits, for CLOSE_SECONDS at most, then closes. `lost` is not called: the caller asked for it."""
        self._lost = None
        if not self._open or self._closing:
            return
        self._closing = True
        self._loop.remove_reader(self._socket)
        self._clock.call_at(self._clock.time() + CLOSE_SECONDS, self._shut)
        self._pump()
        if self._open:
            self._farewell = self._loop.create_task(self._until_shut())

    async def _until_shut(self) -> None:
        """A task, so that an event loop that ends before all is sent cancels it, and the socket is closed then."""
        try:
            await self._shut_down.wait()
        finally:
            self._shut()

    async def aclose(self) -> None:
        """Closes, and returns once that is done: what waited is sent, or CLOSE_SECONDS are over."""
        self.close()
        await self._shut_down.wait()

    def _gone(self, reason: str) -> None:
        self._shut()
        if self._lost:
            self._lost(reason)

    def _shut(self) -> None:
        if not self._open:
            return
        self._open = False
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        for timer in (self._pace, self._pause):
            if timer:
                timer.cancel()
        self._outbox.clear()
        if self._closing:
            self._discard()
        self._socket.close()
        self._shut_down.set()

    def _discard(self) -> None:
        """Closing over unread bytes would reset the connection, and the bot would lose what we sent last."""
        with contextlib.suppress(OSError):
            for _ in range(BURST_BYTES // READ_BYTES):
                if not self._socket.recv(READ_BYTES):
                    return


def _reason(error: OSError) -> str:
    return "reset the connection" if isinstance(error, ConnectionError) else "the connection broke"
