"""Accepts connections, a few per turn of the event loop, with limits of size and time that uvicorn lacks.

A connection is closed at once if `ConnectionLimits` has no slot (a place) for it. Otherwise it starts as a
`FirstRequest`, which only counts bytes. Once the head of the request is complete, the connection waits for its turn.
Then a `PageSocket` takes over a connection for a WebSocket. An `HttpConnection` takes over any other connection.
"""

import asyncio
import contextlib
import errno
import re
import socket

from broadcast.web.connections import http_connection
from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.http_connection import HttpConnection
from broadcast.web.connections.limits import ConnectionLimits, Slot
from broadcast.web.connections.page_socket import PageSocket, response_bytes
from server.system.sockets import set_unread_timeout, watcher

BACKLOG = 4096
"""How many connections may wait to be accepted, if the system allows that many. Further clients retry after a
second."""
MAX_ACCEPTED_AT_ONCE = 64
"""How many connections are accepted per turn of the event loop. Each accepted connection then waits in a queue until it
is read. So thousands of connections do not delay the desk and OBS.
"""
NO_FILES_SECONDS = 1.0
"""If the server cannot open another file, it accepts no connections for this many seconds."""
_NO_FILES_ERRNOS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
MAX_HEAD_BYTES = 8192
"""The size limit of the request line and all headers together."""
UNREAD_SECONDS = 10
"""If a client reads nothing for this many seconds, its connection is closed."""
REFUSED_WARNING = "Connections were refused: the server is full, or one address connected too often"
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_TOO_LONG = b"The head of a request has at most 8 KiB.\n"
_TOKEN_MARKS = (b"token=", b"desk_", b"earer ")
"""If the head of a request contains one of these marks, the request may have a desk token. The token may be in the
address, in a cookie, or in the header Authorization. Such requests wait in a separate queue, so that other people at an
operator's address do not delay the operator. The token is checked only later.
"""


class FirstRequest(asyncio.BufferedProtocol):
    """A new connection until the head of its first request is complete. A head may have at most MAX_HEAD_BYTES, and
    take at most HEAD_SECONDS.

    Set `slot` before asyncio calls `connection_made`. A head that is too long is answered with status 400.
    """

    def __init__(self, server: ServerContext) -> None:
        self.slot: Slot | None = None
        self._server = server
        self._transport: asyncio.Transport | None = None
        self._head = bytearray()
        self._head_length = 0
        self._timer: asyncio.TimerHandle | None = None
        self._is_gone = False

    def evict(self) -> None:
        """Closes the connection because another connection needs its slot. May be called before `connection_made`."""
        self._server.log.warning(REFUSED_WARNING)
        self._is_gone = True
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        # A client may have reset the connection before it was accepted.
        has_left = transport.get_extra_info("peername") is None
        if self._is_gone or has_left:
            self._is_gone = True
            transport.abort()
            return
        self._server.connections.add(self)
        set_unread_timeout(transport.get_extra_info("socket"), UNREAD_SECONDS)
        self._timer = self._server.loop.call_later(http_connection.HEAD_SECONDS, transport.abort)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Returns a buffer that all connections share. asyncio fills it, and calls `buffer_updated` before the next
        read.
        """
        return self._server.read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        assert self._transport, "bytes arrive only on a connection"
        start = max(0, len(self._head) - 3)
        self._head += self._server.read_buffer[:nbytes]
        end = _END_OF_HEAD.search(self._head, start)
        self._head_length = end.end() if end else 0
        if (self._head_length or len(self._head)) > MAX_HEAD_BYTES:
            self._transport.write(response_bytes(400, self._server.headers, _TOO_LONG))
            self._transport.close()
        elif self._head_length and self._timer:
            self._timer.cancel()
            self._transport.pause_reading()
            may_have_token = any(each in self._head for each in _TOKEN_MARKS)
            address = self.slot and self.slot.address
            # Sites (networks of addresses) take turns. At each site, requests that may have a token wait in a queue of
            # their own.
            self._server.connection_queue.enqueue(
                (address and address.site, may_have_token), address, self._start_request
            )

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._is_gone = True
        if self.slot:
            self.slot.release()

    def shutdown(self) -> None:
        """Closes the connection. Called when the server ends."""
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        """Aborts the connection. Called if the connection is still open a second after `shutdown`."""
        if self._transport:
            self._transport.abort()

    def _stop_waiting(self) -> None:
        self._server.connections.discard(self)
        if self._timer:
            self._timer.cancel()

    def _start_request(self) -> None:
        if self._is_gone or not self._transport or not self.slot:
            return
        self._stop_waiting()
        self._transport.resume_reading()  # before the next protocol begins, which may pause reading again
        head = bytes(self._head[: self._head_length])
        upgrade = head.lower().partition(b"\nupgrade:")[2].partition(b"\n")[0]
        if b"websocket" in upgrade:  # PageSocket refuses a faulty handshake
            PageSocket(self._server, self._transport, self.slot).begin(head)
        else:
            HttpConnection(self._server, self.slot).begin(self._transport, bytes(self._head))


class Acceptor:
    """Accepts connections on `listener` until `close` is called. Reads the first request of each connection.

    The socket must be bound. The acceptor makes the socket listen without blocking. The caller closes the socket.
    """

    def __init__(self, listener: socket.socket, server: ServerContext, slots: ConnectionLimits) -> None:
        self._listener = listener
        self._server = server
        self._slots = slots
        self._resume_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        listener.setblocking(False)
        listener.listen(BACKLOG)
        watcher(server.loop).add_reader(listener, self._accept)

    async def close(self) -> None:
        """Stops accepting. Accepted connections stay open, and are in the server's set of connections when this method
        returns.
        """
        watcher(self._server.loop).remove_reader(self._listener)
        if self._resume_timer:
            self._resume_timer.cancel()
        await asyncio.gather(*self._tasks)

    def _accept(self) -> None:
        for _ in range(MAX_ACCEPTED_AT_ONCE):
            try:
                accepted, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _NO_FILES_ERRNOS:
                    raise
                self._pause_accepting(error)
                return
            self._admit(accepted, address[0])

    def _admit(self, accepted: socket.socket, address: str) -> None:
        first_request = FirstRequest(self._server)
        first_request.slot = slot = self._slots.acquire(address, first_request.evict)
        if slot is None:
            self._server.log.warning(REFUSED_WARNING)
            accepted.close()
            return
        accepted.setblocking(False)
        task = self._server.loop.create_task(self._connect(first_request, slot, accepted))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, first_request: FirstRequest, slot: Slot, accepted: socket.socket) -> None:
        await self._server.arrival_queue.wait_for_turn(slot.address.site, slot.address)
        with contextlib.suppress(OSError):
            await self._server.loop.connect_accepted_socket(lambda: first_request, accepted)
            return
        accepted.close()
        first_request.connection_lost(None)

    def _pause_accepting(self, error: OSError) -> None:
        """Stops accepting for NO_FILES_SECONDS. Until other connections end, retries would only keep the loop busy."""
        self._server.log.warning("No connection can be accepted: %s", error.strerror)
        watcher(self._server.loop).remove_reader(self._listener)
        self._resume_timer = self._server.loop.call_later(
            NO_FILES_SECONDS, watcher(self._server.loop).add_reader, self._listener, self._accept
        )
