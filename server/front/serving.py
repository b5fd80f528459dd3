"""Serve the web application next to the game, on one event loop. uvicorn lives here and nowhere else."""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from fastapi import FastAPI

from broadcast.fanout import ShowProtocol


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


@contextlib.asynccontextmanager
async def serving(app: FastAPI, host: str, port: int) -> AsyncIterator[str]:
    """Serves `app` and gives its address ("http://127.0.0.1:5000"); port 0 takes any free one. Raises CannotServe."""
    listener = _listen(host, port)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
        ws=ShowProtocol,
        ws_max_size=4096,
        ws_per_message_deflate=False,
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await server.up.wait()
        name = f"[{host}]" if ":" in host else host
        yield f"http://{name}:{listener.getsockname()[1]}"
    finally:
        # Requests that are cut off because we end are no errors.
        log = logging.getLogger("uvicorn.error")
        level = log.level
        log.setLevel(logging.CRITICAL)
        server.should_exit = True
        await running
        log.setLevel(level)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        in_use = error.errno == errno.EADDRINUSE
        why = "the port is in use: stop what uses it or choose another with --port" if in_use else error.strerror
        raise CannotServe(f"cannot serve on {host}:{port}: {why}") from None
    return listener
