"""Measures how long bots, viewers and the operator wait while strangers flood the server, and how much the show slows.

Each flood is compared with a quiet time of the same tournament. Real strangers have their own machines. Here, they
share a machine with the tournament. So they get only the processor time that the tournament does not use (SCHED_IDLE).
"""

import asyncio
import contextlib
import gc
import itertools
import json
import os
import socket
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import psutil
from anyio.from_thread import start_blocking_portal
from msgspec import Struct
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from broadcast.web import serve
from server.app.evening.evening_files import author_links_path
from server.contests.quick_draw.venue.house import register
from server.game.events import ChatSent
from tests.bench.common.scales import Outcome, percentile
from tests.end_to_end.evening import CONTROL, HOST, EventFolder, Terminal, decide, secrets_of, tournament, write_evening
from tests.support.games.recordings import of_kind, small_contest, write
from tests.support.public_pages import RECORDING, addresses, parameters_of
from tests.web.stranger_connections import get, handshake

BOTS, CHATTERS, VIEWERS = 156, 150, 30
NAMES = [f"Bot-{number:03}" for number in range(BOTS)]
PING_SECONDS = 1.25
"""The time between a measured viewer's pings. The server delays viewers that ping more often than once a second."""
SPEED, FULL_HOUSE_SPEED = "10", "2"
"""Speeds of the tournament. SPEED is faster than any real show, so that bots answer often during an attack. With a full
house (more viewers than may connect), the speed is FULL_HOUSE_SPEED, which is close to that of a real show.
"""
MIN_ANSWERS, MIN_ACTS, TICK_SECONDS = 60, 100, 0.1
"""An attack needs at least MIN_ANSWERS answers of bots and MIN_ACTS acts of attackers (see `Tally`). Loops pause for
TICK_SECONDS.
"""
NEVER = float("inf")  # the wait of a user who is refused or cut off
MAX_RATIO, SOON_SECONDS = 3.0, 0.02
"""A wait may be MAX_RATIO times as long as in quiet times. A wait of up to SOON_SECONDS is always acceptable, because
the server itself leaves 15 ms between two messages to a bot.
"""
FULL_HOUSE, CHATTING_BOTS = "polite viewers", "chatting bots"
FULL_HOUSE_SECONDS = 0.125
"""How long viewers may wait in a full house. The guide sets the same goal for the benchmark `fanout`."""
MIN_PACE = 0.9
"""During an attack, the show's pace must be at least this fraction of its pace in the quiet time."""
DESK_SECONDS, BACK_SECONDS = 1.0, 30.0
"""The operator must get each page within DESK_SECONDS. Within BACK_SECONDS after an attack, the server must have closed
the files that the attack opened.
"""
FRAMES = (b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 99)
"""The frames of the floods: an empty ping, an empty pong, and a text in 100 empty fragments."""
CHAT = json.dumps({"command": "send_chat", "message": "howdy " * 15}).encode()
CHAT_SECONDS = 0.05
"""The time between two chats of a bot. The server allows one chat every 5 s, so it passes on one in a hundred."""


class Tally(Struct):
    """Counts the acts of all attackers. An act is a handshake, a batch of frames, a page or a chat."""

    pages: Sequence[str]
    """The paths of all public pages."""
    count: int = 0


class Stranger(Struct, frozen=True):
    """One kind of stranger: what they do on each connection, how many there are, and which addresses they have."""

    act: Callable[[asyncio.StreamReader, asyncio.StreamWriter, int, Tally], Coroutine[Any, Any, None]]
    """Uses one connection. Gets its reader, its writer, the number of the stranger, and the tally of all strangers."""
    count: int
    sources: Sequence[str]
    reconnect_seconds: float = 3600.0
    """The time between the end of one connection of a stranger and the start of the next."""

    async def keep_connecting(self, port: int, tally: Tally, number: int) -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                source = self.sources[number % len(self.sources)]
                reader, writer = await asyncio.open_connection(HOST, port, local_addr=(source, 0))
                try:
                    await self.act(reader, writer, number, tally)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(self.reconnect_seconds)


def _ask_for_show(writer: asyncio.StreamWriter, header: str = "") -> None:
    writer.write(handshake(writer.get_extra_info("peername")[1], header))


async def _join_show(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tally: Tally) -> None:
    _ask_for_show(writer)
    head = await reader.readuntil(b"\r\n\r\n")
    tally.count += b" 101 " in head  # with status 101, the server accepts the handshake


async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int, tally: Tally) -> None:
    """Sends the smallest frames as fast as the server accepts them."""
    await _join_show(reader, writer, tally)
    while not writer.is_closing():
        writer.write(FRAMES[number % len(FRAMES)] * 2_000)
        await writer.drain()
        tally.count += 1
        await asyncio.sleep(0)  # lets other tasks run, because `drain` may return without waiting


async def stay_silent(header: str, _: object, writer: asyncio.StreamWriter, __: int, tally: Tally) -> None:
    """Sends a handshake, and then neither reads nor writes anything."""
    _ask_for_show(writer, header)
    tally.count += 1
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    await asyncio.Event().wait()


async def fetch(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, page: int, tally: Tally) -> None:
    port = writer.get_extra_info("peername")[1]
    while not writer.is_closing():
        page += 1
        writer.write(get(port, tally.pages[page % len(tally.pages)]))
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length or 0))
        tally.count += 1


async def watch_politely(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: int, tally: Tally) -> None:
    await _join_show(reader, writer, tally)
    while frame := await reader.read(65536):
        if b"\x89\x00" in frame:
            writer.write(b"\x8a\x80\0\0\0\0")


async def ping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int, tally: Tally) -> None:
    watching = asyncio.create_task(watch_politely(reader, writer, number, tally))
    while not watching.done():
        await asyncio.sleep(1 / 14)  # earlier versions of the server accepted 14 pings a second without a delay
        writer.write(FRAMES[0])
    await watching  # raises the error that has ended the connection, if any


def addresses_of_readers(count: int) -> list[str]:
    return [f"127.0.{3 + number // 8}.{1 + number}" for number in range(count)]


send_long_handshake = partial(stay_silent, f"X-Long: {'x' * 9_000}\r\n")
# "GETs, 8 of 1" means that eight strangers with one address send GETs.
STRANGERS = {
    "flooding": Stranger(flood, 60, ["127.0.0.66"], 0.01),
    "dead handshakes": Stranger(send_long_handshake, 2_000, [f"127.0.1.{number}" for number in range(1, 21)]),
    "readers of nothing": Stranger(partial(stay_silent, ""), 3 * 290, ["127.0.2.1", "127.0.2.2", "127.0.2.3"]),
    FULL_HOUSE: Stranger(watch_politely, 12_500, [f"127.0.{number}.1" for number in range(20, 80)], 5.0),
    "pings in the budget": Stranger(ping, 2_000, [f"127.0.{number}.1" for number in range(90, 110)]),
    "GETs, 1 of 1": Stranger(fetch, 1, addresses_of_readers(1), TICK_SECONDS),
    "GETs, 8 of 1": Stranger(fetch, 8, addresses_of_readers(1), TICK_SECONDS),
    "GETs, 30 of 1": Stranger(fetch, 30, addresses_of_readers(1), TICK_SECONDS),
    "GETs, 30 of 60": Stranger(fetch, 30, addresses_of_readers(60), TICK_SECONDS),
}


async def chat(line: socket.socket, number: int, tally: Tally) -> None:
    """Keeps sending chats as one bot. `number` differs between bots, so that each starts at a different moment."""
    await asyncio.sleep(CHAT_SECONDS * number / CHATTERS)
    with contextlib.suppress(OSError):
        while True:
            await asyncio.get_running_loop().sock_sendall(line, CHAT)
            tally.count += 1
            await asyncio.sleep(CHAT_SECONDS)


def attack(kind: str, port: int, bot_sockets: Sequence[socket.socket], seconds: float, pages: Sequence[str]) -> int:
    """Lets strangers of `kind` (or bots, for CHATTING_BOTS) attack for `seconds`. Returns the number of their acts."""
    tally = Tally(pages)

    async def run() -> None:
        if kind == CHATTING_BOTS:
            visits = [chat(line, number, tally) for number, line in enumerate(bot_sockets)]
        else:
            strangers = STRANGERS[kind]
            visits = [strangers.keep_connecting(port, tally, number) for number in range(strangers.count)]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as tasks:
                for visit in visits:
                    tasks.create_task(visit)

    serve.raise_file_limit()
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # run only while no other process needs the processor
    asyncio.run(run())
    return tally.count


class Waits(Struct):
    """How long users waited, in seconds: bots for confirmations, viewers for pongs, the operator for pages."""

    bots: list[float] = []
    viewers: list[float] = []
    desk: list[float] = []
    aired: float = 0.0
    """The seconds of the show that one viewer received. `Users.measure` divides them by the measured time."""


class Users:
    """Bots at the table, viewers and an operator. `waits` records how long they waited."""

    def __init__(self, event_folder: EventFolder) -> None:
        self.waits = Waits()
        self.bot_sockets: list[socket.socket] = []
        """The connections of the chatting bots."""
        self._waiting_since: dict[tuple[str, object], float] = {}
        """When unfinished waits began. A key has two parts, such as ("bots", "Bot-001"): a field of `Waits`, and a
        bot's name, a viewer's number or a page.
        """
        self._folder = event_folder
        self._registering = asyncio.Semaphore(16)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Runs all users in another thread until the `with` block ends. The block begins once they are served."""
        with start_blocking_portal() as portal:
            users = portal.start_task_soon(self._run_all)
            while min(len(self.waits.bots), len(self.waits.desk)) < BOTS // 6:
                with contextlib.suppress(TimeoutError):
                    users.result(TICK_SECONDS)  # raises the error of a user
            yield
            if not users.cancel():
                users.result()  # the users have ended early: raises their error
        for line in self.bot_sockets:
            line.close()

    def measure(self, action: Callable[[], object]) -> Waits:
        self.waits = Waits()
        started_at = time.monotonic()
        action()
        # A wait that has not ended counts with its length so far.
        for (kind, _), since in tuple(self._waiting_since.items()):
            getattr(self.waits, kind).append(time.perf_counter() - since)
        measured, self.waits = self.waits, Waits()
        measured.aired /= time.monotonic() - started_at
        return measured

    def _begin_wait(self, *user: *tuple[str, object]) -> None:
        """Does nothing if `user` (a key of `_waiting_since`) is waiting already, such as a viewer who was cut off."""
        self._waiting_since.setdefault(user, time.perf_counter())

    def _end_wait(self, *user: *tuple[str, object]) -> None:
        if since := self._waiting_since.pop(user, 0.0):
            getattr(self.waits, user[0]).append(time.perf_counter() - since)

    async def _run_all(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for number, (name, secret) in enumerate(secrets_of(NAMES).items()):
                tasks.create_task(self._play(name, secret, chats=number < CHATTERS))
            for number in range(VIEWERS):
                tasks.create_task(self._watch(number))
            tasks.create_task(self._operate())

    async def _play(self, name: str, secret: str, *, chats: bool) -> None:
        async with self._registering:
            port = await register(HOST, self._folder.register, name, secret=secret)
        reader, writer = await asyncio.open_connection(HOST, port)
        if chats:
            self.bot_sockets.append(writer.get_extra_info("socket").dup())
        while line := await reader.readline():
            message = json.loads(line)
            if message["command"] == "request_action":
                writer.write(json.dumps({"command": "take_action", **decide(message, 0.0)}).encode())
                self._begin_wait("bots", name)
            elif message["command"] == "confirm_action":
                self._end_wait("bots", name)

    async def _watch(self, number: int) -> None:
        """Watches and pings as viewer `number`. Viewers ping at different moments, so that few delays are missed."""
        offset = PING_SECONDS * number / VIEWERS
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                address = f"ws://{HOST}:{self._folder.pages}/ws/show"
                async with connect(address, max_queue=None, ping_interval=None) as socket:
                    reading = asyncio.create_task(self._read_on(socket, measures=number == 0))
                    while not reading.done():
                        await asyncio.sleep(PING_SECONDS - (time.perf_counter() - offset) % PING_SECONDS)
                        self._begin_wait("viewers", number)
                        await (await socket.ping())
                        self._end_wait("viewers", number)
            self.waits.viewers.append(NEVER)
            await asyncio.sleep(TICK_SECONDS)

    async def _read_on(self, socket: Any, *, measures: bool) -> None:
        last = -1
        with contextlib.suppress(WebSocketException):
            async for text in socket:
                if measures and (entry := json.loads(text)).get("hold_ms") and entry["at_ms"] != last:
                    last = entry["at_ms"]  # entries with the same `at_ms` are on screen together, so only one counts
                    self.waits.aired += entry["hold_ms"] / 1000

    async def _operate(self) -> None:
        """Opens the desk (the operator's page) and OBS's page alternately, each time on a new connection.

        Writes the requests itself, because a client library would block this thread for a few milliseconds each time.
        """
        async with httpx.AsyncClient(base_url=self._folder.base, trust_env=False, timeout=60) as web:
            answer = await web.get("/control", params={"token": CONTROL})
        cookie = answer.headers["set-cookie"].split(";")[0]
        for path in itertools.cycle((f"/control HTTP/1.1\r\nCookie: {cookie}", "/overlay HTTP/1.1")):
            page = b""
            self._begin_wait("desk", path)
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(HOST, self._folder.pages)
                host = f"Host: {HOST}:{self._folder.pages}"
                writer.write(f"GET {path}\r\n{host}\r\nConnection: close\r\n\r\n".encode())
                page = await reader.read(-1)
                writer.close()
            self._end_wait("desk", path)
            if not page.startswith(b"HTTP/1.1 200 "):
                self.waits.desk.append(NEVER)
            await asyncio.sleep(TICK_SECONDS)


class Attack(Struct, frozen=True):
    """How long users waited in a quiet time and during one kind of attack, and whether the server recovered."""

    kind: str
    quiet_waits: Waits
    waits: Waits
    acts: int  # how often the attackers acted
    has_same_studio: bool  # whether the studio (the show's web server) survived the attack
    closed_seconds: float
    """Seconds from the end of the attack until the server had closed all files that the attack opened."""

    @property
    def pace(self) -> float:
        """The pace of the show during the attack, as a fraction of its pace in the quiet time."""
        return self.waits.aired / self.quiet_waits.aired

    def count_misses(self, bots_ratio: float, viewers_ratio: float) -> int:
        """Counts the missed goals. Too few answers of bots are a missed goal, too.

        `bots_ratio` and `viewers_ratio` are the 99th percentiles of waits during the attack, divided by those of waits
        in quiet times.
        """
        viewers_wait = p99(self.waits.viewers)
        viewers_wait_long = viewers_ratio > MAX_RATIO and viewers_wait > SOON_SECONDS
        missed = (
            len(self.waits.bots) < MIN_ANSWERS,
            bots_ratio > MAX_RATIO and p99(self.waits.bots) > SOON_SECONDS,
            viewers_wait > FULL_HOUSE_SECONDS if self.kind == FULL_HOUSE else viewers_wait_long,
            NEVER in self.waits.viewers,
            self.pace < MIN_PACE,
            max(self.waits.desk) > DESK_SECONDS,
            self.closed_seconds > BACK_SECONDS,
            not self.has_same_studio,
        )
        return sum(missed)


def p99(seconds: Sequence[float]) -> float:
    return percentile(seconds or [NEVER], 99)


def count_open_files(terminal: Terminal) -> int:
    file_count = 0
    for pid in (terminal.process.pid, terminal.studio_pid):
        with contextlib.suppress(psutil.Error, OSError):
            file_count += psutil.Process(pid).num_fds()
    return file_count


def measure_attack(kind: str, seconds: float, folder: Path) -> Attack:
    """Measures a quiet time of at least 10 s, and then an attack that lasts three times `seconds`."""
    event_folder = write_evening(folder, secrets_of(NAMES))
    event_folder.journal.parent.mkdir(parents=True)
    write(event_folder.journal.with_name(f"{RECORDING}.jsonl"), small_contest())
    with tournament(event_folder, "--speed", FULL_HOUSE_SPEED if kind == FULL_HOUSE else SPEED) as terminal:
        terminal.wait_for_output("remote bots")
        users = Users(event_folder)
        with users.running():
            pages = asyncio.run(list_public_pages(event_folder))
            files_before, studio_pid = count_open_files(terminal), terminal.studio_pid
            quiet_waits = users.measure(partial(time.sleep, max(seconds, 10)))  # the show airs something in any 10 s
            bot_sockets = users.bot_sockets if kind == CHATTING_BOTS else ()
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                attacking = pool.submit(attack, kind, event_folder.pages, bot_sockets, 3 * seconds, pages)
                attack_waits = users.measure(attacking.result)
            acts, attackers = attacking.result(), STRANGERS[kind].count if kind in STRANGERS else CHATTERS
            assert acts >= max(attackers // 2, MIN_ACTS), f"{kind}: the attackers acted only {acts} times"
            talkers = {event.bot for event in of_kind(event_folder.entries, ChatSent)}
            assert len(talkers) == CHATTERS or kind != CHATTING_BOTS, f"only {len(talkers)} bots were heard chatting"
            started_at = time.monotonic()
            # Up to 8 more files are allowed, because even an idle server opens and closes some files.
            while count_open_files(terminal) > files_before + 8 and time.monotonic() - started_at < 2 * BACK_SECONDS:
                time.sleep(TICK_SECONDS)
            closed_seconds = time.monotonic() - started_at
            return Attack(kind, quiet_waits, attack_waits, acts, terminal.studio_pid == studio_pid, closed_seconds)


async def list_public_pages(event_folder: EventFolder) -> Sequence[str]:
    link, bot = author_links_path(event_folder.journal).read_text().splitlines()[0].split("  ")
    async with httpx.AsyncClient(base_url=event_folder.base, timeout=60, trust_env=False) as web:
        page_names = await parameters_of(web, RECORDING, bot.partition(" (")[0], link.rpartition("/")[2], 0)
    return tuple(addresses(page_names))


def try_floods(seconds: int) -> Outcome:
    """Attacks tournaments with floods, crowds, visitors and chatting bots. Compares waits with those in quiet times."""
    attacks = list[Attack]()
    gc.disable()  # the garbage collector's pauses in this process would be measured as waits
    try:
        for kind in (CHATTING_BOTS, *STRANGERS):
            with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
                attacks.append(measure_attack(kind, seconds, Path(folder)))
    finally:
        gc.enable()
    # All quiet times are taken together, because a single one has too few waits for a 99th percentile.
    quiet_bots = p99([wait for attack in attacks for wait in attack.quiet_waits.bots])
    quiet_viewers = p99([wait for attack in attacks for wait in attack.quiet_waits.viewers])
    assert max(quiet_bots, quiet_viewers) < NEVER, "users were not served in quiet times"
    print(f"quiet: bots {quiet_bots * 1000:.1f} ms, viewers {quiet_viewers * 1000:.1f} ms")
    missed, worst_ratios = 0, [0.0, 0.0]
    for attack in attacks:
        waits = attack.waits
        ratios = p99(waits.bots) / quiet_bots, p99(waits.viewers) / quiet_viewers
        missed += attack.count_misses(*ratios)
        if attack.kind != FULL_HOUSE:
            worst_ratios = [max(pair) for pair in zip(worst_ratios, ratios, strict=True)]
        print(
            f"{attack.kind:20} bots {p99(waits.bots) * 1000:.1f} ms ({ratios[0]:.1f}x), viewers "
            f"{p99(waits.viewers) * 1000:.1f} ms ({ratios[1]:.1f}x), desk at most {max(waits.desk) * 1000:.0f} ms, "
            f"on air {attack.pace:.0%}, files closed after {attack.closed_seconds:.1f} s, "
            f"{'the same' if attack.has_same_studio else 'ANOTHER'} studio, {attack.acts:,} acts",
            flush=True,
        )
    figure = (
        f"at worst bots {worst_ratios[0]:.1f}x, viewers {worst_ratios[1]:.1f}x their quiet p99; "
        f"{min(attack.pace for attack in attacks):.0%} of the pace, "
        f"the desk {max(max(attack.waits.desk) for attack in attacks):.1f} s"
    )
    goal = (
        f"{MAX_RATIO:.0f}x or {SOON_SECONDS * 1000:.0f} ms ({FULL_HOUSE_SECONDS * 1000:.0f} ms in a full house), "
        f"{MIN_PACE:.0%}, {DESK_SECONDS:.0f} s, all given back in {BACK_SECONDS:.0f} s"
    )
    return Outcome("kinds of attack", len(attacks), missed, figure, goal)
