"""Many viewers of a show: a client in C, so that it is not what is measured, and what they received."""

import os
import subprocess
from pathlib import Path

from msgspec import Struct

COMMON = Path(__file__).parent
PATH = "/ws/show?channel=main&after=0&epoch="


class Heard(Struct, frozen=True):
    """What the viewers received: how many messages, and how soon, in milliseconds."""

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
        self._heard()

    def expect(self, messages: int) -> Heard:
        """What they have received since the last call, once each has received `messages`."""
        return self._ask(f"expect {messages}")

    def survive(self) -> Heard:
        """Waits until the server dies and reconnects all at once; the slowest is when the last has the picture."""
        return self._ask("survive")

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def _ask(self, order: str) -> Heard:
        assert self._process.stdin
        self._process.stdin.write(f"{order}\n")
        self._process.stdin.flush()
        return self._heard()

    def _heard(self) -> Heard:
        assert self._process.stdout
        words = self._process.stdout.readline().split()
        assert words, "the viewers have ended: see above"
        return Heard(int(words[1]), *map(float, words[2:]))


def built(folder: Path, name: str) -> Path:
    """A program of common/, compiled."""
    program = folder / name
    subprocess.run(["cc", "-O2", "-o", program, COMMON / f"{name}.c"], check=True)
    return program
