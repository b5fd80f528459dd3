"""How much slower do bots, viewers, the show and the desk get while strangers flood a tournament's sockets and pages?

The peer: a quiet time of the same tournament. Real strangers have machines of their own; here they get the processor
time that the tournament leaves (SCHED_IDLE).
"""

import asyncio
import contextlib
import gc
import itertools
import json
import multiprocessing
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from broadcast.web.serve import open_files
from server.app.evening.evening_files import links_path
from server.contests.quick_draw.venue.house import register
from tests.end_to_end.evening import CONTROL, EventFolder, Terminal, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import HOST, choice
from tests.support.public_pages import RECORDING, addresses, names_of
from tests.support.recordings import small_contest, write

BOTS = 156
NAMES = [f"Bot-{number:03}" for number in range(BOTS)]
VIEWERS = 30
PING_SECONDS = 1.25
"""Between two pings of one viewer, whose waits are measured. The server delays pages that ping more often."""
FLOODING = 60
READERS, ADDRESSES = 30, 20
"""Connections that request one page after the other, and the addresses they come from."""
DEAD = 2_000
SILENT = 3 * 290
SPEED = "10"
"""Faster than any show, for enough answers."""
MIN_ANSWERS = 60
TICK_SECONDS = 0.1
MAX_RATIO = 3.0
LONGER = 3
"""How many times longer than the quiet time an attack lasts: with few answers, the 99th percentile is one of them."""
MIN_AIRED = 0.9
"""The part of its pace in a quiet time of the same evening that the show must keep."""
DESK_SECONDS = 1.0
BACK_SECONDS = 30.0
SPAWNING = multiprocessing.get_context("spawn")
SLACK_FILES = 8
"""Files that an idle server opens and closes."""
UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n".format(
    "A" * 22 + "=="
)
FRAMES = (b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 99)
"""Empty pings, empty pongs, a text of empty continuations."""


# -- the strangers -------------------------------------------------------------------------------------


async def flood(port: int, number: int, _pages: Sequence[str]) -> None:
    """Sends the smallest frames as fast as they are accepted, and reconnects whenever it is cut off."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await _at_socket(port, "127.0.0.66")
            try:
                await reader.readuntil(b"\r\n\r\n")
                while not writer.is_closing():
                    writer.write(FRAMES[number % len(FRAMES)] * 2_000)
                    await writer.drain()
                    await asyncio.sleep(0)  # the kernel may take all at once
            finally:
                writer.transport.abort()
        await asyncio.sleep(0.01)


async def dead_handshake(port: int, number: int, _pages: Sequence[str]) -> None:
    """A handshake with an overlong line, and then nothing."""
    await _hold(port, f"127.0.1.{1 + number % 20}", f"X-Long: {'x' * 9_000}\r\n")


async def silent(port: int, number: int, _pages: Sequence[str]) -> None:
    """A viewer that reads nothing."""
    await _hold(port, f"127.0.2.{1 + number % 3}")


async def read(port: int, number: int, pages: Sequence[str]) -> None:
    """A visitor who requests one public page after the other as fast as they arrive."""
    source, page = f"127.0.3.{1 + number % ADDRESSES}", number
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            lines, writer = await asyncio.open_connection(HOST, port, local_addr=(source, 0))
            try:
                while not writer.is_closing():
                    page += 1
                    path = pages[page % len(pages)]
                    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
                    head = await lines.readuntil(b"\r\n\r\n")
                    length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
                    await lines.readexactly(int(length or 0))
            finally:
                writer.transport.abort()
        await asyncio.sleep(TICK_SECONDS)


ATTACKS: dict[str, tuple[Callable[[int, int, Sequence[str]], Coroutine[Any, Any, None]], int]] = {
    "flooding": (flood, FLOODING),
    "dead handshakes": (dead_handshake, DEAD),
    "readers of nothing": (silent, SILENT),
    "visitors of pages": (read, READERS),
}


async def _at_socket(port: int, source: str, more: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(HOST, port, local_addr=(source, 0))
    writer.write(f"GET /ws/show HTTP/1.1\r\nHost: {HOST}:{port}\r\n{UPGRADE}{more}\r\n".encode())
    return reader, writer


async def _hold(port: int, source: str, more: str = "") -> None:
    with contextlib.suppress(OSError):
        _, writer = await _at_socket(port, source, more)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await asyncio.Event().wait()


def attack(kind: str, port: int, seconds: float, pages: Sequence[str]) -> None:
    """All strangers of one kind, in a process of their own; visitors request these `pages`."""
    work, strangers = ATTACKS[kind]

    async def story() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as tasks:
                for number in range(strangers):
                    tasks.create_task(work(port, number, pages))

    open_files()
    _stand_back()
    asyncio.run(story())


def _stand_back() -> None:
    """Gives way to all other processes on the processors."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


# -- the users -----------------------------------------------------------------------------------------


class Users:
    """Bots at the table, viewers and an operator, in one thread; how long each of them waited, in seconds."""

    def __init__(self, event_folder: EventFolder) -> None:
        self.bots: list[float] = []
        self.viewers: list[float] = []
        self.desk: list[float] = []
        self.held_ms = 0
        """How long everything that one of the viewers was sent holds the screen."""
        self._folder = event_folder
        self._cookie = ""
        self._registering = asyncio.Semaphore(16)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Users":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._work.cancel)
        self._thread.join()

    def forget(self) -> None:
        """Starts a new measurement."""
        self.bots, self.viewers, self.desk, self.held_ms = [], [], [], 0

    def _run(self) -> None:
        answer = httpx.get(f"{self._folder.base}/control", params={"token": CONTROL}, trust_env=False, timeout=60)
        self._cookie = answer.headers["set-cookie"].split(";")[0]
        self._work = self._loop.create_task(self._all())
        self._loop.run_until_complete(asyncio.wait([self._work]))

    async def _all(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for name, secret in secrets_of(NAMES).items():
                tasks.create_task(self._play(name, secret))
            for number in range(VIEWERS):
                tasks.create_task(self._watch(number))
            tasks.create_task(self._operate())

    async def _play(self, name: str, secret: str) -> None:
        async with self._registering:
            port = await register(HOST, self._folder.register, name, secret=secret)
        reader, writer = await asyncio.open_connection(HOST, port)
        answered = 0.0
        while line := await reader.readline():
            message = json.loads(line)
            if message["command"] == "request_action":
                writer.write(json.dumps({"command": "take_action", **choice(message, 0.0)}).encode())
                answered = time.perf_counter()
            elif message["command"] == "confirm_action" and answered:
                self.bots.append(time.perf_counter() - answered)
                answered = 0.0

    async def _watch(self, number: int) -> None:
        """Pings at its own moments: if all pinged together, they would miss what happens in between."""
        offset = PING_SECONDS * number / VIEWERS
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                address = f"ws://{HOST}:{self._folder.pages}/ws/show"
                async with connect(address, max_queue=None, ping_interval=None) as viewer:
                    reading = asyncio.create_task(self._read_on(viewer, measures=number == 0))
                    while not reading.done():
                        await asyncio.sleep(PING_SECONDS - (time.perf_counter() - offset) % PING_SECONDS)
                        asked = time.perf_counter()
                        await (await viewer.ping())
                        self.viewers.append(time.perf_counter() - asked)
            await asyncio.sleep(TICK_SECONDS)

    async def _read_on(self, viewer: Any, *, measures: bool) -> None:
        last = -1
        with contextlib.suppress(WebSocketException):
            async for text in viewer:
                if measures and (entry := json.loads(text)).get("hold_ms") and entry["at_ms"] != last:
                    last = entry["at_ms"]  # entries that go on air together share their time on screen
                    self.held_ms += entry["hold_ms"]

    async def _operate(self) -> None:
        """Opens the desk and OBS's page again and again, each on a new connection.

        Without a client library, which would block this thread for some milliseconds each time.
        """
        desk = f"GET /control HTTP/1.1\r\nHost: {HOST}:{self._folder.pages}\r\nCookie: {self._cookie}\r\n"
        obs = f"GET /overlay HTTP/1.1\r\nHost: {HOST}:{self._folder.pages}\r\n"
        for head in itertools.cycle((desk, obs)):
            asked = time.perf_counter()
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(HOST, self._folder.pages)
                writer.write(f"{head}Connection: close\r\n\r\n".encode())
                page = await reader.read(-1)
                writer.close()
                assert page.startswith(b"HTTP/1.1 200 "), page[:100]
            self.desk.append(time.perf_counter() - asked)
            await asyncio.sleep(TICK_SECONDS)


# -- the measure ---------------------------------------------------------------------------------------


class Waits(Struct, frozen=True):
    """How long users waited, in seconds: bots for each confirmation, viewers for each pong, the desk to open."""

    bots: tuple[float, ...]
    viewers: tuple[float, ...]
    desk: tuple[float, ...]
    aired: float
    """The pace of the show: seconds of show that went on air for each second."""


class Attack(Struct, frozen=True):
    """What one kind of attack did to an evening of its own, after a quiet time of the same evening."""

    kind: str
    quiet: Waits
    found: Waits
    stayed: bool
    """Whether the studio is the same as before."""
    back: float
    """Seconds until all files were closed after the strangers had left."""


def together(waits: Iterable[Waits]) -> Waits:
    """Several measurements as one: a single quiet time has too few waits for a 99th percentile."""
    each = list(waits)
    return Waits(
        tuple(wait for one in each for wait in one.bots),
        tuple(wait for one in each for wait in one.viewers),
        tuple(wait for one in each for wait in one.desk),
        statistics.fmean(one.aired for one in each),
    )


def print_table(attacks: Sequence[Attack]) -> None:
    """A line for the quiet times and one for each attack: 99th percentiles, and how many times the quiet ones."""
    quiet = together(attack.quiet for attack in attacks)
    _print_row("quiet", quiet, quiet)
    for attack in attacks:
        _print_row(attack.kind, attack.found, quiet)
        print(f"{'':20} all given back after {attack.back:.1f} s, {'the same' if attack.stayed else 'ANOTHER'} studio")


def _print_row(what: str, found: Waits, quiet: Waits) -> None:
    parts = [
        f"{name} {p99(waits) * 1000:7.1f} ms {p99(waits) / p99(calm):5.1f}x"
        for name, waits, calm in (("bots", found.bots, quiet.bots), ("viewers", found.viewers, quiet.viewers))
    ]
    parts.append(f"desk at most {max(found.desk) * 1000:5.0f} ms")
    parts.append(f"on air {found.aired / quiet.aired:4.0%}")
    print(f"{what:20} {'   '.join(parts)}   ({len(found.bots)} answers, {len(found.viewers)} pings)", flush=True)


def p99(seconds: Sequence[float]) -> float:
    """The 99th percentile; nan if there are fewer than two."""
    return statistics.quantiles(seconds, n=100)[98] if len(seconds) > 1 else float("nan")


def files_of(terminal: Terminal) -> int:
    """How many files card room and studio have open."""
    found = 0
    for pid in (terminal.process.pid, terminal.studio):
        with contextlib.suppress(OSError):
            found += len(os.listdir(f"/proc/{pid}/fd"))
    return found


def given_back(terminal: Terminal, before: int, seconds: float) -> float:
    """Seconds until all files are closed that were opened for the strangers."""
    begun = time.monotonic()
    while files_of(terminal) > before + SLACK_FILES and time.monotonic() - begun < seconds:
        time.sleep(TICK_SECONDS)
    return time.monotonic() - begun


def measured(seconds: float) -> Iterator[Attack]:
    """Each kind of attack in an evening of its own, after a quiet time of `seconds`."""
    gc.disable()  # its pauses in this process would be measured as waits
    for kind in ATTACKS:
        with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
            event_folder = write_evening(Path(folder), secrets_of(NAMES))
            event_folder.journal.parent.mkdir(parents=True)
            write(event_folder.journal.with_name(f"{RECORDING}.jsonl"), small_contest())
            with tournament(event_folder, "--speed", SPEED) as terminal:
                terminal.hears("bots from afar")
                with Users(event_folder) as users:
                    while len(users.bots) < BOTS // 6 or len(users.desk) < BOTS // 6:
                        time.sleep(TICK_SECONDS)
                    yield attacked(kind, event_folder, terminal, users, seconds)


def attacked(kind: str, event_folder: EventFolder, terminal: Terminal, users: Users, seconds: float) -> Attack:
    """A quiet time, then the attack."""
    pages = asyncio.run(public_pages(event_folder))
    files, studio = files_of(terminal), terminal.studio
    quiet = measured_while(users, lambda: time.sleep(seconds))
    found = measured_while(users, lambda: attacking(kind, event_folder.pages, LONGER * seconds, pages))
    back = given_back(terminal, files, 60.0)
    return Attack(kind, quiet, found, terminal.studio == studio, back)


def measured_while(users: Users, happens: Callable[[], None]) -> Waits:
    """How long all users wait until `happens` returns."""
    users.forget()
    begun = time.monotonic()
    happens()
    pace = users.held_ms / 1000 / (time.monotonic() - begun)
    return Waits(tuple(users.bots), tuple(users.viewers), tuple(users.desk), pace)


async def public_pages(event_folder: EventFolder) -> Sequence[str]:
    """Every public address of an evening, and some that lead nowhere."""
    link, bot = links_path(event_folder.journal).read_text().splitlines()[0].split("  ")
    async with httpx.AsyncClient(base_url=event_folder.base, timeout=60, trust_env=False) as web:
        found = await names_of(web, RECORDING, bot.partition(" (")[0], link.rpartition("/")[2], 0)
    return tuple(addresses(found))


def attacking(kind: str, port: int, seconds: float, pages: Sequence[str]) -> None:
    """Makes strangers of one kind attack a port, and waits for their end."""
    strangers = SPAWNING.Process(target=attack, args=(kind, port, seconds, pages), daemon=True)
    strangers.start()
    strangers.join()
