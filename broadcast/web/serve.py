"""Serve the web application next to the game, on one event loop. uvicorn lives here and nowhere else."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import resource
import socket
import time
from collections.abc import AsyncIterator, Iterator

import uvicorn
from fastapi import FastAPI

from broadcast.web.connections.accept import BACKLOG, Acceptor
from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.handshake import MOST_BYTES
from broadcast.web.connections.limits import KEPT, MOST, SHARE_OF_FILES, Places
from broadcast.web.server_log import ServerLog

MOST_FILES = 65_536
"""Open files that are asked for at most, even where the system sets no limit."""
COLLECTED_AFTER = (20_000, 20, 20)
"""New objects after which Python looks for circles among them (it would after 700): connections are many objects that
stay, and a look at all of them holds up everybody."""
_BUSY = "stop what uses it or choose another, with --port or under [ports] in the event file"
_PROXIES = "FORWARDED_ALLOW_IPS"
"""In the environment: the addresses of proxies whose X-Forwarded-For is believed; nobody else's is."""
PATIENCE_SECONDS = 3.0
AGAIN_SECONDS = 0.1


class CannotServe(OSError):
    """The address is not to be had; the text says what to do."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, places: Places) -> None:
        super().__init__(config)
        self.up = asyncio.Event()
        self._places = places
        self._accepting: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])  # it has nothing to accept: see Acceptor
        server = ServerContext(self.config, self.server_state, asyncio.get_running_loop())
        self._accepting = [Acceptor(listener, server, self._places) for listener in sockets or ()]
        self.up.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for each in self._accepting:
            each.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to the command, which has more than the web server to end."""
        yield


@contextlib.asynccontextmanager
async def serving(app: FastAPI, host: str, port: int, *, most: int = MOST) -> AsyncIterator[str]:
    """Serves `app` and gives its address ("http://127.0.0.1:5000"); port 0 takes any free one. Raises CannotServe."""
    listener = listen(host, port)
    async with serving_on(app, listener, most=most):
        yield address_of(listener)


@contextlib.asynccontextmanager
async def serving_on(
    app: FastAPI, listener: socket.socket, *, most: int = MOST, kept: int = KEPT
) -> AsyncIterator[None]:
    """Serves `app` on a socket that listens already, to `most` at a time, and closes that in the end.

    `kept` places more are for whoever has a token of the desk.
    """
    gc.set_threshold(*COLLECTED_AFTER)
    most = min(most, open_files() // SHARE_OF_FILES)
    trusted = os.environ.get(_PROXIES, "")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
        proxy_headers=bool(trusted),
        forwarded_allow_ips=trusted,
        ws="broadcast.web.connections.page_socket:PageSocket",
        h11_max_incomplete_event_size=MOST_BYTES,
    )
    server = _Server(config, Places(most, time.monotonic, kept))
    with ServerLog(logging.getLogger("uvicorn.error"), time.monotonic):
        running = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await server.up.wait()
            yield
        finally:
            server.should_exit = True
            await running


def open_files() -> int:
    """How many files this process may have open, after as many as the system grants were asked for."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    if now != resource.RLIM_INFINITY and now < wished:
        with contextlib.suppress(ValueError, OSError):  # macOS has a limit of its own besides.
            resource.setrlimit(resource.RLIMIT_NOFILE, (wished, most))
    now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wished if now == resource.RLIM_INFINITY else now


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
        host = address_on_the_network()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def address_on_the_network() -> str:
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
