"""How long does a clip of 12 seconds take? The peer: screenshots of one browser by Playwright, without the sound.

Both show the same page, move its clock by hand and feed the same encoder. Run: `make bench BENCH=clips`.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.async_api import async_playwright

from broadcast.app import Studio
from broadcast.film.film import Film
from broadcast.film.highlights import ranked
from broadcast.video.ffmpeg import encode
from broadcast.video.frames import QUALITY, RATE, Clip, Cut
from broadcast.web.serve import serving
from server.app.clips.filming import Tools, film_clip, find_tools
from server.app.recordings.films import open_showing
from tests.bench.common.scales import options, print_machine
from tests.overlay.support.film import played
from tests.support.browsers import FLAGS

GOAL_SECONDS = 25


async def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, tools = Path(name), find_tools()
        film = (await asyncio.to_thread(open_showing, played(folder), live=False)).film
        best = ranked(film.outline)[0]
        clip = Clip((Cut(round(best.until_ms - seconds * 1000), round(seconds * RATE)),))
        begun = time.perf_counter()
        await film_clip(film, clip, folder / "media", tools, folder / "ours.mp4")
        ours = time.perf_counter() - begun
        begun = time.perf_counter()
        await by_screenshots(film, clip, tools, folder)
        peer = time.perf_counter() - begun
    rates = [clip.frames / took for took in (ours, peer)]
    print(f"a clip of {seconds:g} s  ours {ours:5.1f} s, {rates[0]:4.1f} frames/s", end="   ")
    print(f"screenshots {peer:5.1f} s, {rates[1]:4.1f} frames/s   {peer / ours:.1f}x  (goal {GOAL_SECONDS} s for 12)")


async def by_screenshots(film: Film, clip: Clip, tools: Tools, folder: Path) -> None:
    """The same pictures, one after another, as Playwright takes them."""
    async with AsyncExitStack() as closing:
        studio = Studio(folder / "media", time.monotonic)
        studio.add_clip(film)
        address = await closing.enter_async_context(serving(studio.app, "127.0.0.1", 0))
        playwright = await closing.enter_async_context(async_playwright())
        chromium = await playwright.chromium.launch(executable_path=tools.chromium, args=FLAGS)
        page = await chromium.new_page(viewport={"width": clip.size[0], "height": clip.size[1]})
        await page.goto(f"{address}/clip?{clip.query}")

        async def taken() -> AsyncIterator[bytes]:
            for number in range(clip.frames):
                await page.evaluate(f"clip.show({number})")
                yield await page.screenshot(type="jpeg", quality=QUALITY)

        await encode(tools.ffmpeg, taken(), RATE, folder / "peer.mp4")
        await chromium.close()


if __name__ == "__main__":
    flags = options(__doc__, seconds=12.0)
    print_machine()
    asyncio.run(main(flags.seconds))
