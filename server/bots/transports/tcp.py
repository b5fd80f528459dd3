"""The TCP connection to one bot."""

import asyncio
import contextlib
import socket

from server.bots.transports.clock import Clock, Timer
from server.bots.transports.connection import BURST_BYTES, READ_BYTES, FileConnection, Message

GAP_SECONDS = 0.015
"""The pause between two messages, in seconds.

The sample bot takes all bytes of one read as one message, so two messages must never arrive together.
"""
DROPPABLE_WAITING = 16
"""If this many messages are waiting, further droppable messages are not queued."""
KERNEL_BYTES = 64 * 1024
"""The size of the kernel's buffers. By default, they grow to megabytes for a bot that sends too much or does not read.
"""
CLOSE_SECONDS = 1.0
"""How long a closing connection may take to send the waiting messages. After that, the rest is dropped."""


class TcpConnection(FileConnection):
    """The connection to one bot. Messages go out GAP_SECONDS apart, each in one write."""

    ENDED = "closed the connection"

    def __init__(self, connection: socket.socket, clock: Clock) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        super().__init__(connection.fileno(), connection.fileno(), clock)
        self._socket = connection
        self._closing = False
        self._shut_down = asyncio.Event()
        self._closing_task: asyncio.Task[None] | None = None
        self._next_at = clock.time()
        self._pace: Timer | None = None

    def given_away(self) -> socket.socket:
        """Returns the socket, to be handed to another process. Call this only before `attach`, while nothing has been
        read.
        """
        assert self._received is None, "nothing has been read"
        self._open = False
        return self._socket

    @property
    def waiting(self) -> int:
        return len(self._queue) + (self._rest is not None)

    def _accepts(self, message: Message) -> bool:
        return not self._closing and not (message.droppable and len(self._queue) >= DROPPABLE_WAITING)

    def _may_send(self) -> bool:
        if self._clock.time() >= self._next_at:
            return True
        self._pace = self._pace or self._clock.call_at(self._next_at, self._end_pace)
        return False

    def _end_pace(self) -> None:
        self._pace = None
        self._pump()

    def _pump(self) -> None:
        super()._pump()
        if self._closing and not self.waiting:
            self._shut()

    def _message_sent(self, message: Message) -> None:
        self._next_at = self._clock.time() + GAP_SECONDS
        super()._message_sent(message)

    def _resume_reading(self) -> None:
        if not self._closing:
            super()._resume_reading()

    def _reason(self, error: OSError) -> str:
        return "reset the connection" if isinstance(error, ConnectionError) else "the connection broke"

    def close(self) -> None:
        """Sends the waiting messages, within CLOSE_SECONDS, then closes. `lost` is not called."""
        self._lost = None
        if not self._open or self._closing:
            return
        self._closing = True
        self._loop.remove_reader(self._socket)
        self._clock.call_at(self._clock.time() + CLOSE_SECONDS, self._shut)
        self._pump()
        if self._open:
            self._closing_task = self._loop.create_task(self._until_shut())

    async def _until_shut(self) -> None:
        """Waits until the socket is closed. Closes it if the event loop ends early and cancels this task."""
        try:
            await self._shut_down.wait()
        finally:
            self._shut()

    async def aclose(self) -> None:
        """Closes the connection; returns once the waiting messages are sent or CLOSE_SECONDS have passed."""
        self.close()
        await self._shut_down.wait()

    def _close_as_lost(self, reason: str) -> None:
        self._shut()
        if self._lost:
            self._lost(reason)

    def _release(self) -> None:
        if self._pace:
            self._pace.cancel()
        if self._closing:
            self._discard()
        self._socket.close()
        self._shut_down.set()

    def _discard(self) -> None:
        """Reads and drops unread bytes: if any were left, closing would reset the connection and lose the last messages
        to the bot.
        """
        with contextlib.suppress(OSError):
            for _ in range(BURST_BYTES // READ_BYTES):
                if not self._socket.recv(READ_BYTES):
                    return
