"""Tests what viewers are promised: a reconnect leaves no gap, slow viewers delay nobody, the show survives when its web
server dies or stalls, and the table does not run far ahead of the show.
"""

import asyncio
import json
import os
import random
import signal
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import msgspec
import psutil
from msgspec import Struct
from websockets.asyncio.client import connect

from broadcast.app import Studio
from broadcast.on_air.diary import AiredLine, read_diary
from broadcast.web.serve import serving
from server.game.events import ActionTaken, ChatSent, Event
from server.tournament.pause_gate import MAX_HANDS_AHEAD
from server.verify.recording import verify
from tests.bench.common.scales import Outcome, percentile
from tests.end_to_end import evening
from tests.support.games.contests import play_contest
from tests.support.games.recordings import of_kind
from tests.support.program import wait_until

HOST = "127.0.0.1"
BACK_SECONDS, PUBLISH_MS = 0.5, 5.0
"""95 % of reconnects must take at most BACK_SECONDS. 99 % of messages must be published within PUBLISH_MS."""
RESTARTS = 20
LIVELY, STALLED = 200, 40
"""How many viewers read everything, and how many read nothing."""
MESSAGE_SECONDS = 0.005
"""The time between two messages to the viewers. In a real show, this time is much longer."""


class ReturningViewer:
    """A viewer that reconnects. `wrong` counts gaps, repeated entries and wrong pictures (states of the show)."""

    def __init__(self) -> None:
        self.wrong = self.entries = self.snapshots = 0
        self.seconds: list[float] = []
        """For each visit that was not cut short, the seconds until the viewer had the complete state."""
        self._last_seq = 0
        self._epoch = ""  # the epoch identifies the log from which entries are sent

    async def visit(self, base: str, pictures: dict[int, bytes], dice: random.Random, *, stays: bool) -> None:
        """Connects, reads a few messages and aborts the connection. If `stays`, reads until the state is complete.

        `pictures` maps each entry's number to the digest of the right picture after that entry.
        """
        if dice.random() < 0.05:  # the viewer claims to have seen only the first entry
            self._last_seq = min(self._last_seq, 1)
        address = f"ws{base.removeprefix('http')}/ws/show?after={self._last_seq}&epoch={self._epoch}"
        started_at = time.perf_counter()
        async with asyncio.timeout(30), connect(address, max_size=None, max_queue=None) as viewer:
            for _ in range(10**9 if stays else dice.randrange(40)):
                self._check(json.loads(await viewer.recv()), pictures)
                if self._last_seq >= max(pictures):
                    break
            viewer.transport.abort()
        if stays:
            self.seconds.append(time.perf_counter() - started_at)

    def _check(self, message: dict[str, Any], pictures: dict[int, bytes]) -> None:
        match message["type"]:
            case "welcome":
                if message["epoch"] != self._epoch:
                    self._last_seq = 0
                self._epoch = message["epoch"]
            case "snapshot":
                self.snapshots += 1
                self._last_seq = message["seq"]
                self.wrong += _digest(message["state"]) != pictures[self._last_seq]
            case kind if kind != "heartbeat":
                self.entries += 1
                self.wrong += message["seq"] != self._last_seq + 1
                self._last_seq = message["seq"]


def _digest(picture: object) -> bytes:
    return sha256(msgspec.json.encode(msgspec.to_builtins(picture, str_keys=True), order="sorted")).digest()


def try_reconnects(reconnects: int) -> Outcome:
    """Disconnects a viewer at random moments. Meanwhile, the studio (the show's web server) starts RESTARTS times."""
    show_events = [entry.event for seed in range(4) for entry in play_contest(seed, 12)]
    viewer = asyncio.run(_reconnect(show_events, -(-reconnects // RESTARTS)))
    p95 = percentile(viewer.seconds, 95)
    figure = f"{viewer.entries:,} entries, {viewer.snapshots:,} pictures, whole again p95 {p95 * 1000:.0f} ms"
    return Outcome("reconnects", reconnects, viewer.wrong + (p95 > BACK_SECONDS), figure, "0 gaps, p95 below 500 ms")


async def _reconnect(show_events: Sequence[Event], visits: int) -> ReturningViewer:
    dice, viewer = random.Random(6), ReturningViewer()
    for restarts in range(RESTARTS):
        with tempfile.TemporaryDirectory() as media:
            studio = Studio(Path(media), time.monotonic)
            channel, pictures = studio.open_channel("main", 1), dict[int, bytes]()
            for event in show_events[: 100 * restarts]:
                channel.recall(event, 0, 0)  # `recall` restores an event as after a restart, and sends nothing
                pictures[channel.last_seq] = _digest(channel.picture)
            async with serving(studio.app, HOST, 0) as base:
                for number, event in enumerate(islice(cycle(show_events), 100 * restarts, 100 * restarts + visits), 1):
                    channel.put(event, 0, 0)
                    pictures[channel.last_seq] = _digest(channel.picture)
                    await viewer.visit(base, pictures, dice, stays=number == visits or dice.random() < 0.1)
    return viewer


def try_slow_viewers(messages: int) -> Outcome:
    """Counts missed messages, and measures memory and publishing times, while some viewers read nothing."""
    missed, p99, megabytes = asyncio.run(_publish_beside_stalled(messages))
    figure = f"{STALLED} of {LIVELY + STALLED} viewers stalled: publish p99 {p99:.2f} ms, {megabytes:.0f} MB more"
    return Outcome("messages", messages, missed + (p99 > PUBLISH_MS), figure, "all delivered, p99 below 5 ms")


async def _publish_beside_stalled(messages: int) -> tuple[int, float, float]:
    async with AsyncExitStack() as closing:
        studio = Studio(Path(closing.enter_context(tempfile.TemporaryDirectory())), time.monotonic)
        channel = studio.open_channel("main", 1)
        base = await closing.enter_async_context(serving(studio.app, HOST, 0))
        pool = closing.enter_context(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
        audience = asyncio.get_running_loop().run_in_executor(pool, _audience, base, messages)
        web = await closing.enter_async_context(httpx.AsyncClient(base_url=base, timeout=60))
        while (await web.get("/healthz")).json()["channels"]["main"]["viewers"] < LIVELY + STALLED:
            assert not audience.done(), "the audience has left"
            await asyncio.sleep(MESSAGE_SECONDS)
        memory_before, publish_ms = psutil.Process().memory_info().rss, list[float]()
        for _ in range(messages):
            started_at = time.perf_counter()
            channel.put(ChatSent(1, "x" * 2_000), 0, 0)
            publish_ms.append((time.perf_counter() - started_at) * 1000)
            await asyncio.sleep(MESSAGE_SECONDS)
        memory_growth = psutil.Process().memory_info().rss - memory_before
        return await audience, percentile(publish_ms, 99), memory_growth / 1e6


def _audience(base: str, messages: int) -> int:
    """Acts as all viewers, in a separate process. Returns how many messages the reading viewers missed."""
    return asyncio.run(_watch(int(base.rpartition(":")[2]), messages))


async def _watch(port: int, messages: int) -> int:
    address = f"ws://{HOST}:{port}/ws/show"

    async def follow() -> None:
        async with connect(address, max_queue=None) as viewer:
            for _ in range(messages + 1):  # + 1 for the welcome
                await viewer.recv()
                receipts.append(1)

    receipts = list[int]()
    async with AsyncExitStack() as closing:
        for _ in range(STALLED):
            slow_socket = socket.create_connection((HOST, port))
            slow_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await closing.enter_async_context(connect(address, sock=slow_socket, max_queue=1, close_timeout=0.1))
        async with asyncio.timeout(300):
            await asyncio.gather(*(follow() for _ in range(LIVELY)), return_exceptions=True)
    return LIVELY * (messages + 1) - len(receipts)


# -- a studio that is killed or stalls -------------------------------------------------------------

POLL_SECONDS, RECOVERY_SECONDS = 0.02, 2.0
STUDIO_GONE = "the studio is gone"
"""What the program prints when it asks the operator what to do."""


def fail_studio(terminal: evening.Terminal, viewer: evening.Viewer, kind: str) -> float:
    """Waits until the viewer gets 40 more entries. Then stalls the studio ("stalled"), kills it once ("killed"), or
    kills it and each new studio until the operator is asked what to do ("asked").

    Returns how many seconds pass until viewers have the whole picture again.
    """
    seq_before = viewer.seq
    wait_until(lambda: viewer.seq >= seq_before + 40 and terminal.studio_pid, lambda: terminal.text)
    if kind == "asked":
        count_before = terminal.text.count(STUDIO_GONE)
        with evening.kill_every_studio(terminal):
            wait_until(lambda: terminal.text.count(STUDIO_GONE) > count_before, lambda: terminal.text)
    runs_seen, started_at = viewer.run_count, time.monotonic()  # each new studio begins a run
    if kind != "asked":
        os.kill(terminal.studio_pid, signal.SIGSTOP if kind == "stalled" else signal.SIGKILL)
    return viewer.wait_for_run(runs_seen + 1) - started_at


class HandsAheadCounter(threading.Thread):
    """Whenever a hand is dealt, counts this hand and all earlier hands whose end was not on air yet.

    Reads the journal (what was played), and then the diary (what was on air). If hands end on air between the two
    readings, the count is too small. It is never too large.
    """

    def __init__(self, event_folder: evening.EventFolder) -> None:
        super().__init__(daemon=True)
        self.ahead: list[int] = []
        self.stop_signal = threading.Event()
        self._journal = event_folder.journal
        self._read = 0
        self._ended_seqs: set[int] = set()

    def run(self) -> None:
        while not self.stop_signal.wait(POLL_SECONDS):
            with suppress(FileNotFoundError):
                self._count_new_hands()

    def _count_new_hands(self) -> None:
        new_bytes = self._journal.read_bytes()[self._read :]
        new_bytes = new_bytes[: new_bytes.rfind(b"\n") + 1]
        self._read += len(new_bytes)
        lines = [json.loads(line) for line in new_bytes.splitlines()]
        self._ended_seqs |= {line["seq"] for line in lines if line.get("type") == "hand_ended"}
        dealt_count = sum(line.get("type") == "hand_started" for line in lines)
        diary, aired_seqs = self._journal.with_suffix(".air"), set[int]()
        if dealt_count and diary.exists():
            aired_seqs = {line.seq for line in read_diary(diary) if isinstance(line, AiredLine)}
        ahead = len(self.ahead) - len(self._ended_seqs & aired_seqs)
        self.ahead += range(ahead + 1, ahead + dealt_count + 1)


class EveningWithFailures(Struct, frozen=True):
    ahead: list[int]
    """For each hand, what `HandsAheadCounter` counted when the hand was dealt."""
    seconds: list[float]
    """For each failure, the time until viewers saw everything again."""
    times_asked: int
    late_answers: int
    missing_entries: int


def play_with_failures(failures: int, *, kills_only: bool) -> EveningWithFailures:
    """Plays an evening (tournament and show) with `failures` failures of the studio. If `kills_only`, all are kills."""
    with tempfile.TemporaryDirectory() as name:
        secrets, seconds = evening.secrets_of(evening.NAMES), list[float]()
        event_folder = evening.write_evening(Path(name), secrets)
        counter = HandsAheadCounter(event_folder)
        with (
            evening.RemoteBots(event_folder.register, secrets, all_in_rate=0.0),
            evening.tournament(event_folder, "--speed", "40") as terminal,
            evening.Viewer(event_folder.base) as viewer,
        ):
            counter.start()
            terminal.wait_for_output("projector")
            viewer.wait_for_run(1)
            for number in range(1, failures + 1):
                kind = "asked" if number % 8 == 0 else "stalled" if number % 5 == 0 else "killed"
                seconds.append(fail_studio(terminal, viewer, "killed" if kills_only else kind))
            counter.stop_signal.set()
            counter.join()
        verify(event_folder.entries)
        late_answers = sum(bool(action.fault) for action in of_kind(event_folder.entries, ActionTaken))
    return EveningWithFailures(counter.ahead, seconds, terminal.text.count(STUDIO_GONE), late_answers, len(viewer.gaps))


def try_studio_kills(kills: int) -> Outcome:
    """Kills the studio again and again. The table must continue, and viewers must soon see everything."""
    found = play_with_failures(kills, kills_only=True)
    median = statistics.median(found.seconds)
    figure = f"{found.late_answers} late bots, whole again in {median:.2f} s (longest {max(found.seconds):.2f})"
    broken = found.late_answers + found.missing_entries + (median > RECOVERY_SECONDS)
    return Outcome("kills of the studio", kills, broken, figure, "nobody late, below 2 s")


def try_unseen_hands(failures: int) -> Outcome:
    """Counts the hands that were dealt while more than MAX_HANDS_AHEAD earlier hands were unseen."""
    found = play_with_failures(failures, kills_only=False)
    broken = sum(count > MAX_HANDS_AHEAD + 1 for count in found.ahead) + found.missing_entries
    most = max(found.ahead)
    figure = f"{len(found.ahead)} hands dealt, at most {most} ahead, the operator asked {found.times_asked} times"
    return Outcome("failures", failures, broken, figure, "0 hands unseen without the operator's word")
