"""A server that ends leaves nobody connected, whatever the other end does."""

import asyncio
import gc
import socket
from contextlib import ExitStack, suppress

from fastapi import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import listen, serving_on
from tests.web.stranger_connections import SECONDS, call, get

MORE_THAN_IS_ON_THE_WAY = 32 << 20
COMING = 200
"""Connections in a row, during which the server ends."""


def test_client_that_does_not_read_is_cut_off() -> None:
    asked = asyncio.Event()

    async def long(request: Request) -> Response:
        asked.set()
        return Response(bytes(MORE_THAN_IS_ON_THE_WAY))

    async def story() -> socket.socket:
        app, listener = guarded_app(), listen("127.0.0.1", 0)
        app.router.routes.append(Route("/", long))
        async with serving_on(app, listener):
            line = call(listener.getsockname()[1])
            line.sendall(get(listener.getsockname()[1], "/"))
            await asked.wait()
        return line

    with asyncio.run(story()) as line:
        assert len(_what_comes(line)) < MORE_THAN_IS_ON_THE_WAY
    gc.collect()  # a connection that is forgotten is a warning, and a warning fails the test


def test_client_that_connects_as_the_server_ends_is_closed() -> None:
    async def story() -> None:
        listener = listen("127.0.0.1", 0)
        with ExitStack() as lines:
            async with serving_on(guarded_app(), listener):
                coming = asyncio.create_task(asyncio.to_thread(_come, listener.getsockname()[1], lines))
                await asyncio.sleep(0)
            await coming

    asyncio.run(story())
    gc.collect()


def _come(port: int, lines: ExitStack) -> None:
    with suppress(ConnectionError):
        for _ in range(COMING):
            lines.enter_context(call(port))


def _what_comes(line: socket.socket) -> bytes:
    line.settimeout(SECONDS)
    words = b""
    with suppress(ConnectionResetError):
        while piece := line.recv(1 << 20):
            words += piece
    return words
