"""`unshare --net python -m tests.obs.real_obs FOLDER`: a real OBS that we control streams a demo.

Prints the results as one JSON object; recordings stay in FOLDER. This is a program, not a test, because OBS calls home:
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
from contextlib import ExitStack, contextmanager
from pathlib import Path

from broadcast.obs.scene_collection import scene_collection
from broadcast.obs.websocket import PASSWORD as PASSWORD_IN
from tests.obs.real_obs_stories import ORIGIN, PASSWORD, STREAM, run_stories

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


def main(folder: Path) -> None:
    """Runs the stories and prints what was seen."""
    raise_loopback()
    scenes = make_home(folder)
    os.environ[PASSWORD_IN] = PASSWORD
    environment = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": os.environ["PATH"]}
    with ExitStack() as closing:
        obs_screen = closing.enter_context(screen(environment))
        receiver = f"ffmpeg -loglevel error -listen 1 -i {STREAM} -c copy -y {folder}/on-air.flv".split()
        closing.enter_context(program(*receiver, environment=environment))
        closing.enter_context(program(*OBS, environment=environment | {"DISPLAY": obs_screen}))
        seen = asyncio.run(run_stories(folder))
    print(json.dumps(seen | {"collection": json.loads(scenes.read_text())}))


def raise_loopback() -> None:
    """Switches on the loopback device of a new network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:
        fcntl.ioctl(loopback, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))


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
    main(Path(sys.argv[1]))
