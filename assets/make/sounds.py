"""Which sound goes into which file, and how loud."""

from pathlib import Path

from assets.make import ogg, ticks, wins
from broadcast.media.win_sounds import LUFS


def play(folder: Path) -> None:
    """Write every sound below `folder`, the assets."""
    for slug, win in wins.HOUSE.items():
        ogg.write(folder / "house" / slug / "sound.ogg", win(), LUFS)
    ogg.write(folder / "sounds" / "win.ogg", wins.fanfare(), LUFS)
    for name, (sound, lufs) in ticks.LEVELS.items():
        ogg.write(folder / "sounds" / f"{name}.ogg", sound(), lufs, fade_out=0.02)
