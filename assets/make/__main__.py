"""`python -m assets.make`: makes every picture and sound. The same library versions produce the same bytes."""

from pathlib import Path

from assets.make import avatars, table
from assets.make.sounds import ogg, ticks, wins
from broadcast.media.sound_encoding import TARGET_LUFS


def make(folder: Path) -> None:
    """Writes every picture and sound below `folder`, the folder `assets`."""
    avatars.draw(folder)
    table.draw(folder)
    for slug, win in wins.HOUSE_BOTS.items():
        ogg.write(folder / "house" / slug / "sound.ogg", win(), TARGET_LUFS)
    ogg.write(folder / "sounds" / "win.ogg", wins.fanfare(), TARGET_LUFS)
    for name, (sound, lufs) in ticks.SOUNDS.items():
        ogg.write(folder / "sounds" / f"{name}.ogg", sound(), lufs, fade_out=0.02)


if __name__ == "__main__":
    make(Path(__file__).parents[1])
