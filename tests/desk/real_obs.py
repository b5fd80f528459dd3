"""`unshare --net python -m tests.desk.real_obs FOLDER`: a real OBS, our scenes in it and our crew at it.

Prints what came of it as one JSON object. A program and not a test, for OBS calls home: it and whoever talks with it
live on a network where there is nothing but loopback.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from broadcast.airlog import AirLog
from broadcast.obs import scene_collection
from broadcast.obs_crew import ObsCrew
from broadcast.obs_socket import conversation
from broadcast.obs_state import ObsState
from server.game.events import ControlSet, GameStarted, StageStarted, TournamentEnded

ORIGIN = "http://127.0.0.1:8000"
PASSWORD = "six shooter"  # noqa: S105 (of an OBS that lives for a minute)
SECONDS = 45
SETTINGS = f"""[General]
FirstRun=true
[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort=4455
AuthRequired=true
ServerPassword={PASSWORD}
"""
_SIOCSIFFLAGS, _UP = 0x8914, 0x41
"""As in linux/sockios.h and linux/if.h."""
ENOUGH_BYTES = 10_000
"""Of a recording: by then pictures are in it."""


def main(folder: Path) -> None:
    """Plays the story and prints what was seen."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:
        fcntl.ioctl(loopback, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))
    scenes = _home(folder)
    at = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": os.environ["PATH"]}
    read, write = os.pipe()
    with program(
        "Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp", keep=write, at=at
    ):
        at["DISPLAY"] = f":{os.read(read, 8).decode().strip()}"
        quiet = ("--minimize-to-tray", "--disable-updater", "--multi")
        with program("obs", *quiet, "--collection", "High Noon", at=at):
            seen = asyncio.run(_story())
    recorded = [file.stat().st_size for file in folder.glob("*.mkv")]
    print(json.dumps(seen | {"recorded": recorded, "kept": json.loads(scenes.read_text())}))


@contextmanager
def program(*words: str, at: dict[str, str], keep: int = 2) -> Iterator[None]:
    """A program with surroundings of its own, ended by Ctrl-C. What it says goes to the standard error."""
    process = subprocess.Popen(words, stdout=sys.stderr, env=at, pass_fds=[keep])
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _home(folder: Path) -> Path:
    """Makes `folder` a home in which our scenes lie where an import puts them; their file, which OBS writes anew."""
    settings = folder / ".config" / "obs-studio"
    (settings / "basic" / "scenes").mkdir(parents=True)
    (settings / "global.ini").write_text(SETTINGS)
    folder.chmod(0o700)
    scenes = settings / "basic" / "scenes" / "High_Noon.json"
    scenes.write_text(json.dumps(scene_collection(ORIGIN)))
    return scenes


async def _story() -> dict[str, Any]:
    """A show before OBS is up, followed to its end, while it records."""
    air = AirLog("main", 1.0)
    crew = ObsCrew("127.0.0.1:4455", PASSWORD, air, lambda: (), clock=time.monotonic)
    working = asyncio.create_task(crew.run())
    await _until(crew, lambda state: state.connected)
    seen: dict[str, Any] = {"version": crew.state.version, "missing": crew.state.missing, "scenes": [crew.state.scene]}

    async def shown(scene: str) -> None:
        await _until(crew, lambda state: state.scene == scene)
        seen["scenes"].append(await _program_scene())

    air.put(StageStarted(1, "The Trials", 15, 6, (1, 2), (5000, 5000), 6), 0, 0)
    air.put(GameStarted(1, 6, (1, 2), (5000, 5000)), 0, 0)
    await shown("Table")
    await _ask("StartRecord")
    await _until(crew, lambda state: state.recording and state.fps > 0)
    air.put(ControlSet("card", "break", ""), 0, 0)
    await shown("Break")
    air.put(ControlSet("card", "", "break"), 0, 0)
    air.put(TournamentEnded((), ""), 0, 0)
    await shown("Champion")
    async with asyncio.timeout(SECONDS):
        while (await _ask("GetRecordStatus"))["outputBytes"] <= ENOUGH_BYTES:  # noqa: ASYNC110 (see below)
            await asyncio.sleep(0.2)
    await _ask("StopRecord")
    await _until(crew, lambda state: not state.recording)
    seen["refused"] = crew.state.refused
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    return seen


async def _until(crew: ObsCrew, fits: Callable[[ObsState], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not fits(crew.state):  # noqa: ASYNC110 (what OBS does comes when it comes)
            await asyncio.sleep(0.02)


async def _ask(request: str, **wish: object) -> dict[str, Any]:
    """As somebody else who talks with the same OBS."""
    async with conversation("127.0.0.1:4455", PASSWORD, lambda *_: None) as obs:
        asking = asyncio.create_task(obs.ask(request, **wish))
        await asyncio.wait({asking, listening := asyncio.create_task(obs.listen())}, return_when="FIRST_COMPLETED")
        listening.cancel()
        return dict(await asking)


async def _program_scene() -> str:
    return str((await _ask("GetCurrentProgramScene"))["currentProgramSceneName"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
