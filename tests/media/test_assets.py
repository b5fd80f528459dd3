"""The project has all its pictures and sounds, they are up to date, and there are no other files."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from assets.make.__main__ import make
from assets.make.sounds.ticks import LEVELS
from broadcast.media.loudness_meter import true_peak_db

ASSETS = Path(__file__).parents[2] / "assets"
WINS = [ASSETS / "sounds" / "win.ogg", *sorted((ASSETS / "house").glob("*/sound.ogg"))]
LOUDNESS = {ASSETS / "sounds" / f"{name}.ogg": level[1] for name, level in LEVELS.items()} | dict.fromkeys(WINS, -16)
"""The loudness that each sound is meant to have, in LUFS."""


def test_pictures_and_sounds_are_what_their_scripts_make_and_sounds_are_small(tmp_path: Path) -> None:
    make(tmp_path)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    all_there = (path for kind in ("webp", "ogg", "ico") for path in ASSETS.rglob(f"*.{kind}"))
    assert set(made) >= {path.relative_to(ASSETS) for path in all_there if path.parent.name != "pictures"}
    stale = [str(path) for path, content in made.items() if (ASSETS / path).read_bytes() != content]
    assert not stale, "run: .venv/bin/python -m assets.make"
    assert sum(len(content) for path, content in made.items() if path.parent.name == "sounds") < 400_000


@pytest.mark.parametrize("path", LOUDNESS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sounds_have_their_intended_loudness_and_wins_are_short(path: Path) -> None:
    import pyloudnorm  # noqa: PLC0415 (brings SciPy, which takes a second)

    samples, rate = soundfile.read(path, always_2d=True)
    whole = np.pad(samples, ((0, max(0, round(0.4 * rate) - len(samples))), (0, 0)))  # the least that can be measured
    lufs = pyloudnorm.Meter(rate, filter_class="DeMan").integrated_loudness(whole)
    assert lufs == pytest.approx(LOUDNESS[path], abs=0.5 if path in WINS else 1)
    assert true_peak_db(samples) <= -1.5
    assert path not in WINS or len(samples) / rate <= 4
