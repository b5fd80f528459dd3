"""Samples a whole show on the page that films clips, which has its own clock; finds what is covered or cut off."""

import time
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import Struct

from broadcast.app import Studio
from broadcast.film.film import Film
from broadcast.video.chromium import open_tab
from broadcast.web.serve import serving
from tests.support.browsers import film_browser

COVERS = (Path(__file__).parents[1] / "covers.js").read_text(encoding="utf-8")
RATE = 2
"""The number of sampled moments per second of the show."""


class Window(Struct, frozen=True):
    """The size of a window in pixels, and the shape and theme of the picture in it."""

    width: int
    height: int
    shape: str = "wide"
    theme: str = "western"


class Sampled(Struct, frozen=True):
    """What `sample` has found: `found` names everything covered or cut off, with its time in the show.

    `samples` is the number of sampled moments, and `spoken` and `thought` the numbers of these at which words or a
    thought of a bot were on screen.
    """

    samples: int
    spoken: int
    thought: int
    found: tuple[str, ...]


async def sample(film: Film, media: Path, window: Window, moments: int, stretches: int) -> Sampled:
    """Samples a film at `moments` moments, in `stretches` stretches that begin at equal distances."""
    each = moments // stretches
    starts = [film.outline.length_ms * at // stretches for at in range(stretches)]
    cuts = "".join(f"&cut={start}:{each}" for start in starts)
    found: list[str] = []
    spoken = thought = 0
    async with AsyncExitStack() as closing:
        studio = Studio(media, time.monotonic)
        studio.add_clip(film)
        address = await closing.enter_async_context(serving(studio.app, "127.0.0.1", 0))
        page = f"{address}/clip?shape={window.shape}&theme={window.theme}&rate={RATE}{cuts}"
        size = window.width, window.height
        tab = await closing.enter_async_context(open_tab(film_browser(), page, size))
        await tab.evaluate(COVERS)
        for number in range(each * stretches):
            speaks, thinks, seen = await tab.evaluate(f"clip.show({number}).then(window.sampled)")
            spoken += speaks
            thought += thinks
            found += [f"{starts[number // each] + number % each * 1000 // RATE} ms: {line}" for line in seen]
    return Sampled(each * stretches, spoken, thought, tuple(found))
