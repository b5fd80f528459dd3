"""`python -m assets.make`: draws and synthesises every asset of our own anew; same libraries, same bytes."""

from pathlib import Path

from assets.make import avatars, sounds, table

ASSETS = Path(__file__).parents[1]

avatars.draw(ASSETS)
table.draw(ASSETS)
sounds.play(ASSETS)
