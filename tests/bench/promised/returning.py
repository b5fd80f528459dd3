"""A viewer that disconnects after any number of messages, reconnects, and checks what it receives."""

import asyncio
import json
import random
import time
from hashlib import sha256
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from broadcast.on_air.air_log import AirLog

TOO_OLD = 0.05
"""The share of its connections for which the viewer gives a very old position."""
MAX_MESSAGES = 40
SECONDS = 30.0


class Truth:
    """The digest of the picture after each entry of a log."""

    def __init__(self, air: AirLog) -> None:
        self.air = air
        self.pictures: dict[int, bytes] = {}

    def record(self) -> None:
        self.pictures[self.air.last] = _digest(self.air.picture)


class Returning:
    """The viewer; `wrong` counts gaps, repeated entries and wrong pictures that it received."""

    def __init__(self) -> None:
        self.wrong = self.entries = self.snapshots = 0
        self.seconds: list[float] = []
        """For each connection that lasted long enough, the seconds until the viewer had the complete state."""
        self._have = 0
        self._epoch = ""

    async def visit(self, base: str, truth: Truth, dice: random.Random, *, whole: bool) -> None:
        """Connects, reads some messages (or, if `whole`, until its state is complete), and aborts the connection."""
        if dice.random() < TOO_OLD:
            self._have = min(self._have, 1)
        address = f"ws{base.removeprefix('http')}/ws/show?after={self._have}&epoch={self._epoch}"
        begun = time.perf_counter()
        async with asyncio.timeout(SECONDS), connect(address, max_size=None, max_queue=None) as viewer:
            for _ in range(10**9 if whole else dice.randrange(MAX_MESSAGES)):
                self._check(json.loads(await viewer.recv()), truth)
                if self._have >= truth.air.last:
                    break
            viewer.transport.abort()
        if whole:
            self.seconds.append(time.perf_counter() - begun)

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


def _digest(picture: object) -> bytes:
    return sha256(msgspec.json.encode(msgspec.to_builtins(picture, str_keys=True), order="sorted")).digest()
