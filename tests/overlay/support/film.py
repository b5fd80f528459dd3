"""`python -m tests.overlay.support.film OUT.mp4`: records a minute of a final, the end of a contest of house bots."""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from broadcast.video.frames import RATE, Clip, Cut
from server.app.clips.filming import film_clip, find_tools
from server.app.recordings.films import open_showing

LASTS_SECONDS = 60
SEED = "1871"


def main() -> None:
    """Films the last minute into the file that the command names."""
    with tempfile.TemporaryDirectory() as name:
        film, whole = open_showing(played(Path(name)), live=False).film, Path(name) / "whole.mp4"
        clip = Clip((Cut(film.outline.length_ms - LASTS_SECONDS * 1000, LASTS_SECONDS * RATE),))
        asyncio.run(film_clip(film, clip, Path(name) / "media", find_tools(), whole))
        shutil.copyfile(whole, sys.argv[1])


def played(folder: Path) -> Path:
    """The recording of a demo, and its media beside it in `folder`."""
    demo = ["demo", "--speed", "0", "--port", "0", "--seed", SEED, "--data", str(folder)]
    subprocess.run([sys.executable, "-m", "server", *demo], check=True, stdout=subprocess.DEVNULL)
    return next((folder / "recordings").glob("*.jsonl"))


if __name__ == "__main__":
    main()
