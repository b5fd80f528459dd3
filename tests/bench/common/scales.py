"""Tools for benchmarks: options, what processes use, and rates of our code and a peer, measured alternately."""

import argparse
import os
import platform
import re
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")
Work = Callable[[int], object]
"""A function that does as many pieces of work as its argument says."""


def rate(work: Work, seconds: float) -> float:
    """Works for about `seconds`; returns the pieces of work per second."""
    pieces, spent = 1, 0.0
    while spent < seconds / 4:
        pieces *= 2
        spent = time_work(work, pieces)
    pieces = max(1, int(pieces * seconds / spent))
    return pieces / time_work(work, pieces)


def time_work(work: Work, pieces: int) -> float:
    """Returns the seconds of processor time that `pieces` of `work` take."""
    begun = time.process_time()
    work(pieces)
    return time.process_time() - begun


def on_processor(pid: int) -> float:
    """Returns the seconds of processor time that a process has used; Linux only."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def processor_seconds(pid: int) -> float:
    """Returns the seconds of processor time that the live threads of a process have used; Linux only."""
    return sum(on_processor(int(thread.name)) for thread in Path(f"/proc/{pid}/task").iterdir())


def resident(pid: int) -> int:
    """Returns the resident memory of a process, in bytes; Linux only."""
    found = re.search(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found, f"process {pid} has ended"
    return int(found[1]) * 1024


def open_files(pid: int) -> int:
    """Returns how many files and sockets a process has open; Linux only."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def family(pid: int) -> list[int]:
    """Returns the ids of a process and its children; Linux only."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def side_by_side(ours: Work, peer: Work, seconds: float, turns: int = 3) -> tuple[float, float]:
    """Returns the best rates of our code and of the peer, measured alternately for about `seconds` in all."""
    share = seconds / turns / 2
    measured = [(rate(ours, share), rate(peer, share)) for _ in range(turns)]
    return max(ours for ours, _ in measured), max(peer for _, peer in measured)


def print_ratio(what: str, per: str, peer: str, rates: tuple[float, float], goal: str = "") -> None:
    """Prints both rates, ours first, and their ratio."""
    aim = f"  (goal {goal})" if goal else ""
    print(f"{what:24} ours {rates[0]:11,.0f} {per}   {peer} {rates[1]:11,.0f} {per}   {rates[0] / rates[1]:.1f}x{aim}")


def print_machine() -> None:
    print(f"-- {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")


def options(description: str | None, **flags: float | str) -> argparse.Namespace:
    """Parses the options of a benchmark, whose names and defaults are `flags`.

    Ignores all others, because the same options are given to all benchmarks of a run.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in flags.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, metavar="N", help=f"default {default}")
    return parser.parse_known_args()[0]


def in_all_processors(work: Callable[[int], Result], shares: int, things: str, share: int) -> list[Result]:
    """Calls `work` with each number below `shares`, in as many processes as there are processors; returns the results.

    Prints a progress line with the number of `things` so far; each call of `work` makes `share` of them.
    """
    results: list[Result] = []
    begun = time.monotonic()
    # Not "fork": it would copy locks that threads of earlier measurements hold.
    with ProcessPoolExecutor(mp_context=get_context("forkserver")) as pool:
        for number, result in enumerate(pool.map(work, range(shares)), 1):
            results.append(result)
            spent = time.monotonic() - begun
            print(f"\r{number * share:12,} of {shares * share:,} {things}, {spent:5.0f} s", end="", flush=True)
    print()
    return results
