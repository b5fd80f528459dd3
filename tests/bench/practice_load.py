"""How many practice games at once can the practice server bear, and how long do its bots wait for it?

500 bots take turns in 100 games at once, each with an address of its own, at tables of five: so 500 bots are seated.
Goals: 200 hands a second on two processors where house bots act at once; p99 of our share of a turn under 20 ms.
Run: `make bench BENCH=practice_load ARGS="--seconds 30"`.
"""

import multiprocessing
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.game.events import ActionTaken, GameStarted
from server.journal.journal import read_journal
from tests.bench.common.practice_bots import Load, Played, play
from tests.bench.common.scales import family, options, print_machine, processor_seconds
from tests.support.program import serving_program

GOAL_HANDS, GOAL_MS = 200, 20


def played(load: Load, pid: int) -> tuple[Played, list[float]]:
    """What the bots saw, and how many processors each process of the server used."""
    ours, theirs = multiprocessing.Pipe()
    bots = multiprocessing.get_context("spawn").Process(target=play, args=(load, theirs), daemon=True)
    bots.start()
    time.sleep(load.warm_seconds)
    begun, at = {each: processor_seconds(each) for each in family(pid)}, time.monotonic()
    time.sleep(load.seconds)
    spent = time.monotonic() - at
    busy = [(processor_seconds(each) - before) / spent for each, before in begun.items()]
    came = ours.recv()
    bots.join()
    return came, busy


def print_load(what: str, load: Load, came: Played, busy: list[float]) -> tuple[float, float]:
    """Prints a line; returns hands a second and the 99th percentile of our share of a turn, in milliseconds."""
    shares = sorted(came.shares_ms) or [0.0]
    hands, half, most = came.hands / load.seconds, shares[len(shares) // 2], shares[len(shares) * 99 // 100]
    print(
        f"{what:22} {hands:5.0f} hands/s, {hands / sum(busy):5.0f} for each second of a processor   "
        f"share of a turn: p50 {half:5.1f} ms, p99 {most:5.1f} ms   busy {' + '.join(f'{each:.2f}' for each in busy)}"
        f"{f'   {came.refused} refused' if came.refused else ''}",
        flush=True,
    )
    return hands, most


def judged_late(recordings: Path) -> int:
    """In how many turns a bot that answers at once was judged late."""
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
            threading.Thread(target=server.process.stdout.read, daemon=True).start()  # else a full pipe blocks it
            load = Load(server.port, flags.tables, flags.bots, flags.seats, thinks, flags.warm, flags.seconds)
            hands, share = print_load(what, load, *played(load, server.process.pid))
            late = judged_late(Path(data) / "recordings" / "practice")
            goal = f"{least} hands/s, " if least else ""
            print(f"{'':22} {late} turns judged late   (goal: {goal}p99 under {GOAL_MS} ms, none late)", flush=True)
            good &= hands >= least and share < GOAL_MS and not late
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
