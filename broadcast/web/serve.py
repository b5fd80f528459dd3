"""Serves a web application with uvicorn on the event loop of the command that calls it."""

import asyncio
import contextlib
import errno
import logging
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.config import LOGGING_CONFIG

from broadcast.web.connections.acceptor import BACKLOG, MAX_HEAD_BYTES, Acceptor
from broadcast.web.connections.context import ServerContext
from broadcast.web.connections.limits import FILES_DIVISOR, MAX_CONNECTIONS, RESERVED_SLOTS, ConnectionLimits
from server.console import logs_json
from server.system import processes

MAX_OPEN_FILES = 65_536
_BUSY_PORT_ADVICE = (
    "stop whatever is using it, or choose another with --port (tournaments: under [ports] in the event file)"
)
SWITCH_SECONDS = 0.0005
"""A busy thread may keep the event loop waiting for at most this many seconds after a system call. While two threads
were busy, an answer took 1.6 ms with this value, and 23 ms with Python's default of 5 ms.
"""
TRUSTED_PROXIES = "FORWARDED_ALLOW_IPS"
"""The environment variable with the addresses of the proxies that may set X-Forwarded-For."""
PATIENCE_SECONDS = 3.0
"""How many seconds `listen_with_retries` keeps trying to listen, and how many seconds cancelled requests may take to
end.
"""
SECONDS_BETWEEN_WARNINGS = 60.0
_CANCELLED_MESSAGE = "Cancel %s running task(s), timeout graceful shutdown exceeded"
RETRY_SECONDS = 0.1


class CannotServe(OSError):
    """The server cannot listen on the address. The message says why and what to do."""


@contextlib.asynccontextmanager
async def serving(app: FastAPI, host: str, port: int, *, max_connections: int = MAX_CONNECTIONS) -> AsyncIterator[str]:
    """Serves `app` until the block ends. Yields the server's address, such as "http://127.0.0.1:5000".

    Port 0 takes a free port. Raises CannotServe.
    """
    listener = listen(host, port)
    async with serving_on(app, listener, max_connections=max_connections):
        yield address_of(listener)


@contextlib.asynccontextmanager
async def serving_on(
    app: FastAPI, listener: socket.socket, *, max_connections: int = MAX_CONNECTIONS, reserved: int = RESERVED_SLOTS
) -> AsyncIterator[None]:
    """Serves `app` on a listening socket until the block ends, then closes the socket.

    At most `max_connections` public connections are open at once. There are `reserved` more places for the control
    desk, `reserved` more for this machine, and `reserved` more for connections that wait for a public place.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    max_connections = min(max_connections, raise_file_limit() // FILES_DIVISOR)  # leaves files for the game
    trusted = os.environ.get(TRUSTED_PROXIES, "")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        log_config=None if logs_json() else LOGGING_CONFIG,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
        proxy_headers=bool(trusted),
        forwarded_allow_ips=trusted,
        ws="broadcast.web.connections.page_socket:PageSocket",
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
    )
    log, log_filter = logging.getLogger("uvicorn.error"), _ServerLog()
    log.addFilter(log_filter)
    try:
        async with _run_server(config, listener, ConnectionLimits(max_connections, time.monotonic, reserved)):
            yield
    finally:
        log.removeFilter(log_filter)


@contextlib.asynccontextmanager
async def _run_server(config: uvicorn.Config, listener: socket.socket, limits: ConnectionLimits) -> AsyncIterator[None]:
    """Runs uvicorn's server, but not with its method `serve`, because `serve` would catch signals that the command
    needs.
    """
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup([])  # no sockets: an Acceptor accepts connections
    running = asyncio.create_task(server.main_loop())
    acceptor = Acceptor(listener, ServerContext(config, server.server_state, asyncio.get_running_loop()), limits)
    try:
        yield
    finally:
        await acceptor.close()
        server.should_exit = True
        await running
        await server.shutdown([listener])
        if cut_off := [*server.server_state.tasks]:
            await asyncio.wait(cut_off, timeout=PATIENCE_SECONDS)  # `_ServerLog` drops the errors of these tasks
        remaining: list[Any] = list(server.server_state.connections)
        for connection in remaining:  # the client did not read its answer in time
            connection.abort()


def raise_file_limit() -> int:
    """Raises the limit of open files to MAX_OPEN_FILES if the system allows that. Returns the new limit."""
    return processes.raise_file_limit(MAX_OPEN_FILES)


async def listen_with_retries(host: str, port: int) -> socket.socket:
    """Like `listen`, but retries for PATIENCE_SECONDS: a process that was just stopped may still use the port."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return listen(host, port)
        except CannotServe:
            if time.monotonic() >= deadline:
                raise
            await asyncio.sleep(RETRY_SECONDS)


def address_of(listener: socket.socket) -> str:
    """Returns the address of a listening socket, such as "http://127.0.0.1:5000".

    If the socket listens on all addresses, returns the machine's address on the network.
    """
    host, port = listener.getsockname()[:2]
    if host == "0.0.0.0":  # noqa: S104 (compared, not listened on)
        host = network_address()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def network_address() -> str:
    """Returns the IPv4 address at which others on the network reach this machine, or "127.0.0.1" without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the local address
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that listens on an IPv4 or IPv6 address. Port 0 takes a free port. Raises CannotServe."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol, asyncio sets TCP_NODELAY. Nagle's algorithm would delay small answers by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if processes.UNIX:  # on Windows this option would let two servers listen on one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        in_use = error.errno == errno.EADDRINUSE
        why = f"the port is in use: {_BUSY_PORT_ADVICE}" if in_use else error.strerror
        raise CannotServe(f"cannot serve on {host}:{port}: {why}") from None
    return listener


class _ServerLog(logging.Filter):
    """Logs at most one warning of each kind a minute, because strangers can cause warnings.

    Drops errors of cancelled requests.
    """

    def __init__(self) -> None:
        super().__init__()
        self._logged_at: dict[str, float] = {}
        self._suppressed: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is logged. The next logged line of the same kind says how many lines were left out."""
        if record.levelno != logging.WARNING:
            cause = record.exc_info[0] if record.exc_info else None
            return record.msg != _CANCELLED_MESSAGE and not (cause and issubclass(cause, asyncio.CancelledError))
        kind, now = str(record.msg), time.monotonic()
        if now - self._logged_at.get(kind, -SECONDS_BETWEEN_WARNINGS) < SECONDS_BETWEEN_WARNINGS:
            self._suppressed[kind] += 1
            return False
        self._logged_at[kind] = now
        if more := self._suppressed.pop(kind, 0):
            record.msg = f"{kind} (and {more} more times in the last few minutes)"
        return True
