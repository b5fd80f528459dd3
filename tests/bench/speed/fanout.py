"""What do a message and a viewer cost the studio (web server), and how soon does a message arrive?

The studio is compared with a lower bound: the "floor", a C program that only writes ready-made frames. At full speed,
the two are measured alternately, so that a slow minute affects both. One client in C, on its own processor, plays all
viewers. `--flat` is the number of messages that are sent flat out, which means at full speed.
Run: `make bench BENCH=fanout ARGS="--flat 200 --viewers 2000"`.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil

from tests.bench.common.crowd import ObedientProgram, Viewers, compile_program
from tests.bench.common.scales import options, processor_seconds

MESSAGE_BYTES = "600"
KINDS = ("floor", "studio")
ROUNDS, RATE, SMALL_CROWD = 3, 20, 100
"""The number of rounds, the messages per second, and the number of viewers in a small crowd."""


class Server(ObedientProgram):
    """The floor or the studio. `folder` has the compiled programs."""

    def __init__(self, folder: Path, kind: str) -> None:
        program = (folder / "floor",) if kind == "floor" else (sys.executable, "-m", "tests.bench.common.fan_server")
        super().__init__((*program, MESSAGE_BYTES), processor=0)
        self.port = int(self.greeting)

    def go(self, count: int, per_second: int = 0, at_once: int = 1) -> tuple[float, float]:
        """Lets the server send `count` messages in groups of `at_once`. If `per_second` is 0, sends at full speed.

        Returns the seconds and the processor seconds that this took.
        """
        started_at, used = time.monotonic(), self.spent
        self.send_order(f"go {count} {per_second} {at_once}")
        seconds = time.monotonic() - started_at
        return seconds, self.spent - used

    @property
    def spent(self) -> float:
        """Waits until the server is idle. Returns the seconds of processor time that it has used."""
        used = -1.0
        while (now := processor_seconds(self.process.pid)) - used > 2e-4:
            used = now
            time.sleep(0.05)
        return now

    @property
    def kilobytes(self) -> float:
        return float(psutil.Process(self.process.pid).memory_info().rss) / 1000


@contextmanager
def serving(folder: Path, kind: str, count: int) -> Iterator[tuple[Server, Viewers]]:
    with closing(Server(folder, kind)) as server, closing(Viewers(folder / "followers", server.port, count)) as viewers:
        yield server, viewers


def delivery_cost(folder: Path, kind: str, messages: int, at_once: int = 1, count: int = 1_000) -> float:
    """Returns the microseconds of processor time for a message to one viewer when the server sends at full speed."""
    with serving(folder, kind, count) as (server, viewers):
        warm_up_count, message_count = (each // at_once * at_once for each in (messages // 4, messages))
        server.go(warm_up_count, 0, at_once)
        viewers.measure_reception(f"expect {warm_up_count}")
        _, used = server.go(message_count, 0, at_once)
        reception = viewers.measure_reception(f"expect {message_count}")
    assert reception.messages >= message_count * count, f"{kind}: some messages did not arrive"
    return used / reception.messages * 1e6


def print_full_speed(folder: Path, messages: int) -> None:
    """Prints the processor time for a message to one of 1,000 viewers. The best of ROUNDS rounds counts."""
    rounds = [[delivery_cost(folder, kind, messages) for kind in KINDS] for _ in range(ROUNDS)]
    floor, studio = map(min, zip(*rounds, strict=True))
    burst = min(delivery_cost(folder, "studio", messages * 4, at_once=16) for _ in range(ROUNDS))
    for what, found, goal in (("floor", floor, "1.00"), ("studio", studio, "1.10"), ("bursts of 16", burst, "0.15")):
        print(f"1,000 viewers, flat out: {what:12} {found:6.2f} us a delivery, {found / floor:.2f} times (goal {goal})")


def print_many_viewers(folder: Path, count: int, seconds: int) -> None:
    """Sends RATE messages per second to `count` viewers. Prints how many messages arrive, and how soon."""
    for kind in KINDS:
        with serving(folder, kind, count) as (server, viewers):
            took, used = server.go(RATE * seconds, RATE)
            reception = viewers.measure_reception(f"expect {RATE * seconds}")
        arrived = reception.messages / (RATE * seconds * count)
        times = f"p50 {reception.p50:.0f} ms, p99 {reception.p99:.0f} ms, slowest {reception.slowest:.0f} ms"
        print(f"{count:,} viewers, {RATE} a second: {kind:6} {arrived:7.2%} arrived, {times}, {used / took:.0%} busy")


def print_joining(folder: Path, large_crowd: int) -> None:
    """Prints the processor time for one more viewer in a small and in a large crowd, and the memory for each viewer."""
    for crowd_size in (SMALL_CROWD, large_crowd - SMALL_CROWD):  # SMALL_CROWD more viewers join each crowd.
        with closing(Server(folder, "studio")) as server:
            kilobytes_before = server.kilobytes
            with closing(Viewers(folder / "followers", server.port, crowd_size)):
                viewer_kilobytes, seconds_before = (server.kilobytes - kilobytes_before) / crowd_size, server.spent
                with closing(Viewers(folder / "followers", server.port, SMALL_CROWD)):
                    microseconds = (server.spent - seconds_before) / SMALL_CROWD * 1e6
        print(f"{crowd_size:,} viewers connected: one more costs {microseconds:.0f} us  (goal 500)", end="")
        print(f", a viewer takes {viewer_kilobytes:.1f} kB  (goal 22)" if crowd_size > SMALL_CROWD else "")


if __name__ == "__main__":
    flags = options(__doc__, flat=400, viewers=10_000, seconds=10)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compile_program(folder, "followers")
        compile_program(folder, "floor")
        print_full_speed(folder, flags.flat)
        print_many_viewers(folder, flags.viewers, flags.seconds)
        print_joining(folder, flags.viewers)
