"""How long does it take until one event is on the disk? The peers: the bare system calls, and SQLite.

Run: `make bench BENCH=journal`.
"""

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.game.events import ActionTaken
from server.journal.bus import Bus
from server.journal.journal import Entry, Journal, entry_body
from tests.bench.common.scales import options, print_machine

EVENT = ActionTaken(2, "raise", 200, 300, False, 1234)
LINE = entry_body(Entry(812, 734250, EVENT)) + b"\n"


def ours(folder: Path) -> Callable[[], object]:
    bus = Bus(Journal(folder / "ours.journal"), time.monotonic)
    return lambda: bus.publish(EVENT)


def bare(folder: Path) -> Callable[[], object]:
    file = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def append() -> None:
        os.write(file, LINE)
        os.fdatasync(file)

    return append


def sqlites(folder: Path) -> Callable[[], object]:
    database = sqlite3.connect(folder / "sqlite", isolation_level=None)
    database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE log (line BLOB);")
    return lambda: database.execute("INSERT INTO log VALUES (?)", (LINE,))


def milliseconds(append: Callable[[], object]) -> float:
    begun = time.perf_counter()
    append()
    return (time.perf_counter() - begun) * 1000


def spent(folder: Path, events: int) -> dict[str, list[float]]:
    """Milliseconds that each writer takes for one event after the other, sorted."""
    writers = {"ours": ours(folder), "write + fdatasync": bare(folder), "SQLite, WAL": sqlites(folder)}
    times: dict[str, list[float]] = {writer: [] for writer in writers}
    for _ in range(events):  # in turns, so that all see the same disk
        for writer, append in writers.items():
            times[writer].append(milliseconds(append))
    return {writer: sorted(each) for writer, each in times.items()}


if __name__ == "__main__":
    flags = options(__doc__, events=5_000)
    print_machine()
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        times = spent(Path(name), flags.events)
    floor = times["write + fdatasync"]
    for writer, each in times.items():
        p50, p99 = each[len(each) // 2], each[len(each) * 99 // 100]
        ratio = p50 / floor[len(floor) // 2]
        aim = "  (goal p99 below 1 ms)" if writer == "ours" else ""
        print(f"{writer:18} p50 {p50:6.3f} ms   p99 {p99:6.3f} ms   {ratio:.2f}x the bare calls{aim}")
