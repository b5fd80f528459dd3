"""The TCP connection to one bot."""

import asyncio
import contextlib
import socket

from server.bots.transports.clock import Clock, Timer
from server.bots.transports.connection import BURST_BYTES, READ_BYTES, FileConnection, Message

MESSAGE_GAP_SECONDS = 0.015
"""The pause between two messages, in seconds.

The sample bot takes all bytes of one read as one message, so two messages must never arrive together.
"""
DROPPABLE_WAITING = 16
"""If this many messages are waiting, no more droppable messages (such as chat) are queued."""
KERNEL_BUFFER_BYTES = 64 * 1024
"""The size of the kernel's buffers. Without this limit, the buffers grow to megabytes if a bot sends too much or does
not read.
"""
CLOSE_SECONDS = 1.0
"""How many seconds a closing connection may take to send the waiting messages. After that, the rest is dropped."""


class TcpConnection(FileConnection):
    """The connection to one bot. Messages go out MESSAGE_GAP_SECONDS apart, each in one write."""

    END_REASON = "closed the connection"

    def __init__(self, connection: socket.socket, clock: Clock) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER_BYTES)
        super().__init__(connection.fileno(), connection.fileno(), clock)
        self._socket = connection
        self._is_closing = False
        self._closed_event = asyncio.Event()
        self._closing_task: asyncio.Task[None] | None = None
        self._next_send_time = clock.time()
        self._gap_timer: Timer | None = None

    def detach_socket(self) -> socket.socket:
        """Gives up the socket and returns it, so that another process can use it. Call this only before `attach`, while
        nothing has been read.
        """
        assert self._on_received is None, "nothing has been read"
        self._is_open = False
        return self._socket

    @property
    def waiting_count(self) -> int:
        return len(self._queue) + (self._unsent is not None)

    def _may_queue(self, message: Message) -> bool:
        return not self._is_closing and not (message.droppable and len(self._queue) >= DROPPABLE_WAITING)

    def _may_send(self) -> bool:
        if self._clock.time() >= self._next_send_time:
            return True
        self._gap_timer = self._gap_timer or self._clock.call_at(self._next_send_time, self._end_gap)
        return False

    def _end_gap(self) -> None:
        self._gap_timer = None
        self._pump()

    def _pump(self) -> None:
        super()._pump()
        if self._is_closing and not self.waiting_count:
            self._close_now()

    def _message_sent(self, message: Message) -> None:
        self._next_send_time = self._clock.time() + MESSAGE_GAP_SECONDS
        super()._message_sent(message)

    def _resume_reading(self) -> None:
        if not self._is_closing:
            super()._resume_reading()

    def _loss_reason(self, error: OSError) -> str:
        return "reset the connection" if isinstance(error, ConnectionError) else "the connection broke"

    def close(self) -> None:
        """Sends the waiting messages, within CLOSE_SECONDS, then closes. `on_lost` is not called."""
        self._on_lost = None
        if not self._is_open or self._is_closing:
            return
        self._is_closing = True
        self._loop.remove_reader(self._socket)
        self._clock.call_at(self._clock.time() + CLOSE_SECONDS, self._close_now)
        self._pump()
        if self._is_open:
            self._closing_task = self._loop.create_task(self._close_when_sent())

    async def _close_when_sent(self) -> None:
        """Waits until the socket is closed. Closes it if the event loop ends early and cancels this task."""
        try:
            await self._closed_event.wait()
        finally:
            self._close_now()

    async def aclose(self) -> None:
        """Closes the connection, and returns once the waiting messages are sent or CLOSE_SECONDS have passed."""
        self.close()
        await self._closed_event.wait()

    def _close_as_lost(self, reason: str) -> None:
        self._close_now()
        if self._on_lost:
            self._on_lost(reason)

    def _close_files(self) -> None:
        if self._gap_timer:
            self._gap_timer.cancel()
        if self._is_closing:
            self._discard_input()
        self._socket.close()
        self._closed_event.set()

    def _discard_input(self) -> None:
        """Reads and drops unread bytes. If unread bytes were left, closing would reset the connection, and the bot
        would not get the last messages.
        """
        with contextlib.suppress(OSError):
            for _ in range(BURST_BYTES // READ_BYTES):
                if not self._socket.recv(READ_BYTES):
                    return
