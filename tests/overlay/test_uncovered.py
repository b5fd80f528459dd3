"""In whole shows with much talk, no name, face, card or amount is covered or cut off.

The shows are sampled on the page that films clips, which has its own clock.
"""

import asyncio
import time
from pathlib import Path

import pytest

from broadcast.app import Studio
from broadcast.film.film import film_recording
from broadcast.video.chromium import open_tab
from broadcast.web.serve import serving
from tests.overlay.support.lively_show import lively_entries
from tests.support.programs.browsers import film_browser

pytestmark = pytest.mark.programs
COVERS = (Path(__file__).parent / "support" / "covers.js").read_text(encoding="utf-8")
SHOWS = {
    "quick-draw": ((1920, 1080), "wide", "western"),
    "enova": ((390, 844), "tall", "western"),
    "arena": ((1280, 720), "wide", "plain"),
    "upac": ((390, 844), "tall", "plain"),
}
"""For each contest the size of the window in pixels, and the shape and theme of the picture in it."""
MOMENTS, STRETCHES, RATE = 240, 12, 2
"""How many moments are sampled, in how many stretches, and how many in each second of a stretch.

The stretches begin at equal distances.
"""


@pytest.mark.parametrize("contest", SHOWS)
async def test_no_name_face_card_or_amount_is_covered_while_all_bots_talk_and_think(
    contest: str, tmp_path: Path
) -> None:
    window, shape, theme = SHOWS[contest]
    film = await asyncio.to_thread(lambda: film_recording(lively_entries(contest, seed=1871)))
    each = MOMENTS // STRETCHES
    starts = [film.outline.length_ms * at // STRETCHES for at in range(STRETCHES)]
    cuts = "".join(f"&cut={start}:{each}" for start in starts)
    spoken, thought, covered = 0, 0, list[str]()
    studio = Studio(tmp_path, time.monotonic)
    studio.add_clip(film)
    async with serving(studio.app, "127.0.0.1", 0) as address:
        page = f"{address}/clip?shape={shape}&theme={theme}&rate={RATE}{cuts}"
        async with open_tab(film_browser(), page, window) as tab:
            await tab.evaluate(COVERS)
            for number in range(MOMENTS):
                speaks, thinks, seen = await tab.evaluate(f"clip.show({number}).then(window.sampled)")
                spoken, thought = spoken + speaks, thought + thinks
                covered += [f"{starts[number // each] + number % each * 1000 // RATE} ms: {line}" for line in seen]
    assert covered == []
    assert min(spoken, thought) > MOMENTS / 6
