"""How soon is a tournament's first hand on air, and how soon are 5,000 viewers back if the web server is killed?

Goals: the first hand is on air within 2 s, all viewers are back within 3 s, and bots' answers take no longer after the
kill than before. Run: `make bench BENCH=evening`, or for less time with `ARGS="--viewers 500"`.
"""

import asyncio
import itertools
import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from server.game.events import ActionTaken, FaultNoted
from tests.bench.common.crowd import Viewers, compile_program
from tests.bench.common.scales import options
from tests.end_to_end.evening import EventFolder, RemoteBots, Terminal, secrets_of, tournament, write_evening
from tests.support.games.recordings import of_kind

BOTS, STARTS = 12, 3
MEASURED_SECONDS = 10.0


@contextmanager
def tournament_on_air(folder: Path, speed: int) -> Iterator[tuple[EventFolder, Terminal]]:
    """Starts a tournament, and yields once its first hand is on air."""
    secrets = secrets_of([f"Bot-{number}" for number in range(1, BOTS + 1)])
    event_folder = write_evening(folder, secrets)
    with tournament(event_folder, "--speed", f"{speed}") as terminal:
        terminal.wait_for_output("projector")
        with RemoteBots(event_folder.register, secrets, all_in_rate=0.3):
            asyncio.run(wait_for_hand(event_folder))
            yield event_folder, terminal


async def wait_for_hand(event_folder: EventFolder) -> None:
    async with connect(f"ws://127.0.0.1:{event_folder.pages}/ws/show?channel=main&after=0&epoch=") as socket:
        async for text in socket:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "hand_started" or (message.get("state") or {}).get("hand"):
                return


def time_start(folder: Path) -> float:
    """Returns the seconds from the start of the program until the first hand is on air."""
    started_at = time.monotonic()
    with tournament_on_air(folder, 0):
        return time.monotonic() - started_at


def print_recovery(event_folder: EventFolder, terminal: Terminal, count: int) -> None:
    """Kills the web server. Prints how soon all viewers are back, and the slowest answers before and after the kill."""
    viewers = Viewers(compile_program(event_folder.data, "followers"), event_folder.pages, count)  # `pages` is a port
    time.sleep(MEASURED_SECONDS)
    answers_before = answer_times(event_folder)
    os.kill(terminal.studio_pid, signal.SIGKILL)
    seconds = viewers.measure_reception("survive").slowest / 1000  # "survive" waits until all have reconnected
    time.sleep(MEASURED_SECONDS)
    viewers.close()
    answers_after = answer_times(event_folder)[len(answers_before) :]
    print(f"{count:,} viewers of a killed studio: all see the show of its successor after {seconds:.2f} s (goal 3)")
    slowest = f"{max(answers_before)} ms before, {max(answers_after, default=0)} ms after"
    print(f"slowest answer at the table: {slowest} (goal: the same)")


def answer_times(event_folder: EventFolder) -> list[int]:
    """Returns how many milliseconds the table has waited for each answer so far. The bots answer at once."""
    assert not of_kind(event_folder.entries, FaultNoted)
    return [event.think_ms for event in of_kind(event_folder.entries, ActionTaken)]


if __name__ == "__main__":
    viewers = options(__doc__, viewers=5_000).viewers
    with tempfile.TemporaryDirectory() as name:
        folders = (Path(name, str(number)) for number in itertools.count())
        first_hand_seconds = min(time_start(next(folders)) for _ in range(STARTS))
        print(f"the first hand is on air after {first_hand_seconds:.2f} s (goal 2)")
        with tournament_on_air(next(folders), 5) as running:
            print_recovery(*running, viewers)
