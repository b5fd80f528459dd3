"""`unshare --net python -m tests.obs.real_obs FOLDER SCENARIO` runs the scenario "stream" or "hotkeys" on a real OBS.

OBS phones home. So `unshare --net` gives this program, and all programs that it starts, a network without the internet.
"""

import asyncio
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from broadcast.desk.buttons import BUTTONS
from broadcast.obs.control import CHARACTERS_PER_SECOND, ObsControl
from broadcast.obs.requests import to_western_characters
from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE_NAME, browser_settings, scene_collection
from broadcast.obs.websocket import PASSWORD_VARIABLE, Fields, ObsSocket, ObsUnavailable, connect_to_obs
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken, HighlightMarked
from server.game.events import ControlSet, CueGiven, TournamentEnded
from server.paths import ASSETS
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.obs.obs_stand_in import GAME, STAGE
from tests.support.background import background_task

ADDRESS = "127.0.0.1:4455"
OVERLAY_ADDRESS = "http://127.0.0.1:8000/overlay?audio=1"
PASSWORD = "six shooter"  # noqa: S105 (the password of an OBS that runs for a minute)
STREAM_ADDRESS = "rtmp://127.0.0.1:1935/live/noon"
CAPTIONS = {
    52: "Calamity Bayes raises to 1,350 with the nuts, again.",
    53: "Two-Pair Tess folds pocket kings before the next card",
    90: "Judge Roy Bean Counter goes all in for 12,475 chips, and Old Man River thinks it over now.",
    16: "Привет Мир bets.",
    18: "李小龙 calls a raise.",
}
"""Captions, keyed by length. Long captions need several packets. The last two are converted to western characters."""
TIMEOUT_SECONDS = 60
SETTINGS = f"""[General]
FirstRun=true
[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort=4455
AuthRequired=true
ServerPassword={PASSWORD}
[BasicWindow]
PreviewEnabled=false
"""
PROFILE = """[General]
Name=Untitled
[Video]
BaseCX=1280
BaseCY=720
OutputCX=1280
OutputCY=720
FPSType=0
FPSCommon=30
[SimpleOutput]
FilePath={folder}
RecFormat=mkv
RecQuality=Stream
RecRB=true
RecRBTime=5
StreamEncoder=x264
Preset=ultrafast
VBitrate=2500
"""
OBS_COMMAND = ("obs", "--minimize-to-tray", "--disable-updater", "--multi", "--collection", "High Noon")
_SIOCSIFFLAGS, _UP = 0x8914, 0x41
"""The first is SIOCSIFFLAGS of linux/sockios.h. The second combines IFF_UP and IFF_RUNNING of linux/if.h."""


def main(folder: Path, scenario: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:  # loopback is off in a new network namespace
        fcntl.ioctl(loopback, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))
    os.environ[PASSWORD_VARIABLE] = PASSWORD
    environment = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": os.environ["PATH"]}
    read, write = os.pipe()
    options = ("-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp")
    with running_program("Xvfb", *options, fd=write, environment=environment):
        os.close(write)
        display = f":{os.read(read, 8).decode().strip()}"
        check = {"stream": check_scenes_and_stream, "hotkeys": check_hotkeys}[scenario]
        check(folder, environment | {"DISPLAY": display})


def check_scenes_and_stream(folder: Path, environment: dict[str, str]) -> None:
    scenes_file = make_home(folder)
    receiver = f"ffmpeg -loglevel error -listen 1 -i {STREAM_ADDRESS} -c copy -y {folder}/on-air.flv".split()
    with running_program(*receiver, environment=environment), running_program(*OBS_COMMAND, environment=environment):
        asyncio.run(control_obs())
    collection = json.loads(scenes_file.read_text())  # On exit, OBS wrote this file.
    assert [scene["name"] for scene in collection["scene_order"]] == [*SCENES, OVERLAY]
    sources = {source["name"]: source for source in collection["sources"]}
    items = {name: [item["name"] for item in sources[name]["settings"]["items"]] for name in (*SCENES, OVERLAY)}
    assert items == {scene: [OVERLAY] for scene in SCENES} | {OVERLAY: [SOURCE_NAME]}
    assert sources[SOURCE_NAME]["id"] == "browser_source"
    assert browser_settings(OVERLAY_ADDRESS).items() <= sources[SOURCE_NAME]["settings"].items()


async def control_obs() -> None:
    async with ObsClient.open() as client:
        await follow_imported_scenes(client)
        await build_scenes_beside_others(client)
        await stream_captions(client)


def check_hotkeys(folder: Path, environment: dict[str, str]) -> None:
    # Python must write no bytecode beside the script of hotkeys, and OBS must find the system's Python.
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"}
    with DeskServer(folder / "media", contest_events(hands=1)) as desk:
        settings = {"address": f"{desk.address}/", "token": TOKENS.control}
        make_home(folder, [{"path": str(ASSETS / "deploy/obs_hotkeys.py"), "settings": settings}])
        with running_program(*OBS_COMMAND, environment=environment):
            asyncio.run(press_hotkeys(desk))
        changes = [
            event.cue if isinstance(event, CueGiven) else f"{event.control} {event.value}" for event in desk.done
        ]  # `desk.done` lists what the operator did.
        assert changes == ["paused True", "speed 1.25", "next", "speed 1.0", "card break"]
        assert {event.operator for event in desk.done} == {"OBS"}


@contextmanager
def running_program(*command: str, environment: dict[str, str], fd: int = 2) -> Iterator[None]:
    """Runs a program with the file descriptor `fd` open. Sends its output to standard error. Ends it with SIGINT."""
    process = subprocess.Popen(command, stdout=sys.stderr, stdin=subprocess.DEVNULL, env=environment, pass_fds=[fd])
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def make_home(folder: Path, scripts: Sequence[Mapping[str, object]] = ()) -> Path:
    """Puts OBS's settings, `scripts` and our scenes into `folder`. Returns the scenes' file, which OBS overwrites."""
    settings = folder / ".config" / "obs-studio"
    profile, scenes = settings / "basic" / "profiles" / "Untitled", settings / "basic" / "scenes"
    profile.mkdir(parents=True)
    scenes.mkdir(parents=True)
    (settings / "global.ini").write_text(SETTINGS)
    (profile / "basic.ini").write_text(PROFILE.format(folder=folder))
    folder.chmod(0o700)
    scenes_file = scenes / "High_Noon.json"
    modules = {"modules": {"scripts-tool": [*scripts]}} if scripts else {}
    scenes_file.write_text(json.dumps({**scene_collection(OVERLAY_ADDRESS), **modules}))
    return scenes_file


class ObsClient:
    """A client of OBS that tests use beside ObsControl (the server's own client)."""

    def __init__(self) -> None:
        self.obs: ObsSocket
        self.saved_replays: list[str] = []
        """Files that OBS saved from its replay buffer."""

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator["ObsClient"]:
        client = cls()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not await _obs_answers():  # noqa: ASYNC110 (OBS can only be polled)
                await asyncio.sleep(0.1)
        async with (
            connect_to_obs(ADDRESS, PASSWORD, client.receive) as client.obs, background_task(client.obs.listen())
        ):  # fmt: skip
            yield client

    def receive(self, kind: str, fields: Fields) -> None:
        if kind == "ReplayBufferSaved":
            self.saved_replays.append(str(fields["savedReplayPath"]))

    async def read_items(self, scene: str) -> list[str]:
        items: Any = (await self.obs.ask("GetSceneItemList", sceneName=scene))["sceneItems"]
        return [item["sourceName"] for item in items]

    async def wait_for(self, request: str, condition: Callable[[Fields], object], **fields: object) -> Fields:
        """Sends `request` with `fields` repeatedly, until an answer meets the condition. Returns that answer."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not condition(answer := await self.obs.ask(request, **fields)):  # noqa: ASYNC110 (OBS can only be polled)
                await asyncio.sleep(0.05)
        return answer


async def _obs_answers() -> bool:
    try:
        async with connect_to_obs(ADDRESS, PASSWORD, lambda *_: None):
            return True
    except ObsUnavailable:
        return False


@asynccontextmanager
async def controlled_obs(air: AirLog) -> AsyncIterator[ObsControl]:
    """Runs an ObsControl, and yields it once it is connected to OBS."""
    control = ObsControl(ADDRESS, PASSWORD, air, lambda: (), clock=time.monotonic)
    async with background_task(control.run()):
        await _wait_until(lambda: control.state.connected)
        yield control


async def _wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not condition():  # noqa: ASYNC110 (OBS can only be polled)
            await asyncio.sleep(0.02)


async def follow_imported_scenes(client: ObsClient) -> None:
    air = AirLog("main", 1.0)
    async with controlled_obs(air) as control:
        assert not control.state.missing  # `missing` lists the scenes that OBS lacks.
        assert control.state.scene == "Starting"
        for scene, events in (
            ("Table", (STAGE, GAME)),
            ("Break", (ControlSet("card", "break", ""),)),  # A card is a notice that covers the picture.
            ("Champion", (ControlSet("card", "", "break"), TournamentEnded((), ""))),
        ):
            for event in events:
                air.put(event, 0, 0)
            await client.wait_for("GetCurrentProgramScene", lambda reply: reply["currentProgramSceneName"] == scene)  # noqa: B023
        assert not control.state.refused  # OBS has refused no request.


async def build_scenes_beside_others(client: ObsClient) -> None:
    """Builds our scenes twice in a new collection of scenes. The second build must find that no scene is missing."""
    await client.obs.ask("CreateSceneCollection", sceneCollectionName="Elsewhere")
    scenes: Any = (await client.wait_for("GetSceneList", lambda fields: len(fields["scenes"]) == 1))["scenes"]
    foreign_scene = scenes[0]["sceneName"]
    colour_source = {"inputKind": "color_source_v3", "inputSettings": {}}
    await client.obs.ask("CreateInput", sceneName=foreign_scene, inputName="Foreign", **colour_source)
    foreign_items = await client.read_items(foreign_scene)
    air = AirLog("main", 1.0)
    async with controlled_obs(air) as control:
        first = await control.build(OVERLAY_ADDRESS)
        assert first.made[: len(SCENES) + 1] == (*SCENES, OVERLAY)
        for scene in SCENES:
            await client.obs.ask("CreateInput", sceneName=scene, inputName=f"Stripe of {scene}", **colour_source)
        second = await control.build(OVERLAY_ADDRESS)
        assert (second.made, second.left) == ((), first.left)  # `left` lists what the operator has to do.
        assert not control.state.missing
        await save_replay(client, air)
    assert [(await client.read_items(scene))[0] for scene in SCENES] == [OVERLAY] * len(SCENES)
    assert await client.read_items(foreign_scene) == foreign_items
    assert (await client.obs.ask("GetCurrentProgramScene"))["currentProgramSceneName"] == foreign_scene


async def save_replay(client: ObsClient, air: AirLog) -> None:
    """Marks a hand, so that ObsControl saves the replay buffer. OBS must already have a source with a picture."""
    await client.obs.ask("StartReplayBuffer")
    # The replay buffer must not be empty. One second of video (30 frames) is enough.
    await client.wait_for("GetOutputStatus", lambda reply: reply["outputTotalFrames"] > 30, outputName="Replay Buffer")
    air.put(STAGE, 0, 0)
    air.put(GAME, 0, 0)
    air.put(HighlightMarked("Bad beat", 1, (0,), 90), 0, 0)
    await _wait_until(lambda: bool(client.saved_replays))
    (replay,) = client.saved_replays
    assert await asyncio.to_thread(os.path.getsize, replay) > 10_000
    await client.obs.ask("StopReplayBuffer")
    await client.wait_for("GetReplayBufferStatus", lambda fields: not fields["outputActive"])


async def press_hotkeys(desk: DeskServer) -> None:
    """Presses some of the hotkeys. After each press, waits until the desk (the operator's page) has obeyed."""
    async with ObsClient.open() as client:
        reply: Any = await client.wait_for("GetHotkeyList", lambda fields: "highnoon_pause" in fields["hotkeys"])
        ours = [hotkey for hotkey in reply["hotkeys"] if hotkey.startswith("highnoon_")]
        assert ours == [f"highnoon_{button}" for button in BUTTONS]
        for count, button in enumerate(("pause", "faster", "next", "undo", "break"), 1):
            await client.obs.ask("TriggerHotkeyByName", hotkeyName=f"highnoon_{button}")
            await _wait_until(lambda: len(desk.done) >= count)  # noqa: B023 (the lambda runs before the loop goes on)


async def stream_captions(client: ObsClient) -> None:
    """Streams and records captions during a break. Each caption stays until viewers have read it."""
    service = {"server": STREAM_ADDRESS.rpartition("/")[0], "key": STREAM_ADDRESS.rpartition("/")[2], "use_auth": False}
    await client.obs.ask("SetStreamServiceSettings", streamServiceType="rtmp_custom", streamServiceSettings=service)
    await client.obs.ask("StartStream")
    await client.wait_for("GetStreamStatus", lambda fields: fields["outputActive"])
    await client.obs.ask("StartRecord")
    air = AirLog("main", 1.0)
    for event in (STAGE, GAME, ControlSet("card", "break", "")):
        air.put(event, 0, 0)
    async with controlled_obs(air) as control:
        await _wait_until(lambda: control.state.streaming and control.state.recording)
        for text in CAPTIONS.values():
            air.put(CaptionSpoken(text), 0, 0)
            await asyncio.sleep(len(to_western_characters(text)) / CHARACTERS_PER_SECOND + 1)
        assert not control.state.refused
    await client.obs.ask("StopRecord")
    await client.obs.ask("StopStream")
    await client.wait_for("GetStreamStatus", lambda fields: not fields["outputActive"])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
