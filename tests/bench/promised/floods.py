"""How much slower do bots, viewers, the show and the desk get while strangers flood a tournament's sockets and pages?

The peer is a quiet time of the same tournament. Real strangers have machines of their own. Here they get only the
processor time that the tournament does not use (SCHED_IDLE). To show what they cost by running on the same machine,
each attack is repeated against a listener outside the tournament.
"""

import asyncio
import contextlib
import gc
import itertools
import json
import multiprocessing
import os
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from broadcast.web import serve
from server.app.evening.evening_files import links_path
from server.contests.quick_draw.venue.house import register
from server.game.events import ChatSent
from tests.bench.common.scales import open_files
from tests.end_to_end.evening import CONTROL, EventFolder, Terminal, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import HOST, choice
from tests.support.public_pages import RECORDING, addresses, names_of
from tests.support.recordings import small_contest, write

BOTS = 156
CHATTING = 150
VIEWERS = 30
PING_SECONDS = 1.25
"""The time between two pings of a measured viewer. The server delays reading a page that pings more often."""
FLOODING = 60
"""The number of strangers that flood. The next constants have the numbers of polite, reading and silent strangers."""
PINGING = 2_000
PINGS_A_SECOND = 14
POLITE = 12_500
"""The number of polite viewers, which is greater than the number of slots."""
READERS = ((1, 1), (8, 1), (30, 1), (30, 60))
"""For each attack by readers: how many connections request one page after the other, and from how many addresses."""
DEAD = 2_000
SILENT = 3 * 290
"""The number of viewers that read nothing: 290 from each of three addresses."""
SPEED = "10"
"""The pace of the tournament, faster than any show, so that there are enough answers."""
FULL_HOUSE_SPEED = "2"
"""The pace with a full house: close to the pace of a show, as viewers cost several times as much at SPEED."""
MIN_ANSWERS = 60
TICK_SECONDS = 0.1
MAX_RATIO = 3.0
SOON_SECONDS = 0.02
"""A wait this short is acceptable, whatever its ratio: messages to a bot are 15 ms apart anyway."""
FULL_HOUSE = "polite viewers"
FULL_HOUSE_SECONDS = 0.125
"""How long viewers may wait in a full house, which is not an attack: the goal of `fanout`."""
ATTACK_LENGTH = 3
"""An attack lasts this many times as long as the quiet time, to get enough answers for a 99th percentile."""
MIN_AIRED = 0.9
"""During an attack, the show's pace must be at least this fraction of its pace in the quiet time."""
DESK_SECONDS = 1.0
BACK_SECONDS = 30.0
"""How long the server may take to close all files after an attack."""
SPAWNING = multiprocessing.get_context("spawn")
SLACK_FILES = 8
"""How many more files than before may be open: even an idle server opens and closes some."""
UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n".format(
    "A" * 22 + "=="
)
FRAMES = (b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 99)
"""The frames of the floods: an empty ping, an empty pong, and a text in empty pieces."""
CHATTING_BOTS = "chatting bots"
CHAT = json.dumps({"command": "send_chat", "message": "howdy " * 15}).encode()
CHAT_SECONDS = 0.05
"""The time between two chats of a bot. Only one chat in a hundred is passed on."""


# -- the strangers -------------------------------------------------------------------------------------


async def flood(port: int, number: int) -> None:
    """Sends the smallest frames as fast as the server accepts them, and reconnects whenever it is disconnected."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await _at_socket(port, "127.0.0.66")
            try:
                await reader.readuntil(b"\r\n\r\n")
                while not writer.is_closing():
                    writer.write(FRAMES[number % len(FRAMES)] * 2_000)
                    await writer.drain()
                    await asyncio.sleep(0)  # `drain` does not wait if the kernel accepts everything at once
            finally:
                writer.transport.abort()
        await asyncio.sleep(0.01)


async def dead_handshake(port: int, number: int) -> None:
    """Sends a handshake with a line that is too long, and then nothing."""
    await _hold(port, f"127.0.1.{1 + number % 20}", f"X-Long: {'x' * 9_000}\r\n")


async def silent(port: int, number: int) -> None:
    await _hold(port, f"127.0.2.{1 + number % 3}")


def reader(sources: int, pages: Sequence[str]) -> Callable[[int, int], Coroutine[Any, Any, None]]:
    """Returns a visitor who requests one page after the other as fast as possible, from one of `sources` addresses."""

    async def read(port: int, number: int) -> None:
        source, page = f"127.0.{3 + number % sources // 8}.{1 + number % sources}", number
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

    return read


async def polite(port: int, number: int) -> None:
    """A viewer who stays and reads everything; if there is no free slot, tries again five seconds later."""
    while True:
        with contextlib.suppress(OSError):
            lines, writer = await _at_socket(port, f"127.0.{20 + number % 60}.1")
            while frame := await lines.read(65536):
                if b"\x89\x00" in frame:
                    writer.write(b"\x8a\x80\0\0\0\0")
            writer.close()
        await asyncio.sleep(5)


async def pinging(port: int, number: int) -> None:
    """A viewer who sends as many pings as earlier versions allowed."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        lines, writer = await _at_socket(port, f"127.0.{90 + number % 20}.1")
        reading = asyncio.create_task(_drain(lines))
        while not reading.done():
            writer.write(FRAMES[0])
            await asyncio.sleep(1 / PINGS_A_SECOND)


async def _drain(lines: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await lines.read(65536):
            pass


ATTACKS: dict[str, tuple[Callable[[int, int], Coroutine[Any, Any, None]], int]] = {
    "flooding": (flood, FLOODING),
    "dead handshakes": (dead_handshake, DEAD),
    "readers of nothing": (silent, SILENT),
    FULL_HOUSE: (polite, POLITE),
    "pings in the budget": (pinging, PINGING),
}
GETS = {f"GETs, {lines} of {sources}": (lines, sources) for lines, sources in READERS}


async def _at_socket(port: int, source: str, more: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(HOST, port, local_addr=(source, 0))
    writer.write(f"GET /ws/show HTTP/1.1\r\nHost: {HOST}:{port}\r\n{UPGRADE}{more}\r\n".encode())
    return reader, writer


async def _hold(port: int, source: str, more: str = "") -> None:
    with contextlib.suppress(OSError):
        _, writer = await _at_socket(port, source, more)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await asyncio.Event().wait()


async def chat(line: socket.socket, number: int) -> None:
    """A bot that chats all the time; each bot starts at a different moment."""
    await asyncio.sleep(CHAT_SECONDS * number / CHATTING)
    with contextlib.suppress(OSError):
        while True:
            await asyncio.get_running_loop().sock_sendall(line, CHAT)
            await asyncio.sleep(CHAT_SECONDS)


def attack(kind: str, port: int, seconds: float, pages: Sequence[str]) -> None:
    """Runs all strangers of one kind, in a separate process; visitors request these `pages`."""
    lines, sources = GETS.get(kind, (0, 0))
    work, number = (reader(sources, pages), lines) if lines else ATTACKS[kind]
    _run_all(lambda: [work(port, each) for each in range(number)], seconds)


def chatter(lines: Sequence[socket.socket], seconds: float) -> None:
    """Runs a chatting bot on each of these connections, in a separate process; another process reads from them."""
    _run_all(lambda: [chat(line, number) for number, line in enumerate(lines)], seconds)


def _run_all(works: Callable[[], Iterable[Coroutine[Any, Any, None]]], seconds: float) -> None:
    async def run() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as tasks:
                for work in works():
                    tasks.create_task(work)

    serve.open_files()
    _stand_back()
    asyncio.run(run())


def _stand_back() -> None:
    """Lets this process run only while no other process needs the processor."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def run_listener(pipe: Connection) -> None:
    """Serves in a separate process: answers every handshake and reads everything. Sends its port through `pipe`."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        await _drain(reader)
        writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(answer, HOST, 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    _stand_back()
    asyncio.run(serve())


@contextlib.contextmanager
def outside_listener() -> Iterator[int]:
    """Runs a listener outside the tournament; yields its port."""
    ours, theirs = multiprocessing.Pipe()
    process = SPAWNING.Process(target=run_listener, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.kill()
        process.join()


# -- the tournament's own users ------------------------------------------------------------------------


class Users:
    """Bots at the table, viewers and an operator, in one thread. Records how long they waited, in seconds."""

    def __init__(self, event_folder: EventFolder) -> None:
        self.bots: list[float] = []
        self.viewers: list[float] = []
        self.desk: list[float] = []
        self.held_ms = 0
        """The total time on screen of everything that one of the viewers was sent."""
        self.lines: list[socket.socket] = []
        """The connections of the chatting bots, on which another process chats."""
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
        for line in self.lines:
            line.close()

    def forget(self) -> None:
        """Starts a new measurement."""
        self.bots, self.viewers, self.desk, self.held_ms = [], [], [], 0

    def _run(self) -> None:
        answer = httpx.get(f"{self._folder.base}/control", params={"token": CONTROL}, trust_env=False, timeout=60)
        self._cookie = answer.headers["set-cookie"].split(";")[0]
        self._work = self._loop.create_task(self._run_all())
        self._loop.run_until_complete(asyncio.wait([self._work]))

    async def _run_all(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for number, (name, secret) in enumerate(secrets_of(names()).items()):
                tasks.create_task(self._play(name, secret, chats=number < CHATTING))
            for number in range(VIEWERS):
                tasks.create_task(self._watch(number))
            tasks.create_task(self._operate())

    async def _play(self, name: str, secret: str, *, chats: bool) -> None:
        async with self._registering:
            port = await register(HOST, self._folder.register, name, secret=secret)
        reader, writer = await asyncio.open_connection(HOST, port)
        if chats:
            self.lines.append(writer.get_extra_info("socket").dup())
        await self._answer(reader, writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
        """Watches and pings as one viewer. Viewers ping at different moments, so that together they miss little."""
        offset = PING_SECONDS * number / VIEWERS
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                address = f"ws://{HOST}:{self._folder.pages}/ws/show"
                async with connect(address, max_queue=None, ping_interval=None) as socket:
                    reading = asyncio.create_task(self._read_on(socket, measures=number == 0))
                    while not reading.done():
                        await asyncio.sleep(PING_SECONDS - (time.perf_counter() - offset) % PING_SECONDS)
                        begun = time.perf_counter()
                        await (await socket.ping())
                        self.viewers.append(time.perf_counter() - begun)
            await asyncio.sleep(TICK_SECONDS)

    async def _read_on(self, socket: Any, *, measures: bool) -> None:
        last = -1
        with contextlib.suppress(WebSocketException):
            async for text in socket:
                if measures and (entry := json.loads(text)).get("hold_ms") and entry["at_ms"] != last:
                    last = entry["at_ms"]  # entries that go on air together stay on screen together
                    self.held_ms += entry["hold_ms"]

    async def _operate(self) -> None:
        """Opens the desk and OBS's page again and again, each on a new connection.

        It uses no client library, which would block this thread for some milliseconds each time.
        """
        desk = f"GET /control HTTP/1.1\r\nHost: {HOST}:{self._folder.pages}\r\nCookie: {self._cookie}\r\n"
        obs = f"GET /overlay HTTP/1.1\r\nHost: {HOST}:{self._folder.pages}\r\n"
        for head in itertools.cycle((desk, obs)):
            begun = time.perf_counter()
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(HOST, self._folder.pages)
                writer.write(f"{head}Connection: close\r\n\r\n".encode())
                page = await reader.read(-1)
                writer.close()
                assert page.startswith(b"HTTP/1.1 200 "), page[:100]
            self.desk.append(time.perf_counter() - begun)
            await asyncio.sleep(TICK_SECONDS)


def names() -> list[str]:
    return [f"Bot-{number:03}" for number in range(BOTS)]


# -- the measure ---------------------------------------------------------------------------------------


class Waits(Struct, frozen=True):
    """How long users waited, in seconds: bots for confirmations, viewers for pongs, the operator for pages."""

    bots: tuple[float, ...]
    viewers: tuple[float, ...]
    desk: tuple[float, ...]
    aired: float
    """The pace of the show: how many seconds of show went on air per second."""


class Attack(Struct, frozen=True):
    """The effect of one kind of attack on an evening, after a quiet time of the same evening."""

    kind: str
    quiet: Waits
    found: Waits
    stayed: bool
    """Whether the same studio process still ran after the attack."""
    back: float
    """Seconds from the end of the attack until the server had closed all files for it."""
    control: Waits
    """The waits while the same strangers attack a listener outside the tournament."""


def join_waits(waits: Iterable[Waits]) -> Waits:
    """Joins several measurements: the quiet time of a single evening has too few waits for a 99th percentile."""
    each = list(waits)
    return Waits(
        tuple(wait for one in each for wait in one.bots),
        tuple(wait for one in each for wait in one.viewers),
        tuple(wait for one in each for wait in one.desk),
        statistics.fmean(one.aired for one in each),
    )


def print_table(attacks: Sequence[Attack]) -> None:
    """Prints a line for the quiet times, for each attack and for its control: the 99th percentiles, and their ratios to
    the quiet times.
    """
    quiet = join_waits(attack.quiet for attack in attacks)
    _print_row("quiet", quiet, quiet)
    for attack in attacks:
        _print_row(attack.kind, attack.found, quiet)
        _print_row("  the same elsewhere", attack.control, quiet)
        print(f"{'':20} files closed after {attack.back:.1f} s, {'the same' if attack.stayed else 'ANOTHER'} studio")


def _print_row(what: str, found: Waits, quiet: Waits) -> None:
    parts = [
        f"{name} {p99(waits) * 1000:7.1f} ms {p99(waits) / p99(calm):5.1f}x"
        for name, waits, calm in (("bots", found.bots, quiet.bots), ("viewers", found.viewers, quiet.viewers))
    ]
    parts.append(f"desk at most {max(found.desk) * 1000:5.0f} ms")
    parts.append(f"on air {found.aired / quiet.aired:4.0%}")
    print(f"{what:20} {'   '.join(parts)}   ({len(found.bots)} answers, {len(found.viewers)} pings)", flush=True)


def p99(seconds: Sequence[float]) -> float:
    """Returns the 99th percentile; nan for fewer than two values."""
    return statistics.quantiles(seconds, n=100)[98] if len(seconds) > 1 else float("nan")


def files_of(terminal: Terminal) -> int:
    """Returns how many files the card room and the studio have open."""
    found = 0
    for pid in (terminal.process.pid, terminal.studio):
        with contextlib.suppress(OSError):
            found += open_files(pid)
    return found


def wait_for_closed_files(terminal: Terminal, before: int, seconds: float) -> float:
    """Waits up to `seconds` until as few files are open as `before`; returns the seconds that it took."""
    begun = time.monotonic()
    while files_of(terminal) > before + SLACK_FILES and time.monotonic() - begun < seconds:
        time.sleep(TICK_SECONDS)
    return time.monotonic() - begun


def measure_attacks(seconds: float) -> Iterator[Attack]:
    """Measures each kind of attack in a separate evening, after a quiet time of `seconds`."""
    gc.disable()  # its pauses in this process would be measured as waits
    for kind in (CHATTING_BOTS, *ATTACKS, *GETS):
        with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
            event_folder = write_evening(Path(folder), secrets_of(names()))
            event_folder.journal.parent.mkdir(parents=True)
            write(event_folder.journal.with_name(f"{RECORDING}.jsonl"), small_contest())
            speed = FULL_HOUSE_SPEED if kind == FULL_HOUSE else SPEED
            with tournament(event_folder, "--speed", speed) as terminal:
                terminal.wait_for_output("remote bots")
                with Users(event_folder) as users:
                    while len(users.bots) < BOTS // 6 or len(users.desk) < BOTS // 6:
                        time.sleep(TICK_SECONDS)
                    yield measure_attack(kind, event_folder, terminal, users, seconds)


def measure_attack(kind: str, event_folder: EventFolder, terminal: Terminal, users: Users, seconds: float) -> Attack:
    """Measures a quiet time, then the attack, then the same strangers at a listener outside the tournament."""
    pages = asyncio.run(public_pages(event_folder))
    files, studio = files_of(terminal), terminal.studio
    quiet = measure_waits(users, lambda: time.sleep(seconds))
    strangers = make_attack(kind, event_folder.pages, users.lines, ATTACK_LENGTH * seconds, pages)
    found = measure_waits(users, strangers)
    if kind == CHATTING_BOTS:
        talkers = {event.bot for event in event_folder.events if isinstance(event, ChatSent)}
        assert len(talkers) == CHATTING, f"only {len(talkers)} bots were heard chatting"
    back = wait_for_closed_files(terminal, files, 60.0)
    with outside_listener() as port, contextlib.ExitStack() as closing:
        chatting = users.lines if kind == CHATTING_BOTS else ()
        lines = [closing.enter_context(socket.create_connection((HOST, port))) for _ in chatting]
        control = measure_waits(users, make_attack(kind, port, lines, seconds, pages))
    return Attack(kind, quiet, found, terminal.studio == studio, back, control)


def measure_waits(users: Users, happens: Callable[[], None]) -> Waits:
    """Returns how long users have to wait for answers while `happens` runs."""
    users.forget()
    begun = time.monotonic()
    happens()
    pace = users.held_ms / 1000 / (time.monotonic() - begun)
    return Waits(tuple(users.bots), tuple(users.viewers), tuple(users.desk), pace)


async def public_pages(event_folder: EventFolder) -> Sequence[str]:
    """Returns every public address of an evening, and some that do not exist."""
    link, bot = links_path(event_folder.journal).read_text().splitlines()[0].split("  ")
    async with httpx.AsyncClient(base_url=event_folder.base, timeout=60, trust_env=False) as web:
        found = await names_of(web, RECORDING, bot.partition(" (")[0], link.rpartition("/")[2], 0)
    return tuple(addresses(found))


def make_attack(
    kind: str, port: int, lines: Sequence[socket.socket], seconds: float, pages: Sequence[str]
) -> Callable[[], None]:
    """Returns a function that lets strangers of one kind attack a port or chat on `lines`, and waits until they end."""

    def happens() -> None:
        strangers = (
            SPAWNING.Process(target=chatter, args=(lines, seconds), daemon=True)
            if kind == CHATTING_BOTS
            else SPAWNING.Process(target=attack, args=(kind, port, seconds, pages), daemon=True)
        )
        strangers.start()
        strangers.join()

    return happens
