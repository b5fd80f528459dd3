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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from broadcast.obs.scene_collection import scene_collection
from broadcast.obs.websocket import PASSWORD_VARIABLE as PASSWORD_IN
from server.game.events import CueGiven
from server.paths import ASSETS
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.obs.real_obs_stories import ORIGIN, PASSWORD, STREAM, press_hotkeys, run_stories

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


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
