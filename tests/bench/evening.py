"""What does an evening cost, and how soon are 5,000 viewers back after the studio is killed?

Measures the seconds until the first hand is on air, the processor time at the pace of a show, and the memory with 500
bots. The peers are the start of a minimal web server, a tournament of 12 bots, and the table before the kill. The goals
are that the first hand is on air within 2 s, that all viewers are back within 3 s, and that no bot is late.
Run: `make bench BENCH=evening`; shorter: `ARGS="--seconds 20 --bots 100 --viewers 500"`.
"""

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from server.game.events import ActionTaken, FaultNoted
from tests.bench.common.crowd import Viewers, build
from tests.bench.common.scales import family, options, processor_seconds
from tests.end_to_end.evening import EventFolder, Terminal, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.support.program import command_of
from tests.support.recordings import of_kind

HOUR = 3600.0
STARTS = 3
QUIET_SECONDS = 10.0
"""How long the table is measured before and after the kill."""
MINIMAL_SERVER = """
import asyncio, fastapi, uvicorn, socket
listener = socket.create_server(("127.0.0.1", 0))
print("serving", flush=True)
asyncio.run(uvicorn.Server(uvicorn.Config(fastapi.FastAPI(), log_level="critical")).serve([listener]))
"""


@contextmanager
def evening(folder: Path, bots: int, speed: float) -> Iterator[tuple[EventFolder, Terminal]]:
    """Runs a tournament of `bots` bots, which starts at once."""
    secrets = secrets_of([f"Bot-{number}" for number in range(1, bots + 1)])
    event_folder = write_evening(folder, secrets)
    with tournament(event_folder, "--speed", f"{speed}") as terminal:
        terminal.wait_for_output("projector")
        with RemoteBots(event_folder.register, secrets, wild=0.3):
            yield event_folder, terminal


def processes(terminal: Terminal) -> dict[int, str]:
    """Returns the process ids of the table and its studios, with their names. The younger studio is the spare."""
    table = terminal.process.pid
    studios = sorted(pid for pid in family(table) if b"server.app.studio.process" in command_of(pid))
    return {table: "table", **dict(zip(studios, ("studio", "next studio"), strict=False))}


async def wait_until_on_air(event_folder: EventFolder, kind: str) -> None:
    """Waits until an entry of the type `kind` is on air; for "hand_started", a hand in the picture is enough."""
    async with connect(f"ws://127.0.0.1:{event_folder.pages}/ws/show?channel=main&after=0&epoch=") as socket:
        async for text in socket:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == kind or (kind == "hand_started" and (message.get("state") or {}).get("hand")):
                return


def time_start(folder: Path) -> tuple[float, float]:
    """Returns the seconds from the command until its first hand is on air, and until a minimal server listens."""
    begun = time.monotonic()
    with evening(folder, 12, 0) as (event_folder, _):
        asyncio.run(wait_until_on_air(event_folder, "hand_started"))
        took = time.monotonic() - begun
    begun = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", MINIMAL_SERVER], stdout=subprocess.PIPE, text=True) as peer:
        assert peer.stdout
        peer.stdout.readline()
        peer.kill()
        return took, time.monotonic() - begun


async def print_processor_use(event_folder: EventFolder, terminal: Terminal, seconds: float) -> None:
    """Prints how much processor time the table and the studio use for a show with one viewer."""
    await wait_until_on_air(event_folder, "hand_started")
    watching = asyncio.create_task(wait_until_on_air(event_folder, "nothing"))
    names = processes(terminal)
    before, begun = {pid: processor_seconds(pid) for pid in names}, time.monotonic()
    await asyncio.sleep(seconds)
    took = time.monotonic() - begun
    shares = {what: (processor_seconds(pid) - before[pid]) / took for pid, what in names.items()}
    watching.cancel()
    parts, whole = ", ".join(f"{what} {share:.1%}" for what, share in shares.items()), sum(shares.values())
    print(f"at the pace of a show: {whole:.1%} of a processor, {whole * 2 * HOUR:.0f} s in two hours: {parts}")


def print_recovery(event_folder: EventFolder, terminal: Terminal, count: int) -> None:
    """Kills the studio; prints how soon its viewers are back, and how long the table's slowest answers took."""
    asyncio.run(wait_until_on_air(event_folder, "hand_ended"))
    viewers = Viewers(build(event_folder.data, "followers"), event_folder.pages, count)
    time.sleep(QUIET_SECONDS)
    before = answer_times(event_folder)
    os.kill(terminal.studio, signal.SIGKILL)
    back = viewers.hear("survive").slowest / 1000
    time.sleep(QUIET_SECONDS)
    viewers.close()
    meanwhile = answer_times(event_folder)[len(before) :]
    print(f"{count:,} viewers of a killed studio: all have the next one's picture after {back:.2f} s (goal 3)")
    print(f"the slowest answer at the table took {max(before)} ms before, {max(meanwhile, default=0)} ms after")


def answer_times(event_folder: EventFolder) -> list[int]:
    """Returns the milliseconds of each answer so far, as measured by the table. The bots answer at once."""
    assert not of_kind(event_folder.entries, FaultNoted)
    return [event.think_ms for event in of_kind(event_folder.entries, ActionTaken)]


def peak_mb(pid: int) -> int:
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]) // 1000


def main() -> None:
    flags = options(__doc__, seconds=30.0, bots=500, viewers=5_000)
    with tempfile.TemporaryDirectory() as name:
        folders = (Path(name, str(number)) for number in itertools.count())
        starts = [time_start(next(folders)) for _ in range(STARTS)]
        first, peer = min(each for each, _ in starts), min(each for _, each in starts)
        print(f"the first hand is on air after {first:.2f} s (goal 2), {first / peer:.1f} times a bare server's start")
        with evening(next(folders), 12, 1) as running:
            asyncio.run(print_processor_use(*running, flags.seconds))
        with evening(next(folders), 12, 5) as running:
            print_recovery(*running, flags.viewers)
        for bots in (12, flags.bots):
            begun = time.monotonic()
            with evening(next(folders), bots, 0) as (event_folder, terminal):
                asyncio.run(wait_until_on_air(event_folder, "tournament_ended"))
                most = ", ".join(f"{what} {peak_mb(pid)} MB" for pid, what in processes(terminal).items())
            print(f"a tournament of {bots} bots in {time.monotonic() - begun:.0f} s takes {most}")


if __name__ == "__main__":
    main()
