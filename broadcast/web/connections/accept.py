"""Accepts connections on a listening socket: a few in one turn of the event loop.

One for which `ConnectionLimits` has no place is closed at once, before asyncio or uvicorn spend anything on it.
"""

import asyncio
import contextlib
import errno
import socket

from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.limits import ConnectionLimits
from broadcast.web.connections.protocol import TURNED_AWAY, FirstRequest

BACKLOG = 4096
"""Connections that wait to be accepted, where the system grants so many. One that does not fit tries again after a
second."""
AT_ONCE = 16
"""Connections accepted in one turn of the event loop."""
NO_FILES_SECONDS = 1.0
"""How long nobody is accepted while no more files can be opened."""
_NO_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Acceptor:
    """Accepts connections on `listener` from its construction until `close`, and reads their first request.

    The socket must be bound; it is made non-blocking and listening here. It stays the caller's to close.
    """

    def __init__(self, listener: socket.socket, server: ServerContext, places: ConnectionLimits) -> None:
        self._listener = listener
        self._server = server
        self._places = places
        self._again: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        listener.setblocking(False)
        listener.listen(BACKLOG)
        server.loop.add_reader(listener, self._accept)

    async def close(self) -> None:
        """Stops accepting. Connections that were accepted stay open, and are in the list of all when this returns."""
        self._server.loop.remove_reader(self._listener)
        if self._again:
            self._again.cancel()
        await asyncio.gather(*self._tasks)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                line, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _NO_FILES:
                    raise
                self._rest(error)
                return
            self._take(line, address[0])

    def _take(self, line: socket.socket, address: str) -> None:
        head = FirstRequest(self._server)
        head.place = self._places.take(address, head.give_way)
        if head.place is None:
            self._server.log.warning(TURNED_AWAY)
            line.close()
            return
        line.setblocking(False)
        task = self._server.loop.create_task(self._connect(head, line))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, head: FirstRequest, line: socket.socket) -> None:
        with contextlib.suppress(OSError):
            await self._server.loop.connect_accepted_socket(lambda: head, line)
            return
        line.close()
        head.connection_lost(None)

    def _rest(self, error: OSError) -> None:
        """Other connections must end first; trying at once again would only keep the loop busy."""
        self._server.log.warning("No connection can be accepted: %s", error.strerror)
        self._server.loop.remove_reader(self._listener)
        self._again = self._server.loop.call_later(
            NO_FILES_SECONDS, self._server.loop.add_reader, self._listener, self._accept
        )
