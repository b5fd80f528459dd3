"""The README's pictures, taken of the real pages: `python -m tests.overlay.pictures`."""

import io
import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import sync_playwright

from broadcast.app import HOUSE
from tests.browsers import find_chromium
from tests.overlay.scenes import captured, champion, chatting, side_pots, standings, starting, winner
from tests.overlay.screen import FLAGS, Screen
from tests.overlay.scripted import Script
from tests.overlay.theatre import Theatre

FOLDER = HOUSE / "assets" / "pictures"
SIZE = (1280, 720)
CONTACT = (640, 360)
LIVE_MS = 4000
"""How long the last entries hold the screen, so that they move."""
FLIGHT_MS = 1100
"""How long after the last entry a picture is taken: particles are in full flight."""
SHEET: tuple[Callable[[], Script], ...] = (starting, chatting, side_pots, captured, standings, champion)


def main() -> None:
    """Takes the table at the moment of a win, and a sheet of the other scenes."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as media, Theatre(Path(media)) as theatre, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)

        def taken(scene: Callable[[], Script], live: int) -> Image.Image:
            screen = Screen(theatre, chromium, scene.__name__, page="projector")
            entries = scene().entries
            screen.put(entries[: len(entries) - live])
            screen.settle()
            screen.put(replace(entry, hold_ms=LIVE_MS) for entry in entries[len(entries) - live :])
            screen.page.wait_for_timeout(FLIGHT_MS)
            picture = Image.open(io.BytesIO(screen.page.screenshot())).convert("RGB")
            screen.close()
            return picture

        table = taken(winner, live=2)
        sheet = Image.new("RGB", (CONTACT[0] * 2, CONTACT[1] * 3))
        for number, scene in enumerate(SHEET):
            small = taken(scene, live=0).resize(CONTACT, Image.Resampling.LANCZOS)
            sheet.paste(small, (number % 2 * CONTACT[0], number // 2 * CONTACT[1]))
        chromium.close()
    table.resize(SIZE, Image.Resampling.LANCZOS).save(FOLDER / "table.webp", quality=88)
    sheet.save(FOLDER / "scenes.webp", quality=85)


if __name__ == "__main__":
    main()
