"""Bots that are HTTP servers. The test chooses the bytes of each answer."""

import asyncio
import json
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct

from server.bots.transports.http import Address
from tests.support.tcp_server import HOST, serve_connections

Script = Callable[["Caller"], Coroutine[Any, Any, None]]
"""A script acts as a bot's HTTP server on one connection."""


class Caller(Struct):
    """One connection from the tournament, as the bot's HTTP server sees it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def read_request(self) -> tuple[str, bytes]:
        """Reads a request. Returns its head and its body. Raises IncompleteReadError if the tournament hangs up."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        return head, await self.reader.readexactly(int(fields.get("content-length", 0)))

    async def say(self, raw: bytes) -> None:
        self.writer.write(raw)
        await self.writer.drain()

    async def wait_until_gone(self) -> None:
        await self.reader.read(-1)

    def reset(self) -> None:
        """Ends the connection with a TCP reset, as if the bot's program had been killed."""
        no_linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_linger)
        self.writer.transport.abort()


class Host(Struct):
    """A bot's HTTP server: its address, and how many connections it has had."""

    address: Address
    connections: int = 0


@asynccontextmanager
async def serve_bot(script: Script) -> AsyncIterator[Host]:
    """Runs a server that follows `script` on each connection. At the end, closes the server and all its connections."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host.connections += 1
        try:
            await script(Caller(reader, writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # The tournament has hung up.
        finally:
            writer.close()

    async with serve_connections(serve) as port:
        host = Host(Address(f"{HOST}:{port}", (HOST,), port))
        yield host


def make_response(body: object, *, status: str = "200 OK", fields: str = "") -> bytes:
    """Returns a whole HTTP response with `body`, which is sent as JSON unless it is bytes."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(raw)}\r\n{fields}\r\n".encode() + raw


def answer_with(raw: bytes, times: int = sys.maxsize) -> Script:
    """Returns a script that answers each request on a connection with `raw`, and hangs up after `times` requests."""

    async def script(caller: Caller) -> None:
        for _ in range(times):
            await caller.read_request()
            await caller.say(raw)

    return script
