"""What does an evening cost: seconds until it is on air, processor time at show pace, memory with 500 bots? How soon
are 5,000 viewers back when the studio is killed? Peers: the start of a bare web server; 12 bots; the table before.

Goals: the first hand on air within 2 s, all viewers back within 3 s, no bot late. Run: `make bench BENCH=evening`;
shorter: `ARGS="--seconds 20 --bots 100 --viewers 500"`.
"""

import asyncio
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from websockets.asyncio.client import connect

from server.game.events import ActionTaken, FaultNoted
from server.journal.journal import read_journal
from tests.bench.common.crowd import Viewers, built
from tests.bench.common.scales import family, options, print_machine, processor_seconds
from tests.end_to_end.remote_bots import RemoteBots
from tests.support.source_files import ROOT

HOUR = 3600.0
STARTS = 3
QUIET_SECONDS = 10.0
"""How long the table is measured before and after the studio is killed."""
PAGES = re.compile(r"http://(127\.0\.0\.1:\d+)/(?:projector|recordings)")
REGISTER = re.compile(r"http://127\.0\.0\.1:(\d+)/register")
BARE = """
import asyncio, fastapi, uvicorn, socket
listener = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listener.getsockname()[1]}/projector", flush=True)
asyncio.run(uvicorn.Server(uvicorn.Config(fastapi.FastAPI(), log_level="critical")).serve([listener]))
"""


class Program:
    """A serving program, from its start."""

    def __init__(self, *words: str) -> None:
        self.begun = time.monotonic()
        self.process = subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True)

    def said(self, *words: re.Pattern[str]) -> list[str]:
        """The first group of each pattern in `words`, found in its output."""
        assert self.process.stdout
        found = [""] * len(words)
        for line in self.process.stdout:
            found = [
                one or (match[1] if (match := each.search(line)) else "")
                for one, each in zip(found, words, strict=True)
            ]
            if all(found):
                return found
        raise AssertionError("it ended before it printed its address: see above")

    def processes(self) -> Iterator[tuple[int, str]]:
        """Its processes with their names. Of two studios the younger is the spare one."""
        names = {"server": iter(["table"]), "studio.process": iter(["studio", "next studio"])}
        for pid in sorted(family(self.process.pid)):
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            module = command[2].removeprefix("server.app.").removeprefix("server.") if "-m" in command else command[0]
            yield pid, next(names.get(module, iter(())), module)


@contextmanager
def program(*words: str, end: signal.Signals = signal.SIGINT) -> Iterator[Program]:
    """A program that ends with the `with` block."""
    running = Program(*words)
    try:
        yield running
    finally:
        running.process.send_signal(end)
        running.process.communicate(timeout=60)


@contextmanager
def evening(folder: Path, bots: int, pace: float) -> Iterator[tuple[Program, str]]:
    """A tournament of `bots` bots that starts at once, and the address of its pages."""
    names = {f"Bot {number}": f"the-secret-of-bot-{number}" for number in range(1, bots + 1)}
    entries = "".join(
        f'[[entries]]\nplayer = "Player {number}"\nremote = true\nbot = "{name}"\nsecret = "{secret}"\n'
        for number, (name, secret) in enumerate(names.items(), 1)
    )
    folder.mkdir()
    event = folder / "event.toml"
    event.write_text(
        f'name = "Evening"\ndate = 2026-11-21\npace = {pace}\nstart = "bots"\ndata = "data"\n'
        f"[ports]\npages = 0\nregister = 0\n{entries}"
    )
    with program("-m", "server", "tournament", str(event)) as ours:
        pages, register = ours.said(PAGES, REGISTER)
        with RemoteBots(int(register), names, wild=0.3):
            yield ours, pages


async def on_air(address: str, kind: str) -> None:
    """Returns once an entry of that kind has been on air; for a hand, also if the picture already shows one."""
    async with connect(f"ws://{address}/ws/show?channel=main&after=0&epoch=") as socket:
        async for text in socket:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == kind or (kind == "hand_started" and (message.get("state") or {}).get("hand")):
                return


def start(folder: Path) -> tuple[float, float]:
    """Seconds from the command to its first hand on air, and to the pages of a bare server."""
    with evening(folder, 12, 0) as (ours, address):
        asyncio.run(on_air(address, "hand_started"))
        took = time.monotonic() - ours.begun
    with program("-c", BARE, end=signal.SIGKILL) as peer:
        peer.said(PAGES)
        return took, time.monotonic() - peer.begun


async def at_pace(ours: Program, address: str, seconds: float) -> None:
    """Prints how much of a processor each process of a show uses, with one viewer."""

    async def watch() -> None:
        async with connect(f"ws://{address}/ws/show?channel=main&after=0&epoch=") as socket:
            async for _ in socket:
                pass

    await on_air(address, "hand_started")
    watching = asyncio.create_task(watch())
    there = dict(ours.processes())
    before, begun = {pid: processor_seconds(pid) for pid in there}, time.monotonic()
    await asyncio.sleep(seconds)
    took = time.monotonic() - begun
    shares = {what: (processor_seconds(pid) - before[pid]) / took for pid, what in there.items()}
    watching.cancel()
    parts = ", ".join(f"{what} {share:.1%}" for what, share in shares.items())
    whole = sum(shares.values())
    print(f"at the pace of a show: {whole:.1%} of a processor, {whole * 2 * HOUR:.0f} s in two hours: {parts}")


def killed_studio(ours: Program, address: str, folder: Path, count: int) -> None:
    """Prints how soon the viewers of a killed studio are back, and how long the table waited before and meanwhile."""
    asyncio.run(on_air(address, "hand_ended"))
    viewers = Viewers(built(folder, "followers"), int(address.partition(":")[2]), count)
    studio = next(pid for pid, what in ours.processes() if what == "studio")
    time.sleep(QUIET_SECONDS)
    before = asked_ms(folder)
    os.kill(studio, signal.SIGKILL)
    came = viewers.survive()
    time.sleep(QUIET_SECONDS)
    viewers.close()
    meanwhile = asked_ms(folder)[len(before) :]
    print(
        f"{count:,} viewers of a killed studio: all have the picture of the next after {came.slowest / 1000:.2f} s"
        f" (goal 3); the slowest answer at the table took {max(before)} ms before, {max(meanwhile, default=0)} ms after"
        f" ({len(before)} and {len(meanwhile)} answers)"
    )


def asked_ms(folder: Path) -> list[int]:
    """The milliseconds of each bot's answer so far, as measured by the table. Bots answer at once."""
    (path,) = (folder / "data" / "recordings").glob("*.jsonl")
    events = [entry.event for entry in read_journal(path).entries]
    assert not [event for event in events if isinstance(event, FaultNoted)]
    return [event.think_ms for event in events if isinstance(event, ActionTaken)]


def _most(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1000 if found else 0.0


def main() -> None:
    flags = options(__doc__, seconds=30.0, bots=500, viewers=5_000)
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        folders = (Path(name, str(number)) for number in itertools.count())
        starts = [start(next(folders)) for _ in range(STARTS)]
        first, peer = min(each for each, _ in starts), min(each for _, each in starts)
        print(
            f"the first hand is on air after {first:.2f} s (goal 2), {first / peer:.1f} times as long as a bare server"
        )
        with evening(next(folders), 12, 1) as (ours, address):
            asyncio.run(at_pace(ours, address, flags.seconds))
        folder = next(folders)
        with evening(folder, 12, 5) as (ours, address):
            killed_studio(ours, address, folder, int(flags.viewers))
        for bots in (12, int(flags.bots)):
            begun = time.monotonic()
            with evening(next(folders), bots, 0) as (ours, address):
                asyncio.run(on_air(address, "tournament_ended"))
                most = ", ".join(f"{what} {_most(pid):.0f} MB" for pid, what in ours.processes())
            print(f"a tournament of {bots} bots in {time.monotonic() - begun:.0f} s takes {most}")


if __name__ == "__main__":
    main()
