"""What is done with a real OBS: import scenes and follow the show, build scenes, stream a demo's final."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from broadcast.obs.control import READ_A_SECOND, ObsControl
from broadcast.obs.requests import western
from broadcast.obs.scene_collection import OVERLAY, SCENES
from broadcast.obs.state import ObsState
from broadcast.obs.websocket import Fields, NoObs, ObsSocket, conversation
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken, HighlightMarked
from server.game.events import ControlSet, GameStarted, StageStarted, TournamentEnded
from tests.end_to_end.evening import Terminal
from tests.end_to_end.viewers import Operator

ADDRESS = "127.0.0.1:4455"
ORIGIN = "http://127.0.0.1:8000"
PASSWORD = "six shooter"  # noqa: S105 (of an OBS that lives for a minute)
STREAM = "rtmp://127.0.0.1:1935/live/noon"
CAPTIONS = {
    52: "Calamity Bayes raises to 1,350 with the nuts, again.",
    53: "Two-Pair Tess folds pocket kings before the next card",
    90: "Judge Roy Bean Counter goes all in for 12,475 chips, and Old Man River thinks it over now.",
    16: "Привет Мир bets.",
    18: "李小龙 calls a raise.",
}
"""By length: OBS and players have cut captions longer than two rows, and support only western characters."""
SECONDS = 60
STAGE = StageStarted(1, "The Trials", 15, 6, (1, 2), (5000, 5000), 6)
GAME = GameStarted(1, 6, (1, 2), (5000, 5000))


async def stories(folder: Path) -> dict[str, Any]:
    """All stories with one OBS."""
    async with Booth.open() as booth:
        seen = await imported(booth)
        seen |= await built(booth)
        return seen | await streamed(booth, folder)


class Booth:
    """Another client of the same OBS: sends requests and receives events."""

    def __init__(self) -> None:
        self.obs: ObsSocket
        self.switches: list[str] = []
        """The scenes that went on program."""
        self.saved: list[str] = []
        """Films of the replay buffer."""

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator["Booth"]:
        """Connects as soon as OBS is running."""
        booth = cls()
        async with asyncio.timeout(SECONDS):
            while not await _is_there():  # noqa: ASYNC110 (OBS can only be polled)
                await asyncio.sleep(0.1)
        async with conversation(ADDRESS, PASSWORD, booth.heard) as booth.obs:
            listening = asyncio.create_task(booth.obs.listen())
            yield booth
            listening.cancel()

    def heard(self, kind: str, fields: Fields) -> None:
        if kind == "CurrentProgramSceneChanged":
            self.switches.append(str(fields["sceneName"]))
        elif kind == "ReplayBufferSaved":
            self.saved.append(str(fields["savedReplayPath"]))

    async def ask(self, request: str, **fields: object) -> Fields:
        return await self.obs.ask(request, **fields)

    async def until(self, request: str, fits: Callable[[Fields], object]) -> Fields:
        """The first answer that fits."""
        async with asyncio.timeout(SECONDS):
            while not fits(fields := await self.ask(request)):  # noqa: ASYNC110 (OBS can only be polled)
                await asyncio.sleep(0.05)
        return fields

    async def shows(self, scene: str) -> None:
        await self.until("GetCurrentProgramScene", lambda fields: fields["currentProgramSceneName"] == scene)


async def _is_there() -> bool:
    try:
        async with conversation(ADDRESS, PASSWORD, lambda *_: None):
            return True
    except NoObs:
        return False


@asynccontextmanager
async def controlled_obs(air: AirLog) -> AsyncIterator[ObsControl]:
    """Our control, once it has reached OBS."""
    control = ObsControl(ADDRESS, PASSWORD, air, lambda: (), clock=time.monotonic)
    working = asyncio.create_task(control.run())
    await _until(control, lambda state: state.connected)
    yield control
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


async def _until(control: ObsControl, fits: Callable[[ObsState], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not fits(control.state):  # noqa: ASYNC110 (OBS can only be polled)
            await asyncio.sleep(0.02)


async def imported(booth: Booth) -> dict[str, Any]:
    """The imported scenes follow a show."""
    air = AirLog("main", 1.0)
    async with controlled_obs(air) as control:
        seen: dict[str, Any] = {
            "version": control.state.version,
            "missing": control.state.missing,
            "scenes": [control.state.scene],
        }

        async def shown(scene: str) -> None:
            await booth.shows(scene)
            seen["scenes"].append(scene)

        air.put(STAGE, 0, 0)
        air.put(GAME, 0, 0)
        await shown("Table")
        air.put(ControlSet("card", "break", ""), 0, 0)
        await shown("Break")
        air.put(ControlSet("card", "", "break"), 0, 0)
        air.put(TournamentEnded((), ""), 0, 0)
        await shown("Champion")
        return seen | {"refused": control.state.refused}


async def built(booth: Booth) -> dict[str, Any]:
    """Scenes are built twice in another collection; the second time nothing is missing."""
    await booth.ask("CreateSceneCollection", sceneCollectionName="Elsewhere")
    await booth.until("GetSceneList", lambda fields: len(fields["scenes"]) == 1)
    (own,) = [each["sceneName"] for each in (await booth.ask("GetSceneList"))["scenes"]]
    await booth.ask("CreateInput", sceneName=own, inputName="Own", inputKind="color_source_v3", inputSettings={})
    before = (await booth.ask("GetSceneItemList", sceneName=own))["sceneItems"]
    air = AirLog("main", 1.0)
    async with controlled_obs(air) as control:
        first = await control.build(f"{ORIGIN}/overlay?audio=1")
        again = await control.build(f"{ORIGIN}/overlay?audio=1")
        missing = control.state.missing
        await kept(booth, air)
    shown = {scene: await _items(booth, scene) for scene in (*SCENES, OVERLAY)}
    return {
        "built": [first.made, first.left, again.made, again.left],
        "still_missing": missing,
        "shown": shown,
        "saved": booth.saved,
        "kinds": (await booth.ask("GetInputKindList", unversioned=True))["inputKinds"],
        "own": [before, (await booth.ask("GetSceneItemList", sceneName=own))["sceneItems"]],
        "stayed_in_own": (await booth.ask("GetCurrentProgramScene"))["currentProgramSceneName"] == own,
    }


async def kept(booth: Booth, air: AirLog) -> None:
    """A marked hand is saved from the replay buffer, which only starts if there is something to see."""
    await booth.ask("StartReplayBuffer")
    await booth.until("GetReplayBufferStatus", lambda fields: fields["outputActive"])
    await asyncio.sleep(1)  # so that there is something to keep
    air.put(STAGE, 0, 0)
    air.put(GAME, 0, 0)
    air.put(HighlightMarked("Bad beat", 1, (0,), 90), 0, 0)
    async with asyncio.timeout(SECONDS):
        while not booth.saved:  # noqa: ASYNC110 (OBS can only be polled)
            await asyncio.sleep(0.05)
    await booth.ask("StopReplayBuffer")
    await booth.until("GetReplayBufferStatus", lambda fields: not fields["outputActive"])


async def _items(booth: Booth, scene: str) -> list[str]:
    return [each["sourceName"] for each in (await booth.ask("GetSceneItemList", sceneName=scene))["sceneItems"]]


async def streamed(booth: Booth, folder: Path) -> dict[str, Any]:
    """The final of a demo with an operator, which OBS streams and records."""
    await booth.ask("CreateInput", sceneName=OVERLAY, inputName="Colour", inputKind="color_source_v3", inputSettings={})
    await booth.ask("SetCurrentSceneTransition", transitionName="Cut")
    await booth.ask("SetCurrentProgramScene", sceneName="Starting")
    words = ("--speed", "4", "--port", "8000", "--data", folder / "data", "--seed", "2a", "--obs", ADDRESS)
    with Terminal("demo", *words) as demo:
        desk = await asyncio.to_thread(lambda: demo.address)
        await asyncio.to_thread(demo.hears, "OBS             OBS")
        with Operator(desk) as ann:
            return await final(booth, ann)


async def captioned() -> None:
    """Puts all kinds of captions on air behind the break card, each with time to be read."""
    air = AirLog("main", 1.0)
    for event in (STAGE, GAME, ControlSet("card", "break", "")):
        air.put(event, 0, 0)
    async with controlled_obs(air) as control:
        await _until(control, lambda state: state.streaming)
        for text in CAPTIONS.values():
            air.put(CaptionSpoken(text), 0, 0)
            await asyncio.sleep(len(western(text)) / READ_A_SECOND + 1)


async def final(booth: Booth, ann: Operator) -> dict[str, Any]:
    """From the Trials, which are cut short, to the champion."""

    async def at_desk(what: Callable[..., Any], *words: Any) -> Any:
        return await asyncio.to_thread(what, *words)

    async def linger(scene: str) -> None:
        """Waits until OBS shows a scene and has sent its captions."""
        await booth.shows(scene)
        await asyncio.sleep(3)

    await at_desk(ann.set, "stage_end", True)
    service = {"server": STREAM.rpartition("/")[0], "key": STREAM.rpartition("/")[2], "use_auth": False}
    await booth.ask("SetStreamServiceSettings", streamServiceType="rtmp_custom", streamServiceSettings=service)
    await booth.ask("StartStream")
    await booth.until("GetStreamStatus", lambda fields: fields["outputActive"])
    await booth.ask("StartRecord")
    await booth.until("GetRecordStatus", lambda fields: fields["outputDuration"] > 0)
    started = len(booth.switches)
    await at_desk(ann.set, "speed", 8)
    await at_desk(ann.sees, lambda desk: "High Noon, hand 3" in desk["status"]["doing"])
    await at_desk(ann.set, "paused", True)
    await linger("Table")
    await at_desk(ann.set, "paused", False)
    await at_desk(ann.set, "card", "break")
    await linger("Break")
    await captioned()
    steps = await asyncio.to_thread(ann.page, "/api/setup")
    await at_desk(ann.set, "card", "")
    await at_desk(ann.set, "speed", 1)
    await at_desk(ann.set, "stage_end", True)
    await linger("Champion")
    await booth.ask("StopRecord")
    await booth.ask("StopStream")
    await booth.until("GetStreamStatus", lambda fields: not fields["outputActive"])
    return {"switches": booth.switches[started:], "steps": steps}
