"""Helps benchmarks to read options, measure, use all processors, and report whether the guide's promises hold."""

import argparse
import os
import platform
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

Result = TypeVar("Result")


def processor_seconds(pid: int) -> float:
    """Returns the processor time that a process has used, in seconds. Works only on Linux."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def percentile(values: Iterable[float], percent: int) -> float:
    """Raises IndexError if there are no values."""
    ordered = sorted(values)
    return ordered[len(ordered) * percent // 100]


def print_machine() -> None:
    print(f"-- {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")


def options(description: str | None, **flags: float | str) -> argparse.Namespace:
    """Parses a benchmark's options, and prints a line about the machine.

    `flags` has the names and defaults of the options. Other options are ignored, because all benchmarks of a run get
    the same options.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in flags.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, metavar="N", help=f"default {default}")
    print_machine()
    return parser.parse_known_args()[0]


def on_all_processors(work: Callable[[int], Result], call_count: int) -> list[Result]:
    """Calls `work` with each number from 0 to `call_count` - 1, on all processors. Returns the results in order."""
    # The method "fork" would copy locks that threads of earlier measurements hold.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, range(call_count)))


class Outcome(Struct, frozen=True):
    """How often a promise of the guide was tested, how often it was broken, what was measured, and the goal."""

    tried: str
    """What `tries` counts, such as "kills" or "pairs of decks"."""
    tries: int
    broken: int
    figure: str = ""
    goal: str = ""
