"""Tools for benchmarks: options, percentiles, processor time, work for all processors, and outcomes of promises."""

import argparse
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from tests.support.source_files import ROOT

Result = TypeVar("Result")


def on_processor(pid: int) -> float:
    """Returns the seconds of processor time that a process has used; Linux only."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def percentile(values: Iterable[float], percent: int) -> float:
    """Returns the percentile `percent` of the values; 0 if there are no values."""
    ordered = sorted(values) or [0.0]
    return ordered[len(ordered) * percent // 100]


def print_machine() -> None:
    print(f"-- {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")


def options(description: str | None, **flags: float | str) -> argparse.Namespace:
    """Parses a benchmark's options and prints the machine.

    `flags` has the names and defaults of the options. Other options are ignored, because all benchmarks of a run get
    the same ones.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in flags.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, metavar="N", help=f"default {default}")
    print_machine()
    return parser.parse_known_args()[0]


def on_all_processors(work: Callable[[int], Result], shares: int, things: str, share: int) -> list[Result]:
    """Calls `work` with each number below `shares`, in as many processes as there are processors; returns the results.

    Prints a progress line with the number of `things` so far; each call of `work` makes `share` of them.
    """
    results: list[Result] = []
    started_at = time.monotonic()
    # Not "fork": it would copy locks that threads of earlier measurements hold.
    with ProcessPoolExecutor(mp_context=get_context("forkserver")) as pool:
        for number, result in enumerate(pool.map(work, range(shares)), 1):
            results.append(result)
            spent = time.monotonic() - started_at
            print(f"\r{number * share:12,} of {shares * share:,} {things}, {spent:5.0f} s", end="", flush=True)
    print()
    return results


class Outcome(Struct, frozen=True):
    """How often a promise was tried and broken, what was measured, and the goal."""

    tried: str
    """What was tried, such as "kills" or "pairs of decks"."""
    tries: int
    broken: int
    figure: str = ""
    goal: str = ""

    @property
    def holds(self) -> bool:
        return self.tries > 0 and self.broken == 0


def run_tests(times: int, *files: str, tried: str, figure: str, goal: str) -> Outcome:
    """Runs files of tests again and again, beside other work."""
    passed = broken = 0
    for _ in range(times):
        said = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *files], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout
        print(said, flush=True)
        passed += sum(map(int, re.findall(r"(\d+) passed", said)))
        broken += sum(map(int, re.findall(r"(\d+) (?:failed|error)", said)))
    return Outcome(tried, passed + broken, broken, figure, goal)
