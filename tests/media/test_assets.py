"""The project has all its pictures and sounds, they are up to date, and there are no other files."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from assets.make.__main__ import make
from assets.make.sounds.ticks import LEVELS
from broadcast.media.loudness_meter import integrated_lufs, true_peak_db

ASSETS = Path(__file__).parents[2] / "assets"
HOUSE_BOTS = sorted((ASSETS / "house").iterdir())
TICKS = ["deal", "chip", "check", "fold", "call", "raise", "flop", "turn", "river"]
STINGS = ["allin", "eliminated", "game_start", "final_start", "champion"]
WINS = [ASSETS / "sounds" / "win.ogg", *(folder / "sound.ogg" for folder in HOUSE_BOTS)]


def loudness(path: Path) -> tuple[float, float, float]:
    """The length in seconds, the loudness in LUFS, and the true peak in dB."""
    samples, rate = soundfile.read(path, always_2d=True)
    return len(samples) / rate, integrated_lufs(samples, rate), true_peak_db(samples)


def test_pictures_and_sounds_are_what_their_scripts_make(tmp_path: Path) -> None:
    make(tmp_path)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    all_there = (path for kind in ("webp", "ogg", "ico") for path in ASSETS.rglob(f"*.{kind}"))
    assert set(made) >= {path.relative_to(ASSETS) for path in all_there if path.parent.name != "pictures"}
    stale = [str(path) for path, content in made.items() if (ASSETS / path).read_bytes() != content]
    assert not stale, "run: .venv/bin/python -m assets.make"


@pytest.mark.parametrize("path", WINS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_win_sounds_are_short_and_equally_loud(path: Path) -> None:
    seconds, lufs, peak = loudness(path)
    assert seconds <= 4
    assert lufs == pytest.approx(-16, abs=0.5)
    assert peak <= -1.5


@pytest.mark.parametrize("name", [*LEVELS, "win"])
def test_sounds_have_their_intended_loudness(name: str) -> None:
    """pyloudnorm measures the loudness; it needs at least 0.4 s."""
    import pyloudnorm  # noqa: PLC0415 (brings SciPy, which takes a second)

    samples, rate = soundfile.read(ASSETS / "sounds" / f"{name}.ogg", always_2d=True)
    whole = np.pad(samples, ((0, max(0, round(0.4 * rate) - len(samples))), (0, 0)))
    meant = LEVELS[name][1] if name in LEVELS else -16
    assert pyloudnorm.Meter(rate, filter_class="DeMan").integrated_loudness(whole) == pytest.approx(meant, abs=1)
    assert true_peak_db(samples) <= -1.5


def test_every_cue_has_its_sound_and_all_are_small() -> None:
    files = {path.stem: path.stat().st_size for path in (ASSETS / "sounds").iterdir()}
    assert set(files) == {*TICKS, *STINGS, "win"}
    assert sum(files.values()) < 400_000
