"""The practice server limits games, registrations, open ports and files, so that no stranger can block it."""

import asyncio
import os
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from server.app.decisions.transcript import (
    LINE_OVERHEAD_BYTES,
    MAX_DIRECTION_BYTES,
    MAX_MESSAGE_BYTES,
    MessageRecorder,
    Transcript,
    read_transcript,
    write_transcript,
)
from server.app.practice.connect_bots import MAX_WAITING_PORTS, TcpGames
from server.app.practice.games.plan import practice_format
from server.app.practice.games.process import prune_recordings
from server.app.practice.guests import Guest
from server.app.practice.limits import PracticeLimits, Slots
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.journal.journal import Journal
from server.registration.register import CheckedIn, Registration, RegistrationRefused
from tests.bots.tcp_client import FakeClock
from tests.support.games.practice import practice_server
from tests.support.programs.disks import small_disk

__all__ = ["small_disk"]
LOCAL_ADDRESS = "127.0.0.1"
TIMEOUT_SECONDS = 60.0
MAX_RECORDINGS = 5


def test_no_address_or_network_can_take_all_tables() -> None:
    limits = PracticeLimits(registration_burst=1000)
    slots = Slots(limits, FakeClock().time)
    for _ in range(limits.games_per_address):
        slots.acquire("10.0.0.1")
    with pytest.raises(RegistrationRefused, match=r"practice games of 10\.0\.0\.1 are already running") as refused:
        slots.acquire("10.0.0.1")
    assert refused.value.status == 429
    for network in range(limits.tables - limits.games_per_address):
        slots.acquire(f"10.1.{network}.1")
    slots = Slots(clock=FakeClock().time)
    for _ in range(40 + 48):
        slots.acquire("10.0.0.1")
    slots = Slots(limits, FakeClock().time)
    for address in [*(f"10.0.{network}.1" for network in range(3)), *(f"10.9.9.{host}" for host in range(250))]:
        for _ in range(200):
            with suppress(RegistrationRefused):
                slots.acquire(address)
    assert slots.address_slots.taken < slots.limits.tables
    slots.acquire("192.0.2.1")
    clock = FakeClock()
    limits = PracticeLimits(games_per_address=1000, registration_burst=3, registrations_per_second=0.5)
    slots = Slots(limits, clock.time)
    for _ in range(limits.registration_burst):
        slots.acquire("10.0.0.1")
    with pytest.raises(RegistrationRefused, match="registers too often: try again in 2 seconds"):
        slots.acquire("10.0.0.1")
    slots.acquire("10.0.0.2")
    clock.advance(1.0)
    with pytest.raises(RegistrationRefused, match=r"try again in 1 second$"):
        slots.acquire("10.0.0.1")
    clock.advance(1.0)
    slots.acquire("10.0.0.1")
    assert slots.address_slots.taken == limits.registration_burst + 2, "a refused registration must take no table"


class QuickDrawPractice:
    def __init__(self, folder: Path, *, seconds: float = TIMEOUT_SECONDS, limits: PracticeLimits | None = None) -> None:
        self.server, _ = practice_server(folder, limits, kept=MAX_RECORDINGS)
        self.server.guests.listeners.append(self._hear)
        self.games = TcpGames(partial(practice_format, QUICK_DRAW_FORMAT), self.server, connect_seconds=seconds)
        self.recordings = self.server.settings.recordings / "practice"
        self.log: list[str] = []
        self.games_over = 0
        self._changed = asyncio.Event()

    async def register(self, name: str) -> CheckedIn:
        return await self.games.check_in(Registration(name, 2, 1), LOCAL_ADDRESS)

    async def wait_until_over(self, count: int) -> None:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while self.games_over < count:
                self._changed.clear()
                await self._changed.wait()

    def _hear(self, guest: Guest, message: str) -> None:
        self.log.append(f"{guest.name} {message}")
        self.games_over += guest.over
        self._changed.set()


async def test_bot_that_never_connects_loses_its_table(tmp_path: Path) -> None:
    practice = QuickDrawPractice(tmp_path, seconds=0.0, limits=PracticeLimits(tables=1, games_per_address=1))
    checked_in = await practice.register("Absent")
    with pytest.raises(RegistrationRefused, match="all 1 practice tables") as refused:
        await practice.register("Too many")
    assert refused.value.status == 503
    await practice.wait_until_over(1)
    status = f"Absent registered and did not connect to port {checked_in.port} in time: there is no game"
    assert practice.log == [status]
    assert practice.server.why_absent("practice-1") == f"{status}."  # viewers of the game are told this
    assert (await practice.register("Next")).watch_url.endswith("practice-2")
    assert practice.server.why_absent("practice-2") == ""


async def test_bots_that_never_connect_lock_nobody_out(tmp_path: Path) -> None:
    practice = QuickDrawPractice(tmp_path)
    for number in range(MAX_WAITING_PORTS):  # at most this many ports wait for bots from one address
        await practice.register(f"Idler {number}")
    for number in range(20):
        checked_in = await practice.register(f"Honest {number}")
        with socket.create_connection((LOCAL_ADDRESS, checked_in.port), timeout=TIMEOUT_SECONDS):
            pass
        await practice.wait_until_over(1 + number + 1)
    released = [line[:8] for line in practice.log if "Idler" in line]
    assert released == ["Idler 0 "], "only the port of the bot that has waited longest may close"
    assert sum("has played" in line for line in practice.log) == 20


async def test_only_the_latest_recordings_are_kept(tmp_path: Path) -> None:
    practice = QuickDrawPractice(tmp_path)
    for number in range(3 * MAX_RECORDINGS):
        checked_in = await practice.register(f"Gone {number}")
        socket.create_connection((LOCAL_ADDRESS, checked_in.port), timeout=TIMEOUT_SECONDS).close()
        await practice.wait_until_over(number + 1)
    await practice.server.stop()
    games = [int(path.name.split("-practice-")[1].split("-")[0]) for path in practice.recordings.iterdir()]
    assert sorted(games) == list(range(2 * MAX_RECORDINGS + 1, 3 * MAX_RECORDINGS + 1))


def test_old_recordings_are_removed_unless_they_are_open(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.jsonl" for number in range(4)]
    journals = [Journal(path) for path in paths]
    for number, path in enumerate(paths):
        (tmp_path / f"{number}.film").touch()  # a film is a recording prepared for replay
        os.utime(path, (number, number))
    (tmp_path / ".0.film.4711").touch()
    (tmp_path / "notes.txt").touch()
    for journal in journals[1:]:
        journal.close()
    prune_recordings(tmp_path, 1)
    latest_files = {"3.jsonl", "3.film", "notes.txt"}
    assert {path.name for path in tmp_path.iterdir()} == latest_files | {"0.jsonl", "0.film", ".0.film.4711"}
    journals[0].close()
    prune_recordings(tmp_path, 1)
    assert {path.name for path in tmp_path.iterdir()} == latest_files


def test_flood_of_messages_takes_no_more_than_the_budget(tmp_path: Path) -> None:
    messages = MessageRecorder(lambda: 0.0)  # keeps MAX_DIRECTION_BYTES from a bot ("<") and as many to a bot (">")
    flood, count = os.urandom(3 * MAX_MESSAGE_BYTES), 4 * MAX_DIRECTION_BYTES // MAX_MESSAGE_BYTES
    for _ in range(count):
        messages.record(1, "<", flood)
    for _ in range(MAX_DIRECTION_BYTES):
        messages.record(1, "<", b"")
    messages.record(2, ">", b"what the server sends is kept nevertheless")
    transcript = messages.transcript()
    *kept_lines, last_line = transcript.lines  # `more`: how many bytes of a message were cut off
    assert last_line.text.startswith("what the server sends")
    assert len(kept_lines) == MAX_DIRECTION_BYTES // (MAX_MESSAGE_BYTES + LINE_OVERHEAD_BYTES)
    assert {(line.text.encode() != flood, line.more) for line in kept_lines} == {(True, 2 * MAX_MESSAGE_BYTES)}
    assert transcript.left_out == count + MAX_DIRECTION_BYTES - len(kept_lines)
    path = tmp_path / "transcripts" / "game.transcript"
    (tmp_path / "game.jsonl").touch()
    write_transcript(messages, path, tmp_path)
    assert path.stat().st_size < 2 * MAX_DIRECTION_BYTES
    assert read_transcript(path) == transcript


def test_transcript_is_removed_with_its_recording(tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    for number in range(3):
        (tmp_path / f"game-{number}.jsonl").touch()
        messages = MessageRecorder(lambda: 0.0)
        messages.record(number, ">", b"hello")
        write_transcript(messages, folder / f"game-{number}.transcript", tmp_path)
    (tmp_path / "game-1.jsonl").unlink()
    (folder / "game-1.half").touch()
    (tmp_path / "game-3.jsonl").touch()
    write_transcript(MessageRecorder(lambda: 0.0), folder / "game-3.transcript", tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == [f"game-{number}.transcript" for number in (0, 2, 3)]
    assert read_transcript(folder / "game-1.transcript") is None
    transcript = read_transcript(folder / "game-2.transcript")
    assert transcript
    assert [(line.hand, line.text) for line in transcript.lines] == [(2, "hello")]
    for damaged in (b"", b"\x78", b"x" * 5000):
        (folder / "game-2.transcript").write_bytes(damaged)
        assert read_transcript(folder / "game-2.transcript") is None


def test_full_disk_costs_only_a_transcript(small_disk: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    messages = MessageRecorder(lambda: 0.0)
    messages.record(1, "<", b"hello")
    path = small_disk / "game.transcript"
    (tmp_path / "game.jsonl").touch()
    write_transcript(messages, path, tmp_path)
    with suppress(OSError), (small_disk / "filler").open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(1 << 12))
    for _ in range(100):
        messages.record(1, "<", os.urandom(4096))
    write_transcript(messages, path, tmp_path)
    assert "cannot write a transcript" in caplog.text
    assert read_transcript(path) == Transcript(messages.transcript().lines[:1]), "the earlier transcript must be kept"
