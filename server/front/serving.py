"""Serve the web application next to the game, on one event loop. uvicorn lives here and nowhere else."""

import asyncio
import contextlib
import errno
import logging
import socket
import time
from collections.abc import AsyncIterator, Iterator

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from broadcast.fanout import ShowProtocol
from broadcast.seen import is_here

HEAD_SECONDS = 5.0
"""The head of a request must be whole by then; uvicorn itself would wait for ever."""


MOST = 800
"""Connections at a time: fewer than files may be open, so that nobody from outside uses up what the game needs."""
SHARE_OF_ONE = 8
"""One address has at most this part of them; this machine's own, which may be a proxy, are not limited."""
MOST_OF_CALLERS = 128
"""Of bots that call from afar, in the process that plays the game."""
MOST_OF_A_BOT = 8
"""Of a bot in a box, which has a socket of its own to register at."""
BACKLOG = 128
_BUSY = "stop what uses it or choose another, with --port or under [ports] in the event file"
PATIENCE_SECONDS = 3.0
AGAIN_SECONDS = 0.1


class CannotServe(OSError):
    """The address is not to be had; the text says what to do."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to the command, which has more than the web server to end."""
        yield


class PromptProtocol(H11Protocol):
    """uvicorn's HTTP protocol; a connection that says nothing, or half of something, or is one too many, is cut off."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._is_one_too_many():
            transport.abort()
            return
        self._head = self.loop.call_later(HEAD_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._mind_no_more()
        elif self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._mind_no_more()
        super().connection_lost(exc)

    def _is_one_too_many(self) -> bool:
        most = self.limit_concurrency or MOST
        if len(self.connections) >= most:
            return True
        own = self.client[0] if self.client else ""
        others = sum(_address(other) == own for other in self.connections)
        return others > max(most // SHARE_OF_ONE, MOST_OF_A_BOT) and not is_here(own)

    def _mind_no_more(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head = None


def _address(connection: object) -> str:
    client: tuple[str, int] | None = getattr(connection, "client", None)
    return client[0] if client else ""


@contextlib.asynccontextmanager
async def serving(app: FastAPI, host: str, port: int) -> AsyncIterator[str]:
    """Serves `app` and gives its address ("http://127.0.0.1:5000"); port 0 takes any free one. Raises CannotServe."""
    listener = listen(host, port)
    async with serving_on(app, listener):
        yield address_of(listener)


@contextlib.asynccontextmanager
async def serving_on(app: FastAPI, listener: socket.socket, *, most: int = MOST) -> AsyncIterator[None]:
    """Serves `app` on a socket that listens already, to `most` at a time, and closes that in the end."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
        backlog=min(most, BACKLOG),  # asyncio accepts so many at once before it looks at any of them
        limit_concurrency=most + 1,  # uvicorn would answer those past it, which costs a file and time
        http=PromptProtocol,
        ws=ShowProtocol,
        ws_max_size=4096,
        ws_per_message_deflate=False,
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await server.up.wait()
        yield
    finally:
        # Requests that are cut off because we end are no errors.
        log = logging.getLogger("uvicorn.error")
        level = log.level
        log.setLevel(logging.CRITICAL)
        server.should_exit = True
        await running
        log.setLevel(level)


async def listen_soon(host: str, port: int) -> socket.socket:
    """A listening socket, after some patience with a process of ours that has not quite ended. Raises CannotServe."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return listen(host, port)
        except CannotServe:
            if time.monotonic() >= until:
                raise
            await asyncio.sleep(AGAIN_SECONDS)


def address_of(listener: socket.socket) -> str:
    """Where a listening socket is to be found ("http://127.0.0.1:5000")."""
    host, port = listener.getsockname()[:2]
    if host == "0.0.0.0":  # noqa: S104 (everywhere is no address anybody could open)
        host = _on_the_network()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _on_the_network() -> str:
    """This machine's address as others on its network see it; its own name for itself where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would leave
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one. Raises CannotServe."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio would not know it for that and leave Nagle's 40 ms on every page.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        in_use = error.errno == errno.EADDRINUSE
        why = f"the port is in use: {_BUSY}" if in_use else error.strerror
        raise CannotServe(f"cannot serve on {host}:{port}: {why}") from None
    return listener
