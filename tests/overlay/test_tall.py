"""The tall picture, for phones and short videos: every scene fits between the buttons of a phone's video player."""

from collections import Counter

import pytest
from playwright.sync_api import expect

from broadcast.on_air.events import ThoughtShown
from tests.overlay.conftest import TALL, OpenScreen
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.overlay.test_scenes import FITTING, compare, measure

GOLDEN_SIZE = (270, 480)
GOLDEN = (
    "betting", "twelve_running_out", "captured", "standings", "evening_counted", "champion", "resting", "compared",
    "certainty", "matrix", "reading",
)  # fmt: skip
LONG_NAME = "Señor Fold-a-Lot de Río Grande"
_BOXES = """(selector) => [...document.querySelectorAll(selector)].map((node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
})"""


@pytest.mark.parametrize("scene", [*GOLDEN, "names"])
def test_scene_fits_the_tall_picture_and_looks_like_its_golden_one(scene: str, tall: Screen) -> None:
    """tests/overlay/test_brand.py measures all scenes except `names`, whose wide names leave no room for branding."""
    tall.show(SCENES[scene]())
    assert measure(tall) == FITTING
    if scene in GOLDEN:
        compare(f"tall-{scene}.png", tall.picture(), GOLDEN_SIZE)


def test_plain_theme_fits_the_tall_picture(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still&shape=tall&theme=plain&deck=2", width=TALL[0], height=TALL[1])
    screen.show(SCENES["betting"]())
    assert measure(screen) == FITTING
    compare("tall-plain-betting.png", screen.picture(), GOLDEN_SIZE)


@pytest.mark.parametrize("count", range(2, 13))
def test_every_table_size_fits_before_and_after_the_folds(count: int, tall: Screen) -> None:
    script = Script((LONG_NAME,) * count, stack=123456).connect().stage(games=1, advance=0).game(range(1, count + 1))
    script.hand("call raise:123456 call" + " fold" * (count - 3))
    script.chat(*((bot, "A word from every seat of the table, and it is not a short one.") for bot in (1, count)))
    folds = [at for at, entry in enumerate(script.entries) if getattr(entry.event, "act", "") == "fold"]
    for end in {len(script.entries), *folds[:1]}:
        tall.show_all(script.entries[:end])
        assert measure(tall) == FITTING


def test_widest_thought_leaves_the_line_above_it_in_its_place(tall: Screen) -> None:
    tall.show(SCENES["betting"]().put(ThoughtShown(4, "W" * 140)))
    [(left, _, width, _)], [(outer, _, whole, _)] = (
        tall.page.evaluate(_BOXES, selector) for selector in (".speaker__name", ".speaker")
    )
    assert left + width < outer + whole


def test_thought_says_how_true_its_bot_has_been_and_what_its_marks_mean(still: Screen, tall: Screen) -> None:
    tally = "() => getComputedStyle(document.querySelector('.speaker__name'), '::after').content.replace('\\\\a ', ' ')"
    marks = "() => getComputedStyle(document.querySelector('.third__marks')).visibility"
    for screen in (still, tall):
        screen.show(SCENES["thinking"]())
        assert screen.page.evaluate(tally) == '"13 of 118 false tonight"'
        explained = screen.page.locator(".third__marks")
        expect(explained).to_have_text("true by what it could see false [the truth]")
        expect(explained.locator(".claim--wrong")).to_have_css("text-decoration-line", "line-through")
        assert screen.page.evaluate(marks) == "visible"
        screen.show(SCENES["betting"]().put(ThoughtShown(4, "I feel lucky.")))
        assert screen.page.evaluate(tally) == '"thinks"'
        expect(explained).to_be_hidden()


def test_upright_phone_gets_the_tall_picture_unless_the_address_asks_for_the_wide_one(open_screen: OpenScreen) -> None:
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
    [("projector", 390, 844), ("overlay", 844, 390), ("overlay", 820, 1180), ("projector", 1280, 960),
     ("projector", 1280, 540)],
)  # fmt: skip
def test_whole_picture_is_centred_on_a_screen_of_any_shape(
    page: str, width: int, height: int, open_screen: OpenScreen
) -> None:
    screen = open_screen("motion=off&still", page=page, width=width, height=height, phone=True)
    screen.show(SCENES["betting"]())
    assert screen.page.evaluate("() => [innerWidth, innerHeight]") == [width, height]
    [(left, top, wide, high)] = screen.page.evaluate(_BOXES, ".stage")
    assert max(wide / width, high / height) == pytest.approx(1, abs=0.01)
    assert (left, top) == pytest.approx(((width - wide) / 2, (height - high) / 2), abs=1)


def test_bench_names_the_bots_that_are_out_of_the_hand(tall: Screen) -> None:
    tall.show(SCENES["twelve_running_out"]())
    names = tall.page.locator(".seat--bench .poster__name:visible").all_inner_texts()
    assert {"Bandit", "Fold-a-Lot"} <= {*names}


def test_bench_tells_bots_apart_whose_short_names_are_the_same(tall: Screen) -> None:
    script = Script(tuple(f"Mind of {letter}" for letter in "ABCDEFGHIJKL")).connect().stage(games=1, advance=0)
    acts = "fold fold raise:5000 fold fold call fold fold call fold call fold"
    tall.show(script.game(range(1, 13), (5000,) * 12).hand(acts))
    names = tall.page.locator(".seat--bench .poster__name:visible").all_inner_texts()
    assert len({*names}) == len(names) > 1


def test_rows_of_seats_differ_in_length_by_at_most_one_seat(tall: Screen) -> None:
    for count in range(2, 13):
        script = Script((LONG_NAME,) * count).connect().stage(games=1, advance=0).game(range(1, count + 1))
        tall.show(script.hand())
        rows = Counter(top for _, top, _, _ in tall.page.evaluate(_BOXES, ".seat"))
        middle = (min(rows) + max(rows)) / 2
        for block in ({top: row for top, row in rows.items() if (top < middle) == above} for above in (True, False)):
            assert max(block.values()) - min(block.values()) <= 1
