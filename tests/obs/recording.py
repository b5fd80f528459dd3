"""Reads a recording of OBS: scales its frames down and recognises the scene that each of them shows."""

import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from broadcast.obs.scene_collection import SCENES

Frame = NDArray[np.uint8]
WIDTH, HEIGHT = 160, 90
FRAMES_PER_SECOND = 5
STRIPE_PX = 32
"""The height of the stripe at the top of each scene in a picture of 720 lines. Each scene has its own colour."""
COLOURS = dict(
    zip(SCENES, [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (255, 0, 255), (0, 255, 255)], strict=True)
)
_STRIPE_ROWS = STRIPE_PX * HEIGHT // 720


def read_frames(recording: Path) -> Frame:
    """Returns FRAMES_PER_SECOND frames of each second in RGB. The array has the shape (frames, HEIGHT, WIDTH, 3)."""
    scaled = f"fps={FRAMES_PER_SECOND},scale={WIDTH}:{HEIGHT}:flags=area"
    output = f"-vf {scaled} -f rawvideo -pix_fmt rgb24 -".split()
    command = ["ffmpeg", "-loglevel", "error", "-i", str(recording), *output]
    finished = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert finished.returncode == 0, finished.stderr.decode()
    return np.frombuffer(finished.stdout, np.uint8).reshape(-1, HEIGHT, WIDTH, 3)


def read_screenshot(path: Path) -> Frame:
    """Returns a screenshot, scaled to the size of the frames that `read_frames` returns."""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.BOX))


def scene_of(frame: Frame) -> str:
    """Returns the OBS scene of a frame, by the colour of its stripe."""
    colour = frame[1 : _STRIPE_ROWS - 1].reshape(-1, 3).mean(axis=0)
    return min(COLOURS, key=lambda scene: float(np.abs(colour - COLOURS[scene]).sum()))


def difference(one: Frame, other: Frame) -> float:
    """Returns the mean difference of two frames below the stripe, from 0 to 255."""
    return float(np.abs(one[_STRIPE_ROWS + 1 :].astype(float) - other[_STRIPE_ROWS + 1 :]).mean())
