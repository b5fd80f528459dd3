"""`python -m tests.bench PATTERN [ARGS]`: runs benchmarks one after the other, each in a process of its own.

At the end it prints one table: the figures of each, how long it took and how it ended, with the machine. Its exit
status is 1 if one crashed or missed a goal that must hold, 2 if none has that name.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.common.scales import print_machine

HERE = Path(__file__).parent
FIGURE = re.compile(r"^\| |goal|peer|\d(?:\.\d+)?x\b|\d times|\d ?%|\d MB")
ALL = "*"
PROMISED = {"judge"}
"""Benchmarks that are part of promises, so they are left out when all run."""
CRASH = "Traceback (most recent call last):"


class Ran(Struct, frozen=True):
    """One benchmark that has ended: its exit status, its time, and the lines that it printed, errors among them."""

    name: str
    status: int
    seconds: float
    lines: list[str]

    @property
    def end(self) -> str:
        """How it ended, in words."""
        if not self.status:
            return "done"
        return "CRASHED" if self.status != 1 or CRASH in self.lines else "MISSED A GOAL"


def run(path: Path, arguments: list[str]) -> Ran:
    """Runs one benchmark and passes on its output."""
    print(f"==> {path.relative_to(HERE.parents[1])}", flush=True)
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "PYTHONUNBUFFERED": "1"}
    command, begun = [sys.executable, str(path), *arguments], time.monotonic()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout
        said = []
        for line in process.stdout:
            print(line, end="", flush=True)
            said.append(line.rpartition("\r")[2].rstrip())
    return Ran(path.stem, process.returncode, time.monotonic() - begun, said)


def chosen(pattern: str) -> list[Path]:
    """The benchmarks whose names fit `pattern`."""
    left_out = PROMISED if pattern == ALL else set[str]()
    return sorted(path for path in HERE.glob(f"{pattern}.py") if path.stem not in {"__main__", *left_out})


def main(pattern: str, *arguments: str) -> int:
    """Runs the benchmarks whose names fit `pattern`, each with the same arguments; returns the status."""
    paths = chosen(pattern)
    if not paths:
        there = ", ".join(sorted(path.stem for path in HERE.glob("[!_]*.py")))
        print(f"There is no benchmark {pattern}; there are {there}")
        return 2
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs inherit it as ignored
    ended = [run(path, list(arguments)) for path in paths]
    print("\n==> all figures")
    print_machine()
    for ran in ended:
        figures = [line for line in ran.lines if FIGURE.search(line)]
        print("\n".join(f"{ran.name:16} {line}" for line in figures), end="\n" if figures else "")
    print("\n==> all benchmarks")
    print("\n".join(f"{ran.name:16} {ran.seconds:6.0f} s   {ran.end}" for ran in ended))
    print(f"{'in all':16} {sum(ran.seconds for ran in ended):6.0f} s")
    return int(any(ran.status for ran in ended))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
