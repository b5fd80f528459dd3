"""Frames of a replay match those of the live show."""

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page

from broadcast.on_air.events import OnAirEntry
from server.game.events import BotEliminated, StreetDealt
from tests.overlay.support.compare_pictures import same_picture
from tests.overlay.support.screen import SETTLED, Screen, png_of
from tests.overlay.support.show_server import ShowServer
from tests.support.recordings import aired, small_contest

PHOTOGRAPHED = (StreetDealt, BotEliminated)
"""After these events, and at the end, pictures are compared as well as states."""
STILL = "motion=off&still"
_READY = "() => document.body?.dataset.ready === 'yes'"
# Only the picture, as large as the window, as on the show's own pages. From the beginning, because Chromium
# keeps portraits as decoded for the size at which they were first painted.
_ALONE = """addEventListener("DOMContentLoaded", () => {
  const screen = document.getElementById("screen");
  Object.assign(screen.style, { position: "fixed", inset: "0", zIndex: "9", borderRadius: "0" });
})"""


@pytest.fixture(scope="module")
def on_air() -> Sequence[OnAirEntry]:
    """The entries that the contest in `recordings` puts on air."""
    return aired(small_contest())


def moments(entries: Sequence[OnAirEntry]) -> Iterator[int]:
    """The number of an entry for each scene, in the order of the show."""
    last_of = ("stage_started", "street_dealt", "hand_shown", "pot_awarded", "bot_eliminated", "game_ended")
    kinds = [type(entry.event).__struct_config__.tag for entry in entries]
    wanted = {kinds.index(kind) + 1 for kind in last_of} | {len(entries)}
    yield from sorted(wanted)


def test_replayed_moment_equals_the_live_frame(
    shows: ShowServer, browser: Browser, on_air: Sequence[OnAirEntry]
) -> None:
    live = Screen(shows, browser, "live", STILL, page="projector", width=1920, height=1080)
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    again = opened(context.new_page(), shows, STILL)
    shown = 0
    for seq in moments(on_air):
        live.put(on_air[shown:seq])
        shown = seq
        live.settle()
        again.evaluate("(seq) => window.highnoon.head.seek(seq)", seq)
        again.evaluate(SETTLED)
        assert live.state() == again.evaluate("() => window.highnoon.state()")
        if seq == len(on_air) or isinstance(on_air[seq - 1].event, PHOTOGRAPHED):
            assert same_picture(live.picture(), png_of(again)), on_air[seq - 1]
    live.close()
    context.close()


def opened(page: Page, shows: ShowServer, query: str) -> Page:
    """The replay's page with only the picture."""
    page.add_init_script(_ALONE)
    page.goto(f"{shows.address}/replay/one?debug&{query}")
    page.wait_for_function(_READY)
    return page
