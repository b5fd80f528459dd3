"""Records a contest of house bots, to be filmed."""

import subprocess
import sys
from pathlib import Path

SEED = "1871"


def play_demo(folder: Path) -> Path:
    """Runs a demo to its end. Returns its recording; the media are beside it in `folder`."""
    demo = ["demo", "--speed", "0", "--port", "0", "--seed", SEED, "--data", str(folder)]
    subprocess.run([sys.executable, "-m", "server", *demo], check=True, stdout=subprocess.DEVNULL)
    return next((folder / "recordings").glob("*.jsonl"))
