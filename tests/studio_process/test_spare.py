"""A spare studio runs beside the current studio (the process that broadcasts), and takes over if that process dies."""

import asyncio
import os
import signal
from pathlib import Path

import httpx

from broadcast.web.serve import address_of, listen_with_retries
from server.app.studio.supervisor import StudioSupervisor
from server.bots.sandbox.process_tree import descendants
from server.journal.bus import Bus
from server.journal.studio_link import Health, Plan
from server.tournament.control_values import Controls
from server.tournament.pause_gate import PauseGate
from tests.support.background import background_task
from tests.support.games.contests import play_contest
from tests.support.games.recordings import SMALL_FORMAT, write
from tests.support.program import command_of


def find_studios() -> list[int]:
    """Returns the ids of this test's studio processes, the oldest first."""
    return [pid for pid in descendants(os.getpid()) if b"studio.process" in command_of(pid)]


async def wait_for_studios(*killed: int) -> tuple[int, int]:
    """Waits until the current studio and its spare are running, and returns their ids. Ignores ids in `killed`."""
    while len(pids := [pid for pid in find_studios() if pid not in killed]) != 2:  # noqa: ASYNC110 (no event reports their start)
        await asyncio.sleep(0.01)
    return pids[0], pids[1]


async def test_spare_studio_takes_over_and_a_dead_spare_is_replaced(tmp_path: Path) -> None:
    entries = play_contest(4, 8, SMALL_FORMAT)
    bus = Bus(None, lambda: 0.0)
    bus.load(entries)
    journal = write(tmp_path / "evening.jsonl", entries)
    plan = Plan("Friday", str(journal), str(tmp_path / "media"), (), "c" * 20, "v" * 20)
    with await listen_with_retries("127.0.0.1", 0) as listener:
        supervisor = StudioSupervisor(
            plan, listener, bus=bus, gate=PauseGate(Controls()), request=lambda _event, _stage: "",
            health=lambda: Health("playing"), spare_after_seconds=0.0,
        )  # fmt: skip
        client = httpx.AsyncClient(base_url=address_of(listener), timeout=60)
        async with background_task(supervisor.run()), client as web:
            first, spare = await wait_for_studios()
            assert (await web.get("/healthz")).status_code == 200
            os.kill(first, signal.SIGKILL)
            second, third = await wait_for_studios(first)
            assert second == spare
            assert (await web.get("/healthz")).status_code == 200
            os.kill(third, signal.SIGKILL)
            os.kill(second, signal.SIGKILL)
            await wait_for_studios(second, third)
            assert (await web.get("/healthz")).status_code == 200
    assert find_studios() == []
