"""How many simultaneous games can the practice server run, and how long do its bots wait for it?

500 bots, each with an address of its own, take turns in 100 simultaneous games at tables of five, so 500 seats are
taken. Goals: 200 hands per second on two processors if house bots act at once; the server's share of a turn is under
20 ms (p99). Run: `make bench BENCH=practice_load ARGS="--seconds 30"`.
"""

import multiprocessing
import sys
import tempfile
import threading
import time
from pathlib import Path

from server.game.events import ActionTaken, GameStarted
from server.journal.journal import read_journal
from tests.bench.common.practice_bots import Load, Played, play
from tests.bench.common.scales import family, options, print_machine, processor_seconds
from tests.support.program import serving_program

GOAL_HANDS, GOAL_MS = 200, 20


def measure(load: Load, pid: int) -> tuple[Played, list[float]]:
    """Lets the bots play; returns what they saw, and how many processors each process of the server used."""
    ours, theirs = multiprocessing.Pipe()
    bots = multiprocessing.get_context("spawn").Process(target=play, args=(load, theirs), daemon=True)
    bots.start()
    time.sleep(load.warm_seconds)
    begun, at = {each: processor_seconds(each) for each in family(pid)}, time.monotonic()
    time.sleep(load.seconds)
    spent = time.monotonic() - at
    busy = [(processor_seconds(each) - before) / spent for each, before in begun.items()]
    played: Played = ours.recv()
    bots.join()
    return played, busy


def print_load(what: str, load: Load, played: Played, busy: list[float]) -> tuple[float, float]:
    """Prints a line; returns the hands per second, and the p99 of the server's share of a turn in milliseconds."""
    shares = sorted(played.shares_ms) or [0.0]
    hands, half, most = played.hands / load.seconds, shares[len(shares) // 2], shares[len(shares) * 99 // 100]
    print(
        f"{what:22} {hands:5.0f} hands/s, {hands / sum(busy):5.0f} for each second of a processor   "
        f"share of a turn: p50 {half:5.1f} ms, p99 {most:5.1f} ms   busy {' + '.join(f'{each:.2f}' for each in busy)}"
        f"{f'   {played.refused} refused' if played.refused else ''}",
        flush=True,
    )
    return hands, most


def count_late_turns(recordings: Path) -> int:
    """Counts the turns in which a bot that answers at once was judged late."""
    late = 0
    for path in recordings.glob("*.jsonl"):
        seat = -1
        for entry in read_journal(path).entries:
            if isinstance(entry.event, GameStarted):
                seat = entry.event.seats.index(1)
            elif isinstance(entry.event, ActionTaken) and entry.event.seat == seat:
                late += entry.event.fault == "timeout"
    return late


def main() -> int:
    flags = options(__doc__, seconds=20.0, warm=8.0, tables=100, bots=500, seats=5, thinks=60)
    print_machine()

    good = True
    for what, thinks, least in (("house bots think", flags.thinks, 0), ("house bots act at once", 0, GOAL_HANDS)):
        with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data) as server:
            assert server.process.stdout
            # A full pipe would block the server.
            threading.Thread(target=server.process.stdout.read, daemon=True).start()
            load = Load(server.port, flags.tables, flags.bots, flags.seats, thinks, flags.warm, flags.seconds)
            hands, share = print_load(what, load, *measure(load, server.process.pid))
            late = count_late_turns(Path(data) / "recordings" / "practice")
            goal = f"{least} hands/s, " if least else ""
            print(f"{'':22} {late} turns judged late   (goal: {goal}p99 under {GOAL_MS} ms, none late)", flush=True)
            good &= hands >= least and share < GOAL_MS and not late
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
