"""The studio (the show's process) controls the video program OBS, and goes on if OBS fails. A voice speaks captions."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from broadcast.obs.websocket import PASSWORD_VARIABLE
from broadcast.on_air.diary import read_spoken_lines
from tests.end_to_end.conftest import SMALL_VIEWPORT, OpenPage
from tests.end_to_end.evening import NAMES, RemoteBots, Terminal, tournament, write_evening
from tests.obs.obs_stand_in import ObsStandIn
from tests.support.ports import free_ports
from tests.support.program import wait_until
from tests.support.programs.browsers import SOUNDS, Browsers
from tests.support.programs.espeak import needs_espeak


async def test_obs_follows_the_show_and_the_show_goes_on_without_obs(tmp_path: Path) -> None:
    async with ObsStandIn("six shooter") as obs:
        lines = f'start = "bots"\n[obs]\naddress = "{obs.address}"\npassword = "six shooter"'
        folder = write_evening(tmp_path, NAMES, lines=lines)

        def last_seq_on_air() -> int:
            return int(httpx.get(f"{folder.base}/healthz", timeout=60.0).json()["channels"]["main"]["seq"])

        with RemoteBots(folder.register, NAMES, all_in_rate=0.0), tournament(folder, "--speed", "50") as terminal:
            for scene in ("Table", "Standings"):
                await obs.wait_for_request("SetCurrentProgramScene", sceneName=scene)
            await obs.__aexit__()
            await asyncio.to_thread(terminal.wait_for_output, "OBS cannot be reached")
            seq = last_seq_on_air()
            await asyncio.to_thread(wait_until, lambda: last_seq_on_air() > seq + 50, lambda: "the show has stopped")


async def test_replay_takes_the_password_of_obs_from_the_environment(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, "six shooter")
    [port] = free_ports(1)
    options = ("--speed", "400", "--port", str(port), "--data", tmp_path)
    async with ObsStandIn("six shooter") as obs:
        with Terminal("replay", recording, *options, "--obs", obs.address) as terminal:
            await asyncio.to_thread(terminal.wait_for_output, "OBS             OBS 29.0.2 shows")
            await obs.wait_for_request("SetCurrentProgramScene", sceneName="Table")


@pytest.fixture(scope="module")
def browser(browsers: Browsers) -> Iterator[Browser]:
    """A browser that plays sound before anybody clicks, as OBS does."""
    with browsers.opened(SOUNDS) as browser:
        yield browser


@needs_espeak
def test_overlay_plays_what_the_voice_has_spoken(tmp_path: Path, open_page: OpenPage) -> None:
    fast_voice = '[voice]\ncommand = "espeak-ng --stdin --stdout -s 450"'
    folder = write_evening(tmp_path, NAMES[:6], lines=f'start = "bots"\n{fast_voice}')
    with RemoteBots(folder.register, NAMES[:6], all_in_rate=0.0), tournament(folder, "--speed", "3") as terminal:
        terminal.wait_for_output("projector")
        page = open_page(f"{folder.base}/overlay?debug&audio=1", **SMALL_VIEWPORT)
        heard_files = set[str]()
        for _ in range(2):
            with page.expect_response(lambda response: "/media/voice-" in response.url) as response:
                pass
            assert response.value.status == 200
            heard_files.add(Path(response.value.url).name)
        assert heard_files <= {spoken.line.sound for spoken in read_spoken_lines(folder.journal).values()}
        assert "captions are not spoken" not in terminal.text
