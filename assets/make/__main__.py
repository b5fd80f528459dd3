"""`python -m assets.make`: makes every picture and sound again. The same libraries give the same bytes."""

from pathlib import Path

from assets.make import avatars, ogg, table, ticks, wins
from broadcast.media.win_sounds import LUFS

ASSETS = Path(__file__).parents[1]

avatars.draw(ASSETS)
table.draw(ASSETS)
for slug, win in wins.HOUSE.items():
    ogg.write(ASSETS / "house" / slug / "sound.ogg", win(), LUFS)
ogg.write(ASSETS / "sounds" / "win.ogg", wins.fanfare(), LUFS)
for name, (sound, lufs) in ticks.LEVELS.items():
    ogg.write(ASSETS / "sounds" / f"{name}.ogg", sound(), lufs, fade_out=0.02)
