"""Tests promises about hands: chips are conserved, decks are fair, hidden cards stay hidden.

Also tests promises about journals (recordings): an event is on the disk before anybody sees it, and a journal survives
torn lines, full disks and kills of the program.
"""

import asyncio
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, Entrant, Event
from server.game.prizes import standard_prizes
from server.journal.bus import Bus
from server.journal.journal import Journal, JournalDamaged, read_journal
from server.shuffle import key_of, shuffled
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bench.common.scales import Outcome, on_all_processors, percentile
from tests.end_to_end.killed_evening import baseline_events, deterministic_events, killed_evenings
from tests.game.random_hands import RULES
from tests.game.test_engine_promises import count_leaks, play_and_count_chips, play_in_new_process
from tests.journal.test_full_disk import ContestOnFullDisk
from tests.journal.test_journal import mutate_lines
from tests.judge.books import BOOKS
from tests.judge.test_judge import judge_contest
from tests.support.games.contests import SEED, play_contest
from tests.support.games.recordings import write
from tests.support.programs.disks import DISK_BYTES, mounted_disk

BATCH_HANDS, BATCH_DECKS, CONTESTS = 5_000, 10_000, 40
"""The numbers of hands and decks in one batch of the work, and the number of contests whose decks are recomputed."""
CARDS = 52
MAX_DEVIATIONS = 5.0
"""How far the chi-square of a position or a card may be from its mean, in standard deviations. About one in
300 runs with fair decks exceeds this limit."""


def try_conservation(hands: int) -> Outcome:
    """Plays random hands under the rules of each contest, and counts the chips after every event."""
    batches = -(-hands // BATCH_HANDS)
    broken = sum(on_all_processors(_is_conservation_broken, batches))
    figure = "" if broken else "no chip made or lost"
    return Outcome("random hands", batches * BATCH_HANDS, broken, figure, "0 violations")


def _is_conservation_broken(number: int) -> bool:
    try:
        play_and_count_chips(list(RULES.values())[number % len(RULES)], random.Random(f"1 {number}"), BATCH_HANDS)
    except AssertionError:
        return True
    return False


def try_fairness(decks: int) -> Outcome:
    """Recomputes every deck of CONTESTS contests. Then counts, in `decks` decks, how often each card has each position.

    The chi-square of every card and every position must be close to the mean value that fair decks have.
    """
    broken = sum(on_all_processors(_is_unproved, CONTESTS))
    batches = -(-decks // BATCH_DECKS)
    position_counts = np.sum(on_all_processors(_count_positions, batches), axis=0)
    expected, freedom = batches * BATCH_DECKS / CARDS, CARDS - 1
    chi_squares = [((position_counts - expected) ** 2 / expected).sum(axis=axis) for axis in (0, 1)]
    worst_deviation = max(float(np.abs(each - freedom).max()) for each in chi_squares) / math.sqrt(2 * freedom)
    broken += worst_deviation > MAX_DEVIATIONS
    figure = f"{CONTESTS} contests proved, chi-square within {worst_deviation:.1f} deviations"
    return Outcome("decks", batches * BATCH_DECKS, broken, figure, f"all proved, below {MAX_DEVIATIONS:.0f} deviations")


def _count_positions(number: int) -> NDArray[np.int64]:
    """Counts cards in one batch of the decks. The result at [p, c] says how often card `c` is in position `p`."""
    key, cards = (1).to_bytes(32, "big"), range(CARDS)
    decks = np.array([shuffled(key_of(key, f"{number} {deck}"), cards) for deck in range(BATCH_DECKS)])
    positions = np.arange(CARDS) * CARDS
    return np.bincount((decks + positions).ravel(), minlength=CARDS * CARDS).reshape(CARDS, CARDS)


def _is_unproved(seed: int) -> int:
    return not verify(play_contest(seed, 12)).finished


def try_repetition(rounds: int) -> Outcome:
    """Plays the same 100 games in processes with different hash seeds, and compares the SHA-256 of all events."""
    digests = {play_in_new_process(str(number)) for number in range(2 * rounds)}
    return Outcome("games in two processes", rounds * 100, len(digests) - 1, "one SHA-256", "identical")


def try_secrecy(pairs: int) -> Outcome:
    """Plays pairs of decks that differ only in cards hidden from a seat. The seat must learn the same from both."""
    broken = sum(on_all_processors(partial(_count_leaks, pairs), len(RULES)))
    return Outcome("pairs of decks", pairs * len(RULES), broken, "same views, events, refusals", "0 differences")


def _count_leaks(pairs: int, number: int) -> int:
    contest = list(RULES)[number]
    return count_leaks(RULES[contest], random.Random(f"promise {contest}"), pairs)


def try_rules(hands: int) -> Outcome:
    """Checks at least `hands` hands of each contest against its rules, with house bots and with misbehaving bots."""
    with tempfile.TemporaryDirectory() as folder:
        judged_contests = [judge_contest(contest, hands, Path(folder)) for contest in BOOKS]
    broken = [deviation for each in judged_contests for deviation in each.deviations]
    print("\n".join(broken[:10]))
    figure = f"blinds, turns, raises, pots, odd chips and places of {len(BOOKS)} contests"
    return Outcome("hands", sum(each.hands for each in judged_contests), len(broken), figure, "0 deviations")


# -- journals --------------------------------------------------------------------------------------

MAX_WRITE_MS, MAX_RESUME_SECONDS = 1.0, 2.0
BOTS = 12
CALLS_PER_EVENT = [("write", "traced"), ("fdatasync", "traced"), ("write", "null")]
"""The system calls for one event: a write to traced.jsonl, a sync of this file, and a write to the output /dev/null."""


def try_durability(events: int) -> Outcome:
    """Measures the time to publish an event: to sync it to the working folder's disk, and then to make it visible.

    Then has strace record another process that publishes as many events, and checks the order of the system calls.
    """
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        times, trace = _publish(f"{name}/times.jsonl", events, lambda _: None), Path(name) / "trace"
        program = (sys.executable, "-m", __name__, f"{name}/traced.jsonl", str(events))
        command = ("strace", "-y", "-o", trace, "-e", "write,fdatasync", *program)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        calls = re.findall(r"^(\w+)\(\d+<\S+/(traced|null)\S*>.* = \d+$", trace.read_text(), re.MULTILINE)
    # The first two calls write and sync the journal's header.
    broken = sum(calls[first : first + 3] != CALLS_PER_EVENT for first in range(2, 2 + 3 * events, 3))
    p99 = percentile(times, 99)
    figure = f"p50 {percentile(times, 50):.2f} ms, p99 {p99:.2f} ms"
    return Outcome("events", events, broken + (p99 > MAX_WRITE_MS), figure, "synced before seen, p99 below 1 ms")


def _publish(journal: str, events: int, listener: Callable[[Event], object]) -> list[float]:
    """Publishes events on a bus with this `listener`. Returns the milliseconds that each event took."""
    times, bus = list[float](), Bus(Journal(Path(journal)), time.monotonic)
    bus.listeners.append(listener)
    for _ in range(events):
        started_at = time.perf_counter()
        bus.publish(ActionTaken(2, "raise", 200, 300, False, 1234))
        times.append((time.perf_counter() - started_at) * 1000)
    bus.close()
    return times


def try_damage(mutations: int) -> Outcome:
    """Reads a journal after cutting it at each byte of its last three lines, and after random changes."""
    with tempfile.TemporaryDirectory() as name:
        path = write(Path(name) / "contest.jsonl", all_entries := play_contest(4, 6)[:400])
        text = path.read_bytes()
        cuts, broken = range(len(text.rsplit(b"\n", 4)[0]) + 1, len(text) + 1), 0
        for cut in cuts:
            path.write_bytes(text[:cut])
            broken += read_journal(path).entries != all_entries[: text.count(b"\n", 0, cut) - 1]
        lines, dice = text.split(b"\n")[:-1], random.Random(4)
        for _ in range(mutations):
            path.write_bytes(b"\n".join(mutate_lines(dice, lines)))
            with suppress(JournalDamaged):
                entries = read_journal(path).entries
                broken += entries != all_entries[: len(entries)]
    return Outcome("cuts and changes", len(cuts) + mutations, broken, "longest valid prefix, or refused", "every time")


def try_full_disks(disks: int) -> Outcome:
    """Plays contests on small disks. A disk becomes full after a random number of bytes, and later has room again."""
    broken = waiting_contests = 0
    dice = random.Random(5)
    for _ in range(disks):
        with tempfile.TemporaryDirectory() as name, mounted_disk(disk := Path(name) / "disk"):
            contest = ContestOnFullDisk(disk, ballast=DISK_BYTES - dice.randrange(8, 40) * 1024 - dice.randrange(1024))
            asyncio.run(contest.play())
            recording = read_journal(contest.journal)
            waiting_contests += len(contest.counts_in_trouble) > 0
            broken += len(set(contest.counts_in_trouble)) > 1 or recording.entries != contest.bus.entries
            broken += not verify(recording.entries).finished
    figure = f"{waiting_contests} waited, all finished and verified"
    return Outcome("full disks", disks, broken + (waiting_contests < disks), figure, "nothing seen that is not on disk")


def try_kills(kills: int) -> Outcome:
    """Kills and resumes evenings (tournament and show) at least `kills` times. Compares them with an unbroken run."""
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        folder = Path(name)
        without_the_last_hand = play_contest(5, BOTS)[:-60]
        seconds = _time_resuming(write(folder / "long.jsonl", without_the_last_hand))
        right_events, ended = baseline_events(folder), list(killed_evenings(folder, kills))
        broken = sum(deterministic_events(journal) != right_events for journal, _ in ended)
    kill_count = sum(times for _, times in ended)
    figure = f"{len(ended)} evenings ended the same, resumed in {seconds:.2f} s"
    return Outcome("kills", kill_count, broken + (seconds > MAX_RESUME_SECONDS), figure, "0 differences, within 2 s")


def _time_resuming(path: Path) -> float:
    """Measures how long it takes to read and replay a journal, until the contest can continue."""

    async def stop() -> None:  # the director awaits this gate before each hand
        raise StopAsyncIteration

    started_at = time.perf_counter()
    bus = Bus(None, time.monotonic)
    bus.load(read_journal(path).entries)
    entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot % 9}") for bot in range(1, BOTS + 1)]
    purse = standard_prizes(500 * BOTS)
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=SEED, bus=bus, gate=stop, prizes_cents=purse)
    with suppress(StopAsyncIteration):
        asyncio.run(director.run())
    return time.perf_counter() - started_at


if __name__ == "__main__":
    _publish(sys.argv[1], int(sys.argv[2]), lambda _: os.write(1, b"seen"))  # the process that strace records
