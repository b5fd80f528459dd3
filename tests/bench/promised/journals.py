"""Promises about the journal: it is durable before it is visible, and survives torn lines, full disks and kills."""

import asyncio
import random
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, Entrant
from server.game.prizes import standard_prizes
from server.journal.bus import Bus
from server.journal.journal import Journal, JournalDamaged, read_journal
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bench.common.scales import percentile
from tests.bench.promised.outcome import Outcome
from tests.journal.killed_contest import decided_events, killed_contests, run_contest
from tests.journal.test_full_disk import ContestOnFullDisk
from tests.journal.test_journal import mutate_lines
from tests.support.games.contests import SEED, play_contest
from tests.support.games.recordings import write
from tests.support.programs.disks import DISK_BYTES, mounted_disk

WRITE_MS, RESUME_SECONDS = 1.0, 2.0
BOTS = 12
LAST_HAND = 60
"""The approximate number of entries in the last hand, which is missing when the time to resume is measured."""


def try_durability(events: int) -> Outcome:
    """Measures how long it takes until an event is synced and visible, on the disk of this folder."""
    times: list[float] = []
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        bus = Bus(Journal(Path(name) / "times.jsonl"), time.monotonic)
        for _ in range(events):
            started_at = time.perf_counter()
            bus.publish(ActionTaken(2, "raise", 200, 300, False, 1234))
            times.append((time.perf_counter() - started_at) * 1000)
        bus.close()
    p99 = percentile(times, 99)
    figure = f"p50 {percentile(times, 50):.2f} ms, p99 {p99:.2f} ms"
    return Outcome("events", events, int(p99 > WRITE_MS), figure, "synced before seen, p99 below 1 ms")


def try_damage(mutations: int) -> Outcome:
    """Reads a journal that is cut at each byte of its last three lines, and journals that are changed at random."""
    with tempfile.TemporaryDirectory() as name:
        path = write(Path(name) / "contest.jsonl", play_contest(4, 6)[:400])
        whole, text = read_journal(path).entries, path.read_bytes()
        cuts, lost = range(len(text.rsplit(b"\n", 4)[0]) + 1, len(text) + 1), 0
        for cut in cuts:
            path.write_bytes(text[:cut])
            lost += read_journal(path).entries != whole[: text.count(b"\n", 0, cut) - 1]
        lines, dice = text.split(b"\n")[:-1], random.Random(4)
        for _ in range(mutations):
            path.write_bytes(b"\n".join(mutate_lines(dice, lines)))
            with suppress(JournalDamaged):
                entries = read_journal(path).entries
                lost += entries != whole[: len(entries)]
    return Outcome("cuts and changes", len(cuts) + mutations, lost, "longest valid prefix, or refused", "every time")


def try_full_disks(disks: int) -> Outcome:
    """Plays contests on a disk that becomes full at a different byte each time, until there is room again."""
    lost = waited = 0
    dice = random.Random(5)
    for _ in range(disks):
        with tempfile.TemporaryDirectory() as name, mounted_disk(disk := Path(name) / "disk"):
            contest = ContestOnFullDisk(disk, ballast=DISK_BYTES - dice.randrange(8, 40) * 1024 - dice.randrange(1024))
            asyncio.run(contest.play())
            recording = read_journal(contest.journal)
            waited += len(contest.seen_in_trouble) > 0
            lost += len(set(contest.seen_in_trouble)) > 1 or recording.entries != contest.bus.entries
            lost += not verify(recording.entries).finished
    figure = f"{waited} waited, all finished and verified"
    return Outcome("full disks", disks, lost + (waited < disks), figure, "nothing seen that is not on disk")


def try_kills(kills: int) -> Outcome:
    """Kills and resumes contests, `kills` times in all, and compares them with a contest that was not killed."""
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        folder = Path(name)
        seconds = _time_resuming(write(folder / "long.jsonl", play_contest(5, BOTS)[:-LAST_HAND]))
        run_contest(folder / "unbroken.jsonl")
        right, ended = decided_events(folder / "unbroken.jsonl"), list(killed_contests(folder, kills))
        lost = sum(decided_events(journal) != right for journal, _ in ended)
    killed = sum(times for _, times in ended)
    figure = f"{len(ended)} contests ended the same, resumed in {seconds:.2f} s"
    return Outcome("kills", killed, lost + (seconds > RESUME_SECONDS), figure, "0 differences, within 2 s")


def _time_resuming(path: Path) -> float:
    """Measures how long it takes to resume a contest until its director, having replayed the journal, continues."""

    async def stop() -> None:
        raise StopAsyncIteration

    started_at = time.perf_counter()
    bus = Bus(None, time.monotonic)
    bus.load(read_journal(path).entries)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot % 9}") for bot in range(1, BOTS + 1)]
    director = Director(
        QUICK_DRAW_FORMAT, entrants, seed=SEED, bus=bus, gate=stop, prizes_cents=standard_prizes(500 * BOTS)
    )
    with suppress(StopAsyncIteration):
        asyncio.run(director.run())
    return time.perf_counter() - started_at
