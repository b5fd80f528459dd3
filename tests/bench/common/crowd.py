"""Many viewers of a show, played by one client in C, so that the client is not the bottleneck."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from tests.support.source_files import ROOT

COMMON = Path(__file__).parent
PATH = "/ws/show?channel=main&after=0&epoch="


class Heard(Struct, frozen=True):
    """How many messages the viewers received, and the milliseconds until they received them."""

    messages: int
    p50: float
    p99: float
    slowest: float


class ObedientProgram:
    """A program that runs on one processor, obeys lines on its standard input, and answers each with a line."""

    def __init__(self, command: Sequence[str | Path], processor: int) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        os.sched_setaffinity(self.process.pid, {processor})

    def send_order(self, order: str) -> str:
        """Sends an order; returns the answer."""
        assert self.process.stdin
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()
        return self.read_line()

    def read_line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the program has ended; its last output is above"
        return line

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


class Viewers(ObedientProgram):
    """`count` viewers of a server."""

    def __init__(self, program: Path, port: int, count: int) -> None:
        super().__init__([program, str(port), str(count), PATH], processor=1)
        self.read_line()

    def expect(self, messages: int) -> Heard:
        """Waits until each viewer has received `messages`; returns what they have received since the last call."""
        return _heard(self.send_order(f"expect {messages}"))

    def reconnect_after_death(self) -> Heard:
        """Waits until the server dies, then reconnects all viewers; returns when they have the picture again."""
        return _heard(self.send_order("survive"))


def _heard(answer: str) -> Heard:
    words = answer.split()
    return Heard(int(words[1]), *map(float, words[2:]))


def build(folder: Path, name: str) -> Path:
    """Compiles a program of common/; returns its path."""
    program = folder / name
    subprocess.run(["cc", "-O2", "-o", program, COMMON / f"{name}.c"], check=True)
    return program
