"""A viewer that is cut off at random bytes and reconnects, and what it should have received."""

import asyncio
import json
import random
import struct
import time
from contextlib import suppress
from hashlib import sha256
from typing import Any

import msgspec

from broadcast.on_air.air_log import AirLog

_HANDSHAKE = (
    "GET /ws/show?after={after}&epoch={epoch} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TOO_OLD = 0.05
"""How often it comes with a position from long ago."""
MAX_BYTES = 30_000
SECONDS = 30.0


class Truth:
    """The picture after each entry of a log, as its digest."""

    def __init__(self, air: AirLog) -> None:
        self.air = air
        self.pictures: dict[int, bytes] = {}

    def record(self) -> None:
        """Keeps the picture after the last entry."""
        self.pictures[self.air.last] = _digest(self.air.picture)


class Returning:
    """The viewer. `wrong` counts gaps, repeats and pictures that are not what was on air."""

    def __init__(self) -> None:
        self.wrong = self.entries = self.snapshots = 0
        self.seconds: list[float] = []
        """Seconds from each connection to the whole state, if it stayed that long."""
        self._have = 0
        self._epoch = ""

    async def visit(self, base: str, truth: Truth, dice: random.Random, *, whole: bool) -> None:
        """Connects, reads some random number of bytes, or until it is `whole`, and is gone."""
        host = base.partition("//")[2]
        if dice.random() < TOO_OLD:
            self._have = min(self._have, 1)
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection(*host.split(":"))
        try:
            writer.write(_HANDSHAKE.format(after=self._have, epoch=self._epoch, host=host).encode())
            async with asyncio.timeout(SECONDS):
                await reader.readuntil(b"\r\n\r\n")
                await self._read(reader, truth, 10**9 if whole else dice.randrange(MAX_BYTES))
            if whole:
                self.seconds.append(time.perf_counter() - begun)
        finally:
            writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader, truth: Truth, most: int) -> None:
        with suppress(asyncio.IncompleteReadError):
            while most > 0:
                text, size = await _frame(reader, most)
                most -= size
                if text is None:
                    return
                self._check(json.loads(text), truth)
                if self._epoch and self._have >= truth.air.last:
                    return

    def _check(self, message: dict[str, Any], truth: Truth) -> None:
        if message["type"] == "welcome":
            if message["epoch"] != self._epoch:
                self._have = 0
            self._epoch = message["epoch"]
        elif message["type"] == "snapshot":
            self.snapshots += 1
            self._have = message["seq"]
            self.wrong += _digest(message["state"]) != truth.pictures[self._have]
        elif message["type"] != "heartbeat":
            self.entries += 1
            self.wrong += message["seq"] != self._have + 1
            self._have = message["seq"]


async def _frame(reader: asyncio.StreamReader, most: int) -> tuple[bytes | None, int]:
    """The text of the next frame and its size in bytes; None where more than `most` would have to be read."""
    head = await reader.readexactly(2)
    length, size = head[1] & 127, 2
    if length >= 126:
        more = await reader.readexactly(2 if length == 126 else 8)
        length, size = struct.unpack("!H" if length == 126 else "!Q", more)[0], 2 + len(more)
    if size + length > most:
        await reader.readexactly(max(0, most - size))
        return None, most
    return await reader.readexactly(length), size + length


def _digest(picture: object) -> bytes:
    return sha256(msgspec.json.encode(msgspec.to_builtins(picture, str_keys=True), order="sorted")).digest()
