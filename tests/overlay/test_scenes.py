"""In every scene, parts fit their boxes, and text is legible. Scenes look like golden pictures (stored screenshots).

Legible text is large enough, touches no other text, and has enough contrast with its background. Dimmed cards need no
contrast, nor does text under a stamp. `GOLDEN=new pytest tests/overlay/test_scenes.py` stores new golden pictures.
Look at them before you commit them.
"""

import os
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from broadcast.on_air.events import Chance, EquitiesChanged, OnAirEntry
from server.game.events import TurnStarted
from server.hand_histories.import_hands import import_hands
from tests.overlay.conftest import TALL_WINDOW, OpenScreen
from tests.overlay.support.pictures import GOLDEN_SIZE, find_faint_texts, measure_difference, read_texts, shrink
from tests.overlay.support.scenes import FOUR_ALL_IN, SCENES, one_table, start_trials
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.programs.in_node import Node
from tests.support.source_files import ROOT

GOLDEN = Path(__file__).parent / "golden"
MEASURES = (Path(__file__).parent / "support" / "measures.js").read_text(encoding="utf-8")
SCALED_HEIGHTS = {
    "betting": (1080, 720), "twelve_running_out": (1080,), "standings": (720,), "champion": (1080,),
    "technical_trouble": (720,),
}  # fmt: skip
"""The heights in pixels at which these scenes are also compared with golden pictures."""
HALF_HEIGHT = 540
"""The height in pixels at which wide pictures are compared. At 1080, a comparison would take four times as long."""
NO_FAULTS: dict[str, list[str]] = {"small": [], "outside": [], "overlapping": [], "unsafe": []}
"""What `find_layout_faults` returns for a picture without faults."""
PLAIN_GOLDEN = ("betting", "captured", "standings", "reading", "champion", "resting")
TALL_GOLDEN = (
    "betting", "twelve_running_out", "captured", "standings", "evening_counted", "champion", "resting", "compared",
    "certainty", "matrix", "reading",
)  # fmt: skip
LONG_NAME = "Señor Fold-a-Lot de Río Grande"
LAYOUT = """async ([count, near, seats], load) => (await load("/static/js/overlay/scenes/layout.js"))
  .layoutFor(count, { near, seats }).map((box) => ({ ...box, x: box.left + box.width / 2 }))"""
HAS_WANTED = """() => [...document.querySelectorAll(".poster__wanted")].map(
  (head) => !head.textContent && getComputedStyle(head, "::before").content.includes("WANTED"))"""
# Returns how far the text of each chance to win is from the left edge of its box, in pixels of the unscaled picture.
# The unscaled picture is 1920 pixels wide, or 837 if it is tall.
MARGINS = """() => [...document.querySelectorAll(".chance")].map((chance) => {
  const [box, range] = [chance.getBoundingClientRect(), document.createRange()];
  range.selectNodeContents(chance.firstElementChild);
  const text = Math.min(...[...range.getClientRects()].map((each) => each.left));
  return ((text - box.left) * chance.offsetWidth) / box.width;
})"""
# Returns the left, top, width and height of each element, in CSS pixels.
READ_BOXES = """(selector) => [...document.querySelectorAll(selector)].map((node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
})"""


@pytest.mark.parametrize("scene", SCENES)
def test_wide_scene_is_legible_and_looks_like_its_golden_picture(scene: str, wide: Screen) -> None:
    wide.show(SCENES[scene]())
    assert find_layout_faults(wide) == NO_FAULTS
    for height in (*SCALED_HEIGHTS.get(scene, ()), HALF_HEIGHT):
        wide.page.set_viewport_size({"width": height * 16 // 9, "height": height})
        wide.settle()
        if scene not in ("names", "reading_of_nine"):  # these two have characters that look different on each machine
            compare_with_golden(scene if height == HALF_HEIGHT else f"{scene}-{height}", wide.picture())
    assert not find_faint_texts(read_texts(wide))


@pytest.mark.parametrize("scene", [*PLAIN_GOLDEN, "everyone_all_in", "winner", "evening_counted", "at_stake"])
def test_plain_theme_is_legible_and_looks_like_its_golden_pictures(scene: str, open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still&theme=plain&deck=2", width=960, height=HALF_HEIGHT)
    screen.show(SCENES[scene]())
    assert not find_faint_texts(read_texts(screen))
    if scene in PLAIN_GOLDEN:
        compare_with_golden(f"plain-{scene}", screen.picture())


@pytest.mark.parametrize("scene", [*TALL_GOLDEN, "names"])
def test_tall_scene_fits_and_looks_like_its_golden_picture(scene: str, tall: Screen) -> None:
    """The scene `names` is only measured, because it has no golden picture. No other test measures its tall picture."""
    tall.show(SCENES[scene]())
    assert find_layout_faults(tall) == NO_FAULTS
    if scene in TALL_GOLDEN:
        compare_with_golden(f"tall-{scene}", tall.picture(), GOLDEN_SIZE[::-1])


def test_tall_plain_theme_fits_and_looks_like_its_golden_picture(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still&shape=tall&theme=plain&deck=2", width=TALL_WINDOW[0], height=TALL_WINDOW[1])
    screen.show(SCENES["betting"]())
    assert find_layout_faults(screen) == NO_FAULTS
    compare_with_golden("tall-plain-betting", screen.picture(), GOLDEN_SIZE[::-1])


def compare_with_golden(name: str, png: bytes, size: tuple[int, int] = GOLDEN_SIZE) -> None:
    """Compares a screenshot with a golden picture. With GOLDEN=new, first stores the screenshot as that picture."""
    if os.environ.get("GOLDEN") == "new":
        shrink(png, size).save(GOLDEN / f"{name}.png", optimize=True)
    assert measure_difference(GOLDEN / f"{name}.png", png) < 0.01


def find_layout_faults(screen: Screen) -> Any:
    """Lists what is too small, overlaps something, or is not wholly inside its box and the safe area."""
    screen.page.evaluate(MEASURES)
    return screen.page.evaluate("() => window.measures()")


def full_table(count: int, stack: int, acts: str = "") -> Script:
    """A table at which all bots have long names and the same large stack. Two bots chat."""
    script = one_table((LONG_NAME,) * count, stack).hand(acts or f"call raise:{stack // 1000 * 999} call")
    return script.chat(*((bot, "A word from this seat, and it is really not a short one.") for bot in (1, count)))


@pytest.mark.parametrize("count", range(2, 13))
def test_tall_table_of_any_size_fits_and_has_even_rows(count: int, tall: Screen) -> None:
    tall.show(one_table((LONG_NAME,) * count).hand())
    rows = Counter(top for _, top, _, _ in tall.page.evaluate(READ_BOXES, ".seat"))
    middle = (min(rows) + max(rows)) / 2
    for is_above in (True, False):
        assert_even(Counter({top: row for top, row in rows.items() if (top < middle) == is_above}))
    script = full_table(count, 123456, "call raise:123456 call" + " fold" * (count - 3))
    folds = [at for at, entry in enumerate(script.entries) if getattr(entry.event, "act", "") == "fold"]
    for end in {len(script.entries), *folds[:1]}:
        tall.show_all(script.entries[:end])
        assert find_layout_faults(tall) == NO_FAULTS


@pytest.mark.parametrize("count", range(3, 13))
def test_bots_keep_their_sides_when_the_picture_zooms_in(count: int, node: Node) -> None:
    """When the picture zooms in on some seats, the other seats are small, and are called the bench."""
    table = node.evaluate(LAYOUT, [count, "table", []])
    for first, second in combinations(range(count), 2):
        zoomed_in = node.evaluate(LAYOUT, [count, "duel", [first, second]])
        assert (zoomed_in[first]["x"] - zoomed_in[second]["x"]) * (table[first]["x"] - table[second]["x"]) >= 0
    for zoom, focus, side in (("duel", [0, 1], "x"), ("group", [0, 1, 2], "top")):
        middle = 960 if side == "x" else 540
        bench = [seat for seat in node.evaluate(LAYOUT, [count, zoom, focus]) if seat["kind"] == "bench"]
        for is_before in (True, False):
            assert_even(Counter(seat["top"] for seat in bench if (seat[side] < middle) == is_before))


def assert_even(rows: Counter[int]) -> None:
    """Asserts that the numbers of seats in these rows differ by at most one."""
    assert not rows or max(rows.values()) - min(rows.values()) <= 1


def test_short_names_on_the_bench_differ(tall: Screen) -> None:
    names = tall.page.locator(".seat--bench .poster__name:visible")
    tall.show(SCENES["twelve_running_out"]())
    assert {"Bandit", "Fold-a-Lot"} <= {*names.all_inner_texts()}
    tall.show(one_table([f"Mind of {letter}" for letter in "ABCDEFGHIJKL"]).hand(FOUR_ALL_IN))
    assert len({*names.all_inner_texts()}) == names.count() > 1


def test_bot_that_is_out_is_no_longer_wanted(wide: Screen) -> None:
    wide.show(SCENES["winner"]().eliminate(1, 12).hand("call"))
    assert wide.page.evaluate(HAS_WANTED) == [False] * 6
    wide.show(start_trials().game().hand("call"))
    assert wide.page.evaluate(HAS_WANTED) == [True] * 6


@pytest.mark.parametrize("count", [2, 6, 8, 10, 12])
def test_no_chance_touches_the_edge_of_its_box(count: int, screen: Screen) -> None:
    script = one_table(NAMES[:count]).hand()
    for win, tie in ((888, 0), (1000, 0), (991, 9), (8, 9), (0, 880), (0, 995), (0, 1000)):
        screen.show(script.put(EquitiesChanged(tuple(Chance(seat, win, tie) for seat in range(count)))))
        assert min(screen.page.evaluate(MARGINS)) >= 5


def test_unknown_cards_of_published_hands_lie_face_down(wide: Screen) -> None:
    published = import_hands((ROOT / "tests/data/phh/dwan-ivey-2009.phh").read_bytes()).entries
    first_turn = next(number for number, entry in enumerate(published) if isinstance(entry.event, TurnStarted))
    wide.put(OnAirEntry(entry.seq, entry.at_ms, 0, entry.event) for entry in published[:first_turn])
    wide.settle()
    are_backs = "(cards) => cards.map((card) => !!card.dataset.back)"
    backs = wide.page.locator(".seat__cards .card").evaluate_all(are_backs)
    assert backs[:6] == [False, False, True, True, False, False]


@pytest.mark.parametrize(
    ("page", "width", "height"),
    [("projector", 390, 844), ("overlay", 844, 390), ("overlay", 820, 1180), ("projector", 1280, 960),
     ("projector", 1280, 540)],
)  # fmt: skip
def test_picture_is_centred_on_any_screen(page: str, width: int, height: int, open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still", page=page, width=width, height=height, phone=True)
    screen.show(SCENES["betting"]())
    assert screen.page.evaluate("() => [innerWidth, innerHeight]") == [width, height]
    [(left, top, stage_width, stage_height)] = screen.page.evaluate(READ_BOXES, ".stage")
    assert max(stage_width / width, stage_height / height) == pytest.approx(1, abs=0.01)
    assert (left, top) == pytest.approx(((width - stage_width) / 2, (height - stage_height) / 2), abs=1)


def test_upright_phone_gets_the_tall_picture_by_default(open_screen: OpenScreen) -> None:
    read_shape = "() => document.documentElement?.dataset.shape"  # during a reload, a page may lack its root element
    screen = open_screen("motion=off&still", page="projector", width=390, height=844, phone=True)
    screen.show(SCENES["betting"]())
    assert screen.page.evaluate(read_shape) == "tall"
    for width, height, new_shape, box in ((844, 390, "wide", [693, 390]), (390, 844, "tall", [390, 693])):
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.wait(f"() => ({read_shape})() === '{new_shape}' && document.querySelector('.seat')")
        assert screen.page.evaluate(READ_BOXES, ".stage")[0][2:] == box
    for address in (f"{screen.address}&shape=wide", screen.address.replace("/projector", "/overlay")):
        screen.page.goto(address)
        screen.wait("() => document.documentElement.dataset.wire === 'up'")
        assert screen.page.evaluate(read_shape) == "wide"
