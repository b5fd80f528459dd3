"""Reads a film that OBS recorded: its pictures, scaled down, and its closed captions."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from broadcast.obs.scene_collection import SCENES

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 160, 90
PER_SECOND = 5
STRIPE = 32
"""Height in pixels, of 720, of the stripe at the top in the scene's colour."""
COLOURS = dict(
    zip(SCENES, [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (255, 0, 255), (0, 255, 255)], strict=True)
)
_CAPTIONS = b"GA94\x03"
"""Precedes each block of captions: the number of character pairs, a byte, then three bytes for each pair."""
_BAND = STRIPE * HEIGHT // 720
"""Rows of the stripe that names the scene."""


def pictures(film: Path) -> Picture:
    """The film's frames, PER_SECOND of each second, WIDTH by HEIGHT, as an array of RGB."""
    scaled = f"fps={PER_SECOND},scale={WIDTH}:{HEIGHT}:flags=area"
    words = ["-i", str(film), "-vf", scaled, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    found = np.frombuffer(_ffmpeg(*words), np.uint8)
    return found.reshape(-1, HEIGHT, WIDTH, 3)


def photograph(path: Path) -> Picture:
    """A screenshot, scaled as the frames of `pictures`."""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.BOX))


def scene_of(picture: Picture) -> str:
    """The OBS scene of a frame, by the colour of its stripe."""
    colour = picture[1 : _BAND - 1].reshape(-1, 3).mean(axis=0)
    return min(COLOURS, key=lambda scene: float(np.abs(colour - COLOURS[scene]).sum()))


def difference(one: Picture, other: Picture) -> float:
    """The mean difference of two frames below the stripe, 0 to 255."""
    return float(np.abs(one[_BAND + 1 :].astype(float) - other[_BAND + 1 :]).mean())


def captions(stream: Path) -> list[str]:
    """The closed captions of each packet (CEA-608 as in ATSC A/53); OBS puts them where ffmpeg does not look."""
    packets = []
    for block in stream.read_bytes().split(_CAPTIONS)[1:]:
        pairs = [bytes(byte & 127 for byte in block[at : at + 2]) for at in range(3, 3 + 3 * (block[0] & 31), 3)]
        text = b"".join(pair.strip(b"\0") for pair in pairs if pair >= b" ")  # the others are orders to the decoder
        packets.append(text.decode("ascii"))
    return packets


def _ffmpeg(*words: Any) -> bytes:
    done = subprocess.run(["ffmpeg", "-loglevel", "error", *words], capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
