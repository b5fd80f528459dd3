"""Many viewers of a show, played by one client in C, so that the client is not the bottleneck."""

import os
import subprocess
from pathlib import Path

from msgspec import Struct

COMMON = Path(__file__).parent
PATH = "/ws/show?channel=main&after=0&epoch="


class Heard(Struct, frozen=True):
    """How many messages the viewers received, and after how many milliseconds."""

    messages: int
    p50: float
    p99: float
    slowest: float


class Viewers:
    """`count` viewers of a server; the first `stalled` read nothing."""

    def __init__(self, program: Path, port: int, count: int, stalled: int = 0) -> None:
        self._process = subprocess.Popen(
            [program, str(port), str(count), str(stalled), PATH],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        os.sched_setaffinity(self._process.pid, {1})
        self._read_answer()

    def expect(self, messages: int) -> Heard:
        """Waits until each viewer has received `messages`; returns what they have received since the last call."""
        return self._ask(f"expect {messages}")

    def survive(self) -> Heard:
        """Waits until the server dies, then reconnects all viewers; `slowest` is when all have the picture."""
        return self._ask("survive")

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def _ask(self, order: str) -> Heard:
        assert self._process.stdin
        self._process.stdin.write(f"{order}\n")
        self._process.stdin.flush()
        return self._read_answer()

    def _read_answer(self) -> Heard:
        assert self._process.stdout
        words = self._process.stdout.readline().split()
        assert words, "the viewers have ended: see above"
        return Heard(int(words[1]), *map(float, words[2:]))


def build(folder: Path, name: str) -> Path:
    """Compiles a program of common/; returns its path."""
    program = folder / name
    subprocess.run(["cc", "-O2", "-o", program, COMMON / f"{name}.c"], check=True)
    return program
