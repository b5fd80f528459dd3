"""`unshare --net python -m tests.obs.real_obs FOLDER STORY`: a real OBS that we control, in a network of its own.

In the story "stream", it streams a demo and leaves its recordings in FOLDER; in "hotkeys", it runs our script and gets
its hotkeys pressed. What was seen is printed as one JSON object. This is a program, not a test, because OBS calls home:
it must run in a network namespace that has only loopback, together with everything that talks to it.
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

from broadcast.obs.control import CHARACTERS_PER_SECOND, ObsControl
from broadcast.obs.requests import to_western_characters
from broadcast.obs.scene_collection import OVERLAY, SCENES, scene_collection
from broadcast.obs.state import ObsState
from broadcast.obs.websocket import PASSWORD_VARIABLE as PASSWORD_IN
from broadcast.obs.websocket import Fields, ObsSocket, ObsUnavailable, connect_to_obs
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken, HighlightMarked
from server.game.events import ControlSet, CueGiven, TournamentEnded
from server.paths import ASSETS
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.end_to_end.evening import Operator, Terminal
from tests.obs.obs_stand_in import GAME, STAGE

ADDRESS = "127.0.0.1:4455"
ORIGIN = "http://127.0.0.1:8000"
PASSWORD = "six shooter"  # noqa: S105 (of an OBS that runs for a minute)
STREAM = "rtmp://127.0.0.1:1935/live/noon"
CAPTIONS = {
    52: "Calamity Bayes raises to 1,350 with the nuts, again.",
    53: "Two-Pair Tess folds pocket kings before the next card",
    90: "Judge Roy Bean Counter goes all in for 12,475 chips, and Old Man River thinks it over now.",
    16: "Привет Мир bets.",
    18: "李小龙 calls a raise.",
}
"""Captions by length. OBS once cut captions longer than two rows. Players show only western characters."""
PRESSED = ("pause", "faster", "next", "undo", "break")
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
OBS = ("obs", "--minimize-to-tray", "--disable-updater", "--multi", "--collection", "High Noon")
_SIOCSIFFLAGS, _UP = 0x8914, 0x41
"""SIOCSIFFLAGS from linux/sockios.h and IFF_UP from linux/if.h."""


def main(folder: Path, story: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:  # is off in a new network namespace
        fcntl.ioctl(loopback, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))
    os.environ[PASSWORD_IN] = PASSWORD
    environment = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": os.environ["PATH"]}
    with screen(environment) as display:
        tell = {"stream": stream, "hotkeys": hotkeys}[story]
        print(json.dumps(tell(folder, environment | {"DISPLAY": display})))


def stream(folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    scenes = make_home(folder)
    receiver = f"ffmpeg -loglevel error -listen 1 -i {STREAM} -c copy -y {folder}/on-air.flv".split()
    with program(*receiver, environment=environment), program(*OBS, environment=environment):
        seen = asyncio.run(run_stories(folder))
    return seen | {"collection": json.loads(scenes.read_text())}


def hotkeys(folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    # The script stays the only file in its folder, and gets the system's Python.
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"}
    with DeskServer(folder / "media", contest_events(hands=1)) as desk:
        settings = {"address": f"{desk.address}/", "token": TOKENS.control}
        make_home(folder, [{"path": str(ASSETS / "deploy/obs_hotkeys.py"), "settings": settings}])
        with program(*OBS, environment=environment):
            known = asyncio.run(press_hotkeys(desk))
        done = [each.cue if isinstance(each, CueGiven) else f"{each.control} {each.value}" for each in desk.done]
        return {"hotkeys": known, "done": done, "by": [each.operator for each in desk.done]}


@contextmanager
def screen(environment: dict[str, str]) -> Iterator[str]:
    """Starts a virtual display; yields its name, such as ":1"."""
    read, write = os.pipe()
    options = ("-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp")
    with program("Xvfb", *options, keep=write, environment=environment):
        os.close(write)
        yield f":{os.read(read, 8).decode().strip()}"


@contextmanager
def program(*command: str, environment: dict[str, str], keep: int = 2) -> Iterator[None]:
    """Runs a program that inherits the descriptor `keep`; ends it by SIGINT. Its output goes to standard error."""
    process = subprocess.Popen(command, stdout=sys.stderr, stdin=subprocess.DEVNULL, env=environment, pass_fds=[keep])
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
    """Makes `folder` a home directory of OBS, with our scenes where an import puts scenes, and with `scripts`.

    Returns the path of the file of scenes, which OBS writes again when it ends.
    """
    settings = folder / ".config" / "obs-studio"
    profile, scenes = settings / "basic" / "profiles" / "Untitled", settings / "basic" / "scenes"
    profile.mkdir(parents=True)
    scenes.mkdir(parents=True)
    (settings / "global.ini").write_text(SETTINGS)
    (profile / "basic.ini").write_text(PROFILE.format(folder=folder))
    folder.chmod(0o700)
    ours = scenes / "High_Noon.json"
    modules = {"modules": {"scripts-tool": [*scripts]}} if scripts else {}
    ours.write_text(json.dumps({**scene_collection(f"{ORIGIN}/overlay?audio=1"), **modules}))
    return ours


async def run_stories(folder: Path) -> dict[str, Any]:
    async with ObsClient.open() as client:
        seen = await follow_imported_scenes(client)
        seen |= await build_scenes(client)
        return seen | await stream_demo(client, folder)


class ObsClient:
    """A client of the OBS that we control, beside ObsControl: sends requests and receives events."""

    def __init__(self) -> None:
        self.obs: ObsSocket
        self.switches: list[str] = []
        """The scenes that OBS switched to."""
        self.saved_replays: list[str] = []
        """Files saved from the replay buffer."""

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator["ObsClient"]:
        client = cls()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not await _obs_answers():  # noqa: ASYNC110 (OBS can only be polled)
                await asyncio.sleep(0.1)
        async with connect_to_obs(ADDRESS, PASSWORD, client.receive) as client.obs:
            listening = asyncio.create_task(client.obs.listen())
            yield client
            listening.cancel()

    def receive(self, kind: str, fields: Fields) -> None:
        if kind == "CurrentProgramSceneChanged":
            self.switches.append(str(fields["sceneName"]))
        elif kind == "ReplayBufferSaved":
            self.saved_replays.append(str(fields["savedReplayPath"]))

    async def items(self, scene: str) -> Any:
        return (await self.obs.ask("GetSceneItemList", sceneName=scene))["sceneItems"]

    async def wait_for(self, request: str, condition: Callable[[Fields], object]) -> Fields:
        """Repeats `request` until its answer meets the condition, and returns that answer."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not condition(fields := await self.obs.ask(request)):  # noqa: ASYNC110 (OBS can only be polled)
                await asyncio.sleep(0.05)
        return fields

    async def wait_for_scene(self, scene: str) -> None:
        await self.wait_for("GetCurrentProgramScene", lambda fields: fields["currentProgramSceneName"] == scene)


async def _obs_answers() -> bool:
    try:
        async with connect_to_obs(ADDRESS, PASSWORD, lambda *_: None):
            return True
    except ObsUnavailable:
        return False


@asynccontextmanager
async def controlled_obs(air: AirLog) -> AsyncIterator[ObsControl]:
    """Runs our control; yields it once it is connected to OBS."""
    control = ObsControl(ADDRESS, PASSWORD, air, lambda: (), clock=time.monotonic)
    running = asyncio.create_task(control.run())
    await _wait_for_state(control, lambda state: state.connected)
    yield control
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def _wait_for_state(control: ObsControl, condition: Callable[[ObsState], bool]) -> None:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not condition(control.state):  # noqa: ASYNC110 (OBS can only be polled)
            await asyncio.sleep(0.02)


async def follow_imported_scenes(client: ObsClient) -> dict[str, Any]:
    air = AirLog("main", 1.0)
    async with controlled_obs(air) as control:
        seen: dict[str, Any] = {
            "version": control.state.version,
            "missing": control.state.missing,
            "scenes": [control.state.scene],
        }

        async def expect_scene(scene: str) -> None:
            await client.wait_for_scene(scene)
            seen["scenes"].append(scene)

        air.put(STAGE, 0, 0)
        air.put(GAME, 0, 0)
        await expect_scene("Table")
        air.put(ControlSet("card", "break", ""), 0, 0)
        await expect_scene("Break")
        air.put(ControlSet("card", "", "break"), 0, 0)
        air.put(TournamentEnded((), ""), 0, 0)
        await expect_scene("Champion")
        return seen | {"refused": control.state.refused}


async def build_scenes(client: ObsClient) -> dict[str, Any]:
    """Builds the scenes twice in another collection of scenes; the second time, nothing is missing."""
    await client.obs.ask("CreateSceneCollection", sceneCollectionName="Elsewhere")
    await client.wait_for("GetSceneList", lambda fields: len(fields["scenes"]) == 1)
    (foreign,) = [each["sceneName"] for each in (await client.obs.ask("GetSceneList"))["scenes"]]
    colour = {"inputKind": "color_source_v3", "inputSettings": {}}
    await client.obs.ask("CreateInput", sceneName=foreign, inputName="Foreign", **colour)
    before = await client.items(foreign)
    air = AirLog("main", 1.0)
    async with controlled_obs(air) as control:
        first = await control.build(f"{ORIGIN}/overlay?audio=1")
        for scene in SCENES:
            await client.obs.ask("CreateInput", sceneName=scene, inputName=f"Stripe of {scene}", **colour)
        again = await control.build(f"{ORIGIN}/overlay?audio=1")
        missing = control.state.missing
        await save_replay(client, air)
    shown = {scene: [each["sourceName"] for each in await client.items(scene)] for scene in (*SCENES, OVERLAY)}
    return {
        "built": [first.made, first.left, again.made, again.left],
        "still_missing": missing,
        "shown": shown,
        "saved": client.saved_replays,
        "foreign": [before, await client.items(foreign)],
        "stayed": (await client.obs.ask("GetCurrentProgramScene"))["currentProgramSceneName"] == foreign,
    }


async def save_replay(client: ObsClient, air: AirLog) -> None:
    """Has a marked hand saved from the replay buffer, which OBS starts only if some source has a picture."""
    await client.obs.ask("StartReplayBuffer")
    await client.wait_for("GetReplayBufferStatus", lambda fields: fields["outputActive"])
    await asyncio.sleep(1)  # until the replay buffer contains something
    air.put(STAGE, 0, 0)
    air.put(GAME, 0, 0)
    air.put(HighlightMarked("Bad beat", 1, (0,), 90), 0, 0)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not client.saved_replays:  # noqa: ASYNC110 (OBS can only be polled)
            await asyncio.sleep(0.05)
    await client.obs.ask("StopReplayBuffer")
    await client.wait_for("GetReplayBufferStatus", lambda fields: not fields["outputActive"])


async def stream_demo(client: ObsClient, folder: Path) -> dict[str, Any]:
    """Plays the final of a demo with an operator; OBS streams and records it."""
    await client.obs.ask("SetCurrentSceneTransition", transitionName="Cut")
    await client.obs.ask("SetCurrentProgramScene", sceneName="Starting")
    options = ("--speed", "4", "--port", "8000", "--data", folder / "data", "--seed", "2a", "--obs", ADDRESS)
    with Terminal("demo", *options) as demo:
        desk = await asyncio.to_thread(lambda: demo.address)
        await asyncio.to_thread(demo.wait_for_output, "OBS             OBS")
        with Operator(desk) as ann:
            return await play_final(client, ann)


async def press_hotkeys(desk: DeskServer) -> list[str]:
    """Presses each hotkey after the request of the previous hotkey has arrived; returns all hotkeys that OBS has."""
    async with ObsClient.open() as client:
        known = await client.wait_for("GetHotkeyList", lambda found: "highnoon_pause" in found["hotkeys"])
        async with asyncio.timeout(TIMEOUT_SECONDS):
            for count, button in enumerate(PRESSED, 1):
                await client.obs.ask("TriggerHotkeyByName", hotkeyName=f"highnoon_{button}")
                while len(desk.done) < count:  # noqa: ASYNC110 (the desk answers OBS, not this program)
                    await asyncio.sleep(0.02)
        return [str(each) for each in known["hotkeys"]]


async def send_captions() -> None:
    """Puts all kinds of captions on air during a break, each for as long as it takes to read."""
    air = AirLog("main", 1.0)
    for event in (STAGE, GAME, ControlSet("card", "break", "")):
        air.put(event, 0, 0)
    async with controlled_obs(air) as control:
        await _wait_for_state(control, lambda state: state.streaming)
        for text in CAPTIONS.values():
            air.put(CaptionSpoken(text), 0, 0)
            await asyncio.sleep(len(to_western_characters(text)) / CHARACTERS_PER_SECOND + 1)


async def play_final(client: ObsClient, ann: Operator) -> dict[str, Any]:
    """Plays from the Trials, which are cut short, to the champion."""

    async def at_desk(act: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.to_thread(act, *arguments)

    await at_desk(ann.set, "stage_end", True)
    service = {"server": STREAM.rpartition("/")[0], "key": STREAM.rpartition("/")[2], "use_auth": False}
    await client.obs.ask("SetStreamServiceSettings", streamServiceType="rtmp_custom", streamServiceSettings=service)
    await client.obs.ask("StartStream")
    await client.wait_for("GetStreamStatus", lambda fields: fields["outputActive"])
    await client.obs.ask("StartRecord")
    await client.wait_for("GetRecordStatus", lambda fields: fields["outputDuration"] > 0)
    earlier_switches = len(client.switches)
    await at_desk(ann.set, "speed", 8)
    await at_desk(ann.sees, lambda desk: "High Noon, hand 3" in desk["status"]["doing"])
    await client.wait_for_scene("Table")
    await at_desk(ann.set, "card", "break")
    await client.wait_for_scene("Break")
    await send_captions()
    steps = await asyncio.to_thread(ann.page, "/api/setup")
    await at_desk(ann.set, "card", "")
    await at_desk(ann.set, "speed", 1)
    await at_desk(ann.set, "stage_end", True)
    await client.wait_for_scene("Champion")
    await client.obs.ask("StopRecord")
    await client.obs.ask("StopStream")
    await client.wait_for("GetStreamStatus", lambda fields: not fields["outputActive"])
    return {"switches": client.switches[earlier_switches:], "steps": steps}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
