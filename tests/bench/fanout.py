"""What does one message to one viewer cost the studio, how soon does it arrive, and what else does a viewer cost?

Peers, in the same run and each in its own process: a lower bound ("floor") in C that writes ready-made frames, and
`websockets.broadcast`. At full speed they take turns, so that a slow minute of the machine affects all alike. One
client in C plays all viewers. The server and the client have a processor each. The message has 600 bytes.

Run: `make bench BENCH=fanout`; shorter: `ARGS="--flat 200 --viewers 2000"`.
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.bench.common.crowd import ObedientProgram, Viewers, build
from tests.bench.common.scales import on_processor, options, print_machine, resident

MESSAGE_BYTES = 600
BURST = 16
"""The number of messages that are sent together."""
KINDS = ("floor", "ours", "one by one", "websockets")
"""The servers. "one by one" is our server without io_uring."""


class Server(ObedientProgram):
    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command, processor=0)
        self.port = int(self.read_line())

    def go(self, count: int, a_second: int = 0, at_once: int = 1) -> tuple[float, float]:
        """Makes the server send `count` messages; returns the seconds, and the seconds of processor time."""
        begun, used = time.monotonic(), self.spent
        self.send_order(f"go {count} {a_second} {at_once}")
        seconds = time.monotonic() - begun
        return seconds, self.spent - used

    @property
    def spent(self) -> float:
        """The seconds of processor time that the server has used once it is idle."""
        used = -1.0
        while (now := on_processor(self.process.pid)) - used > 2e-4:
            used = now
            time.sleep(0.05)
        return now

    @property
    def kilobytes(self) -> float:
        return resident(self.process.pid) / 1000


class Bench:
    """The measurements. `folder` is for compiled programs."""

    def __init__(self, folder: Path) -> None:
        self.client = build(folder, "followers")
        size = str(MESSAGE_BYTES)
        ours = (sys.executable, "-m", "tests.bench.common.fan_server", size)
        self._commands = {
            "floor": (str(build(folder, "floor")), size),
            "websockets": (sys.executable, "-m", "tests.bench.common.fan_websockets", size),
            "ours": (*ours, "best"),
            "one by one": (*ours, "one-by-one"),
        }

    def server(self, kind: str) -> "closing[Server]":
        return closing(Server(self._commands[kind]))

    def viewers(self, server: Server, count: int) -> "closing[Viewers]":
        return closing(Viewers(self.client, server.port, count))

    def cost(self, kind: str, messages: int, at_once: int, count: int = 1_000) -> float:
        """Returns the processor time for one message to one viewer, in microseconds.

        Messages are sent as fast as possible, `at_once` of them together.
        """
        with self.server(kind) as server, self.viewers(server, count) as viewers:
            server.go(messages // 4, 0, at_once)
            viewers.expect(messages // 4 // at_once * at_once)
            _, used = server.go(messages, 0, at_once)
            heard = viewers.expect(messages // at_once * at_once)
            assert heard.messages >= messages // at_once * at_once * count, f"{kind}: some messages did not arrive"
            return used / heard.messages * 1e6

    def print_full_speed(self, messages: int, turns: int = 3) -> None:
        """Prints what a message to one of 1,000 viewers costs: the best of `turns`."""
        costs = [{kind: self.cost(kind, messages, 1) for kind in KINDS} for _ in range(turns)]
        best = {kind: min(each[kind] for each in costs) for kind in KINDS}
        burst = min(self.cost("ours", messages * 4 // BURST * BURST, BURST) for _ in range(turns))
        for kind, cost in best.items():
            times = cost / best["floor"]
            print(f"1,000 viewers, flat out: {kind:10} {cost:6.2f} us a delivery, {times:.2f} times the floor")
        share = burst / best["floor"]
        print(f"1,000 viewers, bursts of {BURST}: ours {burst:6.2f} us a delivery, {share:.2f} times (goal 0.15)")

    def print_many_viewers(self, count: int, seconds: int, a_second: int = 20) -> None:
        """Prints how `count` viewers get `a_second` messages per second from one processor."""
        for kind in KINDS:
            with self.server(kind) as server, self.viewers(server, count) as viewers:
                took, used = server.go(a_second * seconds, a_second)
                heard = viewers.expect(a_second * seconds)
            whole = heard.messages / (a_second * seconds * count)
            print(
                f"{count:,} viewers, {a_second} a second: {kind:10} {whole:7.2%} arrived, p50 {heard.p50:.0f} ms, "
                f"p99 {heard.p99:.0f} ms, slowest {heard.slowest:.0f} ms, {used / took:.0%} of a processor"
            )

    def print_joining(self, most: int) -> None:
        """Prints what a new connection costs, and how much memory a viewer takes."""
        for present in (100, most):
            with self.server("ours") as server:
                before = server.kilobytes
                others = Viewers(self.client, server.port, present) if present > 100 else None
                took = (server.kilobytes - before) / present
                used = server.spent
                more = Viewers(self.client, server.port, 100)
                cost = (server.spent - used) / 100 * 1e6
                print(f"{present:,} viewers connected: one more costs {cost:.0f} us  (goal 500)", end="")
                print(f", a viewer takes {took:.1f} kB  (goal 22)" if others else "")
                for each in filter(None, (more, others)):
                    each.close()


if __name__ == "__main__":
    flags = options(__doc__, flat=400, viewers=10_000, seconds=10)
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name))
        bench.print_full_speed(int(flags.flat))
        bench.print_many_viewers(int(flags.viewers), int(flags.seconds))
        bench.print_joining(int(flags.viewers))
