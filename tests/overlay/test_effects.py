"""Sound and particles: sound is measured with the page's audio analyser, particles are read from its canvas."""

import io

import pytest
from PIL import Image
from playwright.sync_api import Route, expect

from server.game.events import PotAwarded
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.support.in_node import Node

LOUDEST = """async (frames) => {
  let loudest = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise(requestAnimationFrame);
    loudest = Math.max(loudest, window.highnoon.level());
  }
  return loudest;
}"""
HEARD = "() => window.highnoon.level() > 0.01"
# How many pixels of the particles' canvas are mostly red, how many mostly green, and how many painted at all.
COLOURS = """() => {
  const canvas = document.querySelector("canvas.particles");
  if (!canvas) return [0, 0, 0];
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
  const painted = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at] > 99) painted[0] += 1;
    if (pixels[at + 1] > 99) painted[1] += 1;
    if (pixels[at + 3]) painted[2] += 1;
  }
  return painted;
}"""
# The names of all sounds of a show.
_SOUNDS = """async (texts, load) => {
  const { reduce } = await load("/static/js/overlay/reducer.js");
  const { opening } = await load("/static/js/overlay/reducer-state.js");
  const { cuesOf } = await load("/static/js/overlay/cues.js");
  let state = opening();
  return texts.map((text) => JSON.parse(text)).flatMap((entry) => {
    const before = state;
    state = reduce(state, entry);
    return cuesOf(entry, before, state).filter((cue) => cue.kind === "sound").map((cue) => cue.name);
  });
}"""


def put_award(screen: Screen, script: Script, first: int = 0) -> None:
    """Puts the first award on air, after recalling the entries from index `first` up to it."""
    at = next(number for number, entry in enumerate(script.entries) if isinstance(entry.event, PotAwarded))
    screen.recall(script.entries[first:at])
    screen.settle()
    screen.put([script.entries[at]])


def click_for_sound(screen: Screen) -> None:
    """Clicks the button that allows sound, and waits until the sounds are fetched."""
    screen.page.get_by_role("button", name="Click for sound").click()
    screen.page.wait_for_load_state("networkidle")


def test_page_asks_for_a_click_catches_up_silently_and_then_plays_a_win(open_screen: OpenScreen) -> None:
    # These bots have no sound of their own, so the default one must be heard.
    script = Script([f"Bot {number}" for number in range(6)], speed=1).connect().stage()
    script.game((1, 2, 3, 4, 5, 6)).hand("fold fold fold fold fold")
    screen = open_screen("audio=1", fresh=True)
    screen.shows.put(screen.air, script.entries)
    screen.page.reload()
    screen.catch_up()
    click_for_sound(screen)
    expect(screen.page.get_by_role("button")).to_be_hidden()
    assert screen.page.evaluate(LOUDEST, 20) == 0
    put_award(screen, script)
    screen.wait(HEARD)


def test_particles_are_the_winners_own_image_and_leave_nothing_behind(open_screen: OpenScreen, won: Script) -> None:
    screen = open_screen()
    # With the page's clock stopped, no animation is skipped as late on a busy machine.
    screen.page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")

    def send_colour(route: Route) -> None:
        own = route.request.url.endswith("/two-pair-tess-particle.webp")
        body = io.BytesIO()
        Image.new("RGB", (16, 16), "#00ff00" if own else "#ff0000").save(body, "PNG")
        route.fulfill(body=body.getvalue(), content_type="image/png")

    screen.page.route("**/*particle.webp", send_colour)
    put_award(screen, won)
    screen.wait(f"() => {{ window.colours = ({COLOURS})(); return window.colours[2] > 1000; }}")
    red, green, _ = screen.page.evaluate("() => window.colours")
    assert (red, green > 1000) == (0, True)
    screen.wait("() => !document.querySelector('canvas')")
    frames = screen.page.evaluate("() => window.highnoon.frames()")
    screen.settle()
    assert screen.page.evaluate("() => window.highnoon.frames()") == frames


@pytest.mark.parametrize(("scene", "wins", "sting"), [("captured", 2, "eliminated"), ("champion", 14, "champion")])
def test_cues_depend_only_on_the_entry_and_the_pictures_before_and_after_it(
    scene: str, wins: int, sting: str, node: Node
) -> None:
    sounds: list[str] = node.evaluate(_SOUNDS, [entry.text().decode() for entry in SCENES[scene]().entries])
    assert sounds.count("win") == wins
    assert {"eliminated", "champion"} & {*sounds} == {sting}
