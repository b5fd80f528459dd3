"""`python -m assets.make`: makes every picture and sound again. The same libraries give the same bytes."""

from pathlib import Path

from assets.make import avatars, sounds, table

ASSETS = Path(__file__).parents[1]

avatars.draw(ASSETS)
table.draw(ASSETS)
sounds.play(ASSETS)
