"""The tall picture for phones and short videos: every scene fits, clear of a phone player's buttons, and is legible.

The screen is 837 by 1488, so 28 pixels on it are 36 where the picture is 1920 high.
"""

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import expect

from server.game.events import ActionTaken, BetsCollected
from tests.overlay.conftest import TALL, OpenScreen
from tests.overlay.support.legibility import LEAST, READINGS, overlap
from tests.overlay.support.scenes import SCENES, TRIALS
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.test_scenes import FITTING, compare, measured

KEPT = (270, 480)
MIN_OF_1920 = 36
SAFE = {"left": 36, "right": 744, "top": 140, "bottom": 1294}
"""Of 1080 by 1920: 46 at the left, 120 at the right, 180 above, 250 below."""
GOLDEN = ("betting", "twelve_running_out", "captured", "standings", "evening_counted", "champion", "resting")
MEASURED = (
    *GOLDEN, "heads_up", "finalists", "starting", "five_side_pots", "names", "chatting", "shared_duel",
    "technical_trouble",
)  # fmt: skip
LONG_NAME = "Señor Fold-a-Lot de Río Grande"
_BOXES = """(selector) => [...document.querySelectorAll(selector)].map((node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
})"""
# Where flying chips will land, recorded by the page itself: they are gone before the test could ask.
_LANDINGS = """() => {
  window.landings = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) if (node.className === "flight")
      window.landings.push([parseFloat(node.style.left) + 20, parseFloat(node.style.top) + 20]);
  }).observe(document.querySelector(".stage"), { childList: true, subtree: true });
}"""


def fits(screen: Screen) -> None:
    """Asserts that everything on a tall page fits and is legible."""
    assert measured(screen) == FITTING
    screen.page.evaluate(READINGS)
    found: list[dict[str, Any]] = screen.page.evaluate("() => window.readings()")
    assert not [each["text"] for each in found if each["size"] < LEAST]
    assert not [each["text"] for each in found if not is_safe(each)]
    assert not [(one["text"], other["text"]) for one, other in combinations(found, 2) if overlap(one, other)]


def is_safe(reading: dict[str, Any]) -> bool:
    """Whether a text is clear of a player's own signs. The stage and hand at the top may be covered."""
    left, top, right, bottom = reading["box"]
    middle = (top + bottom) / 2
    above = SAFE["top"] if not reading["of"].startswith("third__") else 0
    return bool(left >= SAFE["left"] - 3 and right <= SAFE["right"] + 3 and above <= middle <= SAFE["bottom"])


def test_smallest_text_is_36_of_1920_pixels_high() -> None:
    assert LEAST / TALL[1] * 1920 >= MIN_OF_1920


@pytest.mark.parametrize("scene", MEASURED)
def test_every_scene_fits_the_tall_picture(scene: str, tall: Screen) -> None:
    tall.show(SCENES[scene]())
    fits(tall)
    if scene in GOLDEN:
        compare(f"tall-{scene}.png", tall.picture(), KEPT)


def test_plain_theme_fits_the_tall_picture(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still&shape=tall&theme=plain&deck=2", width=TALL[0], height=TALL[1])
    for scene in ("captured", "betting"):
        screen.show(SCENES[scene]())
        fits(screen)
    compare("tall-plain-betting.png", screen.picture(), KEPT)


@pytest.mark.parametrize("count", range(2, 13))
def test_every_table_size_fits_before_and_after_the_folds(count: int, tall: Screen) -> None:
    script = Script((LONG_NAME,) * count, stack=123456).connect().stage(games=1, advance=0).game(range(1, count + 1))
    script.hand("call raise:123456 call" + " fold" * (count - 3))
    script.chat(*((bot, "A word from every seat of the table, and it is not a short one.") for bot in (1, count)))
    first_fold = next((at for at, entry in enumerate(script.entries) if is_fold(entry.event)), len(script.entries))
    before = Script((LONG_NAME,) * count, stack=123456)
    before.entries = script.entries[:first_fold]
    tall.show(before)
    fits(tall)
    if first_fold < len(script.entries):
        tall.put(script.entries[first_fold:])
        tall.settle()
        fits(tall)


def test_speech_replaces_the_caption_while_it_lasts(tall: Screen) -> None:
    script = Script(stack=5000).connect().stage(games=1, advance=0).game(TRIALS).hand("call raise:300")
    tall.show(script)
    expect(tall.page.locator(".third__caption")).to_be_visible()
    tall.show(script.chat((1, "I once folded a royal flush to a man with a better hat, and I would again.")))
    expect(tall.page.locator(".speaker__name")).to_have_text("Billy the Kid")
    expect(tall.page.locator(".speaker__text")).to_contain_text("I once folded")
    expect(tall.page.locator(".third__caption")).to_be_hidden()
    expect(tall.page.locator(".third__place")).to_be_visible()


def is_fold(event: object) -> bool:
    return isinstance(event, ActionTaken) and event.act == "fold"


def test_last_two_in_a_hand_are_large_and_the_board_stays_put(tall: Screen) -> None:
    script = Script(NAMES[:6]).connect().stage(games=1, advance=0).game(range(1, 7))
    tall.show(script.hand("raise:350 fold fold"))
    board = tall.page.evaluate(_BOXES, ".board .card")
    small = tall.page.evaluate(_BOXES, ".seat")
    assert len({(width, height) for _, _, width, height in small}) == 1
    later = Script(NAMES[:6]).connect().stage(games=1, advance=0).game(range(1, 7))
    tall.show(later.hand("raise:350 fold fold fold call fold"))
    seats = tall.page.evaluate(_BOXES, ".seat")
    live = [at for at, seat in enumerate(tall.state()["seats"]) if not seat["folded"]]
    areas = [width * height for _, _, width, height in seats]
    assert len(live) == 2
    assert all(areas[at] > 2 * max(areas[other] for other in range(6) if other not in live) for at in live)
    assert tall.page.evaluate(_BOXES, ".board .card") == board


def test_chips_land_in_the_pot(open_screen: OpenScreen) -> None:
    script = Script(NAMES[:6], speed=1).connect().stage(games=1, advance=0).game(range(1, 7))
    entries = script.hand("call raise:350 fold fold fold call call").entries
    at = next(number for number, entry in enumerate(entries) if isinstance(entry.event, BetsCollected))
    screen = open_screen("shape=tall", width=540, height=960)
    screen.recall(entries[:at])
    screen.settle()
    screen.page.evaluate(_LANDINGS)
    screen.put([entries[at]])
    screen.wait("() => window.landings.length > 0")
    scale = 540 / TALL[0]
    left, top, width, height = (side / scale for side in screen.page.evaluate(_BOXES, ".pot")[0])
    landings: list[list[float]] = screen.page.evaluate("() => window.landings")
    assert all(left < x < left + width and top < y < top + height for x, y in landings)


def test_upright_phone_gets_the_tall_picture_unless_it_asks_for_the_wide(open_screen: OpenScreen) -> None:
    shape = "() => document.documentElement.dataset.shape"
    screen = open_screen("motion=off&still", page="projector", width=390, height=844, phone=True)
    assert screen.page.evaluate(shape) == "tall"
    screen.show(SCENES["betting"]())
    [box] = screen.page.evaluate(_BOXES, ".stage")
    assert box[2:] == [390, round(390 / TALL[0] * TALL[1])]
    screen.page.set_viewport_size({"width": 844, "height": 390})
    screen.wait("() => document.documentElement.dataset.shape === 'wide' && document.querySelector('.seat')")
    assert screen.page.evaluate(_BOXES, ".stage")[0][2:] == [693, 390]
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.wait("() => document.documentElement.dataset.shape === 'tall' && document.querySelector('.seat')")
    for address in (f"{screen.address}&shape=wide", screen.address.replace("/projector", "/overlay")):
        screen.page.goto(address)
        screen.wait("() => document.documentElement.dataset.wire === 'up'")
        assert screen.page.evaluate(shape) == "wide"


@pytest.mark.parametrize(
    ("page", "width", "height"),
    [("projector", 390, 844), ("overlay", 844, 390), ("overlay", 820, 1180), ("projector", 1180, 820)],
)
def test_whole_picture_fits_phones_and_tablets_held_either_way(
    page: str, width: int, height: int, open_screen: OpenScreen
) -> None:
    screen = open_screen("motion=off&still", page=page, width=width, height=height, phone=True)
    screen.show(SCENES["betting"]())
    assert screen.page.evaluate("() => [innerWidth, innerHeight]") == [width, height]
    [(left, top, wide, high)] = screen.page.evaluate(_BOXES, ".stage")
    assert max(wide / width, high / height) == pytest.approx(1, abs=0.01)
    assert (left, top) == pytest.approx(((width - wide) / 2, (height - high) / 2), abs=1)


def test_bots_out_of_the_hand_are_named_on_their_bench(tall: Screen) -> None:
    tall.show(SCENES["twelve_running_out"]())
    names = tall.page.locator(".seat--bench .poster__name:visible").all_inner_texts()
    assert {"Bandit", "Fold-a-Lot"} <= {*names}


def test_no_wire_leads_to_a_speaker_behind_another_seat(tall: Screen) -> None:
    script = SCENES["twelve_running_out"]()
    tall.show(script)
    away = tall.page.locator(".seat").evaluate_all("(seats) => seats.findIndex((seat) => seat.matches('.seat--bench'))")
    tall.show(script.later(20000).chat((script.seats[away], "I once folded aces.")))
    expect(tall.page.locator(".speaker__text")).to_contain_text("I once folded")
    expect(tall.page.locator(".wire path")).to_have_attribute("d", "")
