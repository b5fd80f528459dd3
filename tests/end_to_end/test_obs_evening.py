"""The studio controls OBS during a tournament, a replay and a rehearsal, and the show continues without OBS."""

import asyncio
from pathlib import Path

import httpx
import pytest

from broadcast.obs.websocket import PASSWORD
from tests.end_to_end.evening import NAMES, VIEW, EventFolder, Terminal, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.viewers import Operator
from tests.obs.obs_stand_in import ObsStandIn
from tests.support.ports import free_ports
from tests.support.program import wait_until


def says(folder: EventFolder) -> str:
    """The setup page's message about OBS."""
    with httpx.Client(base_url=folder.base, follow_redirects=True, timeout=60.0) as web:
        web.get("/setup", params={"token": VIEW})
        steps = web.get("/api/setup").json()["steps"]
    return next(str(step["words"]) for step in steps if step["of"] == "OBS follows the show")


def count_on_air(folder: EventFolder) -> int:
    return int(httpx.get(f"{folder.base}/healthz", timeout=60.0).json()["channels"]["main"]["seq"])


async def test_obs_follows_a_show_and_the_show_continues_without_it(tmp_path: Path) -> None:
    async with ObsStandIn("six shooter") as obs:
        wanted = f'start = "bots"\n[obs]\naddress = "{obs.address}"\npassword = "six shooter"'
        folder = write_evening(tmp_path, secrets_of(NAMES), lines=wanted)
        with RemoteBots(folder.register, secrets_of(NAMES), wild=0.0), tournament(folder, "--speed", "50"):
            await obs.was_asked("SetCurrentProgramScene", sceneName="Table")
            assert (await asyncio.to_thread(says, folder)).startswith("OBS 29.0.2 shows")
            await obs.was_asked("SetCurrentProgramScene", sceneName="Standings")
            await obs.__aexit__()
            await asyncio.to_thread(wait_until, lambda: "OBS cannot be reached" in says(folder), lambda: says(folder))
            before = count_on_air(folder)
            await asyncio.to_thread(wait_until, lambda: count_on_air(folder) > before + 50, lambda: "the show stands")


@pytest.mark.parametrize("as_live", [(), ("--as-live",)])
async def test_replay_takes_the_password_of_obs_from_the_environment(
    as_live: tuple[str, ...], recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD, "six shooter")
    [port] = free_ports(1)
    options = ("--speed", "400", "--port", str(port), "--data", tmp_path)

    def start(desk: str) -> None:
        with Operator(desk) as ann:
            ann.set("started", True)

    async with ObsStandIn("six shooter") as obs:
        with Terminal("replay", recording, *as_live, *options, "--obs", obs.address) as terminal:
            await asyncio.to_thread(terminal.wait_for_output, "OBS             OBS 29.0.2 shows")
            if as_live:
                await asyncio.to_thread(start, terminal.address)
            await obs.was_asked("SetCurrentProgramScene", sceneName="Table")
