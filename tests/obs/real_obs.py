"""`unshare --net python -m tests.obs.real_obs FOLDER`: a real OBS that we control streams a demo.

Prints the results as one JSON object; its films stay in the folder. It is a program and not a test because
OBS calls home: OBS and all that talk with it run in a network namespace that has only loopback.
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from broadcast.obs.scene_collection import scene_collection
from broadcast.obs.websocket import PASSWORD as PASSWORD_IN
from tests.obs.real_obs_stories import ORIGIN, PASSWORD, STREAM, stories

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
_SIOCSIFFLAGS, _UP = 0x8914, 0x41
"""SIOCSIFFLAGS of linux/sockios.h and IFF_UP of linux/if.h."""


def main(folder: Path) -> None:
    """Plays the stories and prints what was seen."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:
        fcntl.ioctl(loopback, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))
    scenes = _home(folder)
    os.environ[PASSWORD_IN] = PASSWORD
    at = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": os.environ["PATH"]}
    with ExitStack() as closing:
        desk = closing.enter_context(screen(at))
        receiver = f"ffmpeg -loglevel error -listen 1 -i {STREAM} -c copy -y {folder}/on-air.flv".split()
        closing.enter_context(program(*receiver, at=at))
        quiet = ("--minimize-to-tray", "--disable-updater", "--multi")
        closing.enter_context(program("obs", *quiet, "--collection", "High Noon", at=at | {"DISPLAY": desk}))
        seen = asyncio.run(stories(folder))
    print(json.dumps(seen | {"kept": json.loads(scenes.read_text())}))


@contextmanager
def screen(at: dict[str, str]) -> Iterator[str]:
    """A virtual screen; yields its name."""
    read, write = os.pipe()
    words = ("-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp")
    with program("Xvfb", *words, keep=write, at=at):
        os.close(write)
        yield f":{os.read(read, 8).decode().strip()}"


@contextmanager
def program(*words: str, at: dict[str, str], keep: int = 2) -> Iterator[None]:
    """A program with its own environment, ended by Ctrl-C. Its output goes to standard error."""
    process = subprocess.Popen(words, stdout=sys.stderr, stdin=subprocess.DEVNULL, env=at, pass_fds=[keep])
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
    """Makes `folder` a home with our scenes where an import puts them; returns their file, which OBS rewrites."""
    settings = folder / ".config" / "obs-studio"
    profile, scenes = settings / "basic" / "profiles" / "Untitled", settings / "basic" / "scenes"
    profile.mkdir(parents=True)
    scenes.mkdir(parents=True)
    (settings / "global.ini").write_text(SETTINGS)
    (profile / "basic.ini").write_text(PROFILE.format(folder=folder))
    folder.chmod(0o700)
    ours = scenes / "High_Noon.json"
    ours.write_text(json.dumps(scene_collection(f"{ORIGIN}/overlay?audio=1")))
    return ours


if __name__ == "__main__":
    main(Path(sys.argv[1]))
