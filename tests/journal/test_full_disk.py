"""A contest continues once a full disk has room. A broken disk ends a contest."""

import asyncio
import os
import random
from pathlib import Path

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotConnected, BotDisconnected, ChatSent, Entrant
from server.journal.atomic_file import write_atomically
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from server.tournament.director import Director
from server.tournament.resumable_log import MAX_UNWRITTEN, ResumableLog  # MAX_UNWRITTEN: how many events wait in memory
from server.verify.recording import verify
from tests.support.games.contests import SEED, DiceBot  # `DiceBot`: a bot that plays at random
from tests.support.programs.disks import DISK_BYTES, small_disk

__all__ = ["small_disk"]


class ContestOnFullDisk:
    """A contest with its journal on `disk`. A file of `ballast` bytes takes space until the third failed write."""

    def __init__(self, disk: Path, ballast: int = DISK_BYTES - 16 * 1024) -> None:
        self.ballast = disk / "ballast"
        self.ballast.write_bytes(bytes(ballast))
        self.journal = disk / "contest.jsonl"
        self.bus = Bus(Journal(self.journal), lambda: 0.0)
        self.troubles: list[str] = []
        self.counts_in_trouble: list[int] = []
        """How many entries the bus (the log of events) had at each failed write."""

    def note_trouble(self, text: str) -> None:
        if text and self.ballast.exists():
            self.counts_in_trouble.append(len(self.bus.entries))
            if len(self.counts_in_trouble) == 3:
                self.ballast.unlink()
        if self.troubles[-1:] != [text]:
            self.troubles.append(text)

    async def play(self) -> None:
        entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot}") for bot in (1, 2, 3)]
        director = Director(QUICK_DRAW_FORMAT, entrants, seed=SEED, bus=self.bus, on_trouble=self.note_trouble)
        for entrant in entrants:
            director.add_bot(DiceBot(entrant.bot, random.Random(entrant.bot), director.record_bot_event))
        await director.run()
        self.bus.close()


def test_full_disk_pauses_the_game_until_there_is_room(small_disk: Path) -> None:
    contest = ContestOnFullDisk(small_disk)
    asyncio.run(contest.play())
    assert contest.troubles == ["", "the disk is full: the game waits until there is room", ""]
    assert len(set(contest.counts_in_trouble)) == 1, "no new entry may be seen while none can be written"
    recording = read_journal(contest.journal)
    assert (recording.entries, recording.torn_bytes) == (contest.bus.entries, 0)  # No line is half-written.
    assert verify(recording.entries).finished


def test_chats_and_lost_connections_wait_for_room(small_disk: Path) -> None:
    contest = ContestOnFullDisk(small_disk, DISK_BYTES - 8 * 1024)
    log, count_when_full = ResumableLog(contest.bus, contest.note_trouble), -1
    while count_when_full < len(contest.bus.entries) < 10_000:
        count_when_full = len(contest.bus.entries)
        log.record(ChatSent(1, "howdy " * 20))
    log.record(BotDisconnected(2, "it crashed"))
    for _ in range(2 * MAX_UNWRITTEN):
        log.record(ChatSent(1, "howdy"))
    assert len(contest.bus.entries) == count_when_full
    contest.ballast.unlink()
    log.record(BotConnected(3))
    later_events = [entry.event for entry in contest.bus.entries[count_when_full:]]
    assert (later_events[1], later_events[-1]) == (BotDisconnected(2, "it crashed"), BotConnected(3))
    assert len(later_events) <= MAX_UNWRITTEN + 2, "chats beyond the limit must be dropped"
    contest.bus.close()


def test_broken_disk_ends_the_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_file: int, _text: bytes) -> int:
        raise OSError(5, "Input/output error")

    contest = ContestOnFullDisk(tmp_path)
    monkeypatch.setattr(os, "write", fail)
    with pytest.raises(OSError, match="Input/output"):
        asyncio.run(ResumableLog(contest.bus, contest.note_trouble).write([BotConnected(1)]))
    assert not contest.bus.entries
    assert not contest.troubles


def test_file_is_on_disk_before_it_replaces_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real_fsync = tmp_path / "page.json", os.fsync
    write_atomically(path, b"older")
    synced: list[tuple[int, bytes]] = []

    def note_and_sync(file: int) -> None:
        synced.append((os.fstat(file).st_ino, path.read_bytes()))
        real_fsync(file)

    monkeypatch.setattr(os, "fsync", note_and_sync)
    write_atomically(path, b"newer")
    assert synced == [(path.stat().st_ino, b"older"), (tmp_path.stat().st_ino, b"newer")]


def test_old_file_is_kept_if_the_new_one_does_not_fit(small_disk: Path) -> None:
    write_atomically(small_disk / "page.json", b"older")
    with pytest.raises(OSError, match="No space left"):
        write_atomically(small_disk / "page.json", bytes(2 * DISK_BYTES))
    assert [(path.name, path.read_bytes()) for path in small_disk.iterdir()] == [("page.json", b"older")]
