"""Promises to viewers: no gaps after a reconnect, a slow viewer delays nobody, the studio may die."""

import asyncio
import json
import os
import random
import socket
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from hashlib import sha256
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from broadcast.app import Studio
from broadcast.on_air.air_log import AirLog
from broadcast.web.serve import serving
from server.game.events import ActionTaken, ChatSent, Event
from server.verify.recording import verify
from tests.bench.common.scales import resident
from tests.bench.promised.outcome import Outcome
from tests.bench.promised.studio_failures import play_with_failures
from tests.end_to_end.evening import NAMES, secrets_of, write_evening
from tests.support.contests import play_contest

BACK_SECONDS = 0.5
PUBLISH_MS = 5.0
STUDIO_SECONDS = 2.0
EVERY_SECONDS = 0.005
"""The time between two messages to viewers. Two hundred a second are many times the pace of a show."""
STALLED_BYTES = 2_000
"""The size of each message while some viewers read nothing."""


# -- coming back -----------------------------------------------------------------------------------


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


class ReturningViewer:
    """A viewer that reconnects; `wrong` counts gaps, repeated entries and wrong pictures that it received."""

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


def try_reconnects(reconnects: int = 10_000, restarts: int = 20) -> Outcome:
    """Reconnects a viewer at random; sometimes its studio is restarted, or its position is far too old."""
    shown = [entry.event for seed in range(4) for entry in play_contest(seed, 12)]
    viewer = asyncio.run(_reconnect(shown, reconnects, restarts))
    p95 = sorted(viewer.seconds)[len(viewer.seconds) * 95 // 100]
    figure = f"{viewer.entries:,} entries, {viewer.snapshots:,} pictures, whole again p95 {p95 * 1000:.0f} ms"
    return Outcome("reconnects", reconnects, viewer.wrong + (p95 > BACK_SECONDS), figure, "0 gaps, p95 below 500 ms")


async def _reconnect(shown: Sequence[Event], reconnects: int, restarts: int) -> ReturningViewer:
    dice, viewer = random.Random(6), ReturningViewer()
    shares = -(-reconnects // restarts)
    for life in range(restarts):
        with tempfile.TemporaryDirectory() as media:
            studio = Studio(Path(media), time.monotonic)
            air = studio.open_channel("main", 1)
            truth = Truth(air)
            for event in shown[: life * 100]:
                air.recall(event, 0, 0)
                truth.record()
            async with serving(studio.app, "127.0.0.1", 0) as base:
                for number, event in enumerate(islice(cycle(shown), life * 100, life * 100 + shares)):
                    air.put(event, 0, 0)
                    truth.record()
                    last = number == shares - 1
                    await viewer.visit(base, truth, dice, whole=last or dice.random() < 0.1)
    return viewer


# -- slow viewers ----------------------------------------------------------------------------------


def try_slow_viewers(messages: int = 2_000, lively: int = 200, stalled: int = 40) -> Outcome:
    """Lets some viewers read nothing; measures the time to publish, the messages that other viewers miss, and the
    memory.
    """
    missed, p99, megabytes = asyncio.run(_stall(messages, lively, stalled))
    figure = f"{stalled} of {lively + stalled} viewers stalled: publish p99 {p99:.2f} ms, {megabytes:.0f} MB more"
    return Outcome("messages", messages, missed + (p99 > PUBLISH_MS), figure, "all delivered, p99 below 5 ms")


async def _stall(messages: int, lively: int, stalled: int) -> tuple[int, float, float]:
    async with AsyncExitStack() as closing:
        studio = Studio(Path(closing.enter_context(tempfile.TemporaryDirectory())), time.monotonic)
        air = studio.open_channel("main", 1)
        base = await closing.enter_async_context(serving(studio.app, "127.0.0.1", 0))
        pool = closing.enter_context(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
        audience = asyncio.get_running_loop().run_in_executor(pool, _audience, base, messages, lively, stalled)
        web = await closing.enter_async_context(httpx.AsyncClient(base_url=base, timeout=60))
        while (await web.get("/healthz")).json()["channels"]["main"]["viewers"] < lively + stalled:
            assert not audience.done(), "the audience has left"
            await asyncio.sleep(EVERY_SECONDS)
        before = resident(os.getpid())
        times = await _publish(air, messages)
        grown = resident(os.getpid()) - before
        return await audience, times[len(times) * 99 // 100], grown / 1e6


async def _publish(air: AirLog, messages: int) -> list[float]:
    """Puts messages on air; returns the milliseconds that each took, sorted."""
    times = []
    for _ in range(messages):
        begun = time.perf_counter()
        air.put(ChatSent(1, "x" * STALLED_BYTES), 0, 0)
        times.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(EVERY_SECONDS)
    return sorted(times)


def _audience(base: str, messages: int, lively: int, stalled: int) -> int:
    """Watches in a separate process; returns how many messages the active viewers missed."""
    return asyncio.run(_watch(base.replace("http", "ws") + "/ws/show", messages, lively, stalled))


async def _watch(address: str, messages: int, lively: int, stalled: int) -> int:
    async def follow() -> int:
        async with connect(address, max_queue=None) as viewer:
            got = 0
            while got <= messages:  # all messages and the welcome
                await viewer.recv()
                got += 1
            return messages - got + 1

    async with AsyncExitStack() as closing:
        for _ in range(stalled):
            line = socket.create_connection(("127.0.0.1", int(address.split(":")[2].partition("/")[0])))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await closing.enter_async_context(connect(address, sock=line, max_queue=1, close_timeout=0.1))
        async with asyncio.timeout(300):
            return sum(await asyncio.gather(*(follow() for _ in range(lively))))


# -- a studio that dies ----------------------------------------------------------------------------


def try_studio_kills(kills: int = 100) -> Outcome:
    """Kills the studio again and again in one game: the table must continue, and viewers must soon see everything."""
    with tempfile.TemporaryDirectory() as name:
        event_folder = write_evening(Path(name), secrets_of(NAMES))
        struck = play_with_failures(event_folder, kills, kills_only=True)
        late = sum(bool(event.fault) for event in event_folder.events if isinstance(event, ActionTaken))
        verify(event_folder.entries)
    away = struck.back["killed"]
    middle = statistics.median(away)
    figure = f"{late} late bots, whole again in {middle:.2f} s (longest {max(away):.2f})"
    lost = late + struck.gaps + (middle > STUDIO_SECONDS)
    return Outcome("kills of the studio", kills, lost, figure, "nobody late, below 2 s")


def try_unseen_hands(failures: int = 40) -> Outcome:
    """Counts unseen hands while the studio is killed or stopped, or killed until the operator is asked."""
    with tempfile.TemporaryDirectory() as name:
        struck = play_with_failures(write_evening(Path(name), secrets_of(NAMES)), failures)
    figure = f"{struck.dealt} hands dealt, at most {struck.most_ahead} ahead, the operator asked {struck.asked} times"
    return Outcome(
        "failures", failures, struck.unseen + struck.gaps, figure, "0 hands unseen without the operator's word"
    )
