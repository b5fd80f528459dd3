"""Makes the README's pictures from the real pages: `python -m tests.overlay.support.pictures`."""

import asyncio
import io
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from broadcast.film.highlights import ranked
from broadcast.video.chromium import find_chromium
from broadcast.video.frames import Clip, Cut
from server.app.clips.filming import find_tools, open_tabs
from server.app.recordings.films import open_showing
from server.paths import ASSETS
from tests.overlay.support.film import play_demo
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS
from tests.support.program import serving_program

FOLDER = ASSETS / "pictures"
SIZE = (1280, 720)
CONTACT = (512, 288)
ACROSS = 3
CLIP = tuple(range(30, 540, 60))
"""The numbers of the clip's frames that are put on the sheet."""
PLAIN = "theme=plain&deck=2"
LIVE_MS = 4000
"""The hold time of the last entries, long enough to show their motion."""
FLIGHT_MS = 1100
"""The time between the last entry and the picture, when particles are in full flight."""
DESK = (1440, 900)
ON_DESK_MS = 25_000
"""How long the demo runs before the picture of its desk; at least one bot has raised by then."""
WESTERN = (
    "starting", "dealt", "chatting", "five_side_pots", "twelve", "heads_up", "everyone_all_in", "split", "captured",
    "shared_duel", "standings", "finalists", "final_hand", "replay", "resting", "champion", "technical",
)  # fmt: skip
SHEET = [
    *((scene, "") for scene in WESTERN),
    *((scene, PLAIN) for scene in ("winner", "captured", "standings", "champion")),
]
"""The scenes on the sheet, each with its settings."""


def main() -> None:
    """Takes pictures of the table at a win, of all scenes on one sheet, of the desk, and of a clip."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as media, ShowServer(Path(media)) as shows, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)

        def take_picture(scene: str, live: int, settings: str = "") -> Image.Image:
            channel = f"{scene}-{'plain' if settings else 'western'}-{live}"
            screen = Screen(shows, chromium, channel, settings, page="projector")
            entries = SCENES[scene]().entries
            screen.put(entries[: len(entries) - live])
            screen.settle()
            screen.put(replace(entry, hold_ms=LIVE_MS) for entry in entries[len(entries) - live :])
            screen.page.wait_for_timeout(FLIGHT_MS)
            picture = Image.open(io.BytesIO(screen.page.screenshot())).convert("RGB")
            screen.close()
            return picture

        table = take_picture("winner", live=2)
        sheet = Image.new("RGB", (CONTACT[0] * ACROSS, CONTACT[1] * -(-len(SHEET) // ACROSS)))
        for number, (scene, settings) in enumerate(SHEET):
            small = take_picture(scene, 0, settings).resize(CONTACT, Image.Resampling.LANCZOS)
            sheet.paste(small, (number % ACROSS * CONTACT[0], number // ACROSS * CONTACT[1]))
        desk = take_desk_picture(Path(media), chromium)
        chromium.close()
    table.resize(SIZE, Image.Resampling.LANCZOS).save(FOLDER / "table.webp", quality=88)
    sheet.save(FOLDER / "scenes.webp", quality=74)
    desk.save(FOLDER / "desk.webp", quality=88)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(film_clip(Path(folder))).save(FOLDER / "clip.webp", quality=78)


async def film_clip(folder: Path) -> Image.Image:
    """Puts frames from the end of a demo's best hand on one sheet: one for every two seconds."""
    recording = await asyncio.to_thread(play_demo, folder)
    film = (await asyncio.to_thread(open_showing, recording, live=False)).film
    ends = ranked(film.outline)[0].until_ms
    clip = Clip((Cut(ends - 2000 * len(CLIP), 60 * len(CLIP)),))
    sheet = Image.new("RGB", (CONTACT[0] * ACROSS, CONTACT[1] * -(-len(CLIP) // ACROSS)))
    async with AsyncExitStack() as closing:
        (tab,) = await open_tabs(closing, film, clip, folder / "media", find_tools().chromium, browsers=1)
        for at, number in enumerate(CLIP):
            await tab.evaluate(f"clip.show({number})")
            small = Image.open(io.BytesIO(await tab.picture(95))).resize(CONTACT, Image.Resampling.LANCZOS)
            sheet.paste(small, (at % ACROSS * CONTACT[0], at // ACROSS * CONTACT[1]))
    return sheet


def take_desk_picture(folder: Path, chromium: Browser) -> Image.Image:
    """Takes a picture of the control desk of a real demo after some clicks, while another page plays the sound."""
    with serving_program("demo", "--data", str(folder / "data"), "--seed", "1871") as demo:
        address = next(word for word in demo.output.split() if "/control?token=" in word)
        show = chromium.new_page()
        show.goto(f"{demo.base}/overlay?audio=1")
        show.get_by_text("Click for sound").click()
        desk = chromium.new_page(viewport={"width": DESK[0], "height": DESK[1]})
        desk.goto(address)
        desk.fill("#name", "Ada")
        desk.press("#name", "Tab")
        for button in ("#faster", "#hold", "#undo"):
            desk.click(button)
            desk.wait_for_timeout(400)
        desk.wait_for_timeout(ON_DESK_MS)
        return Image.open(io.BytesIO(desk.screenshot())).convert("RGB")


if __name__ == "__main__":
    main()
