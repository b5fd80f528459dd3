"""Runs a C program that acts as many viewers of a show. A Python program would be too slow for the benchmark."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from tests.support.source_files import ROOT


class Reception(Struct, frozen=True):
    """The number of messages that viewers received, and the delays of these messages in milliseconds."""

    messages: int
    p50: float
    p99: float
    slowest: float


class ObedientProgram:
    """A program that runs on one processor. It obeys each line on its standard input, and answers with one line."""

    def __init__(self, command: Sequence[str | Path], processor: int) -> None:
        pipe, environment = subprocess.PIPE, {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)
        os.sched_setaffinity(self.process.pid, {processor})
        self.greeting = self._read_line()

    def send_order(self, order: str) -> str:
        assert self.process.stdin
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()
        return self._read_line()

    def _read_line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the program has ended, and its last output is above"
        return line

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


class Viewers(ObedientProgram):
    def __init__(self, program: Path, port: int, count: int) -> None:
        super().__init__([program, str(port), str(count), "/ws/show?channel=main&after=0&epoch="], processor=1)

    def measure_reception(self, order: str) -> Reception:
        """Sends an order to the program. Returns what the viewers have received since the previous order."""
        _, messages, *times = self.send_order(order).split()
        return Reception(int(messages), *map(float, times))


def compile_program(folder: Path, name: str) -> Path:
    subprocess.run(["cc", "-O2", "-o", folder / name, Path(__file__).with_name(f"{name}.c")], check=True)
    return folder / name
