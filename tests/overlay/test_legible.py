"""All text is legible: large enough, in contrast to what is really behind it, apart from other text.

What is out of play is dimmed on purpose (cards of folded hands, cards that did not win) and is exempt from contrast;
so is what a stamp covers.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.overlay.conftest import OpenScreen
from tests.overlay.support.compare_pictures import opened as image_of
from tests.overlay.support.luminance import Floats, colours, contrast, luminance
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import painted

READINGS = (Path(__file__).parent / "readings.js").read_text(encoding="utf-8")
STAGE_WIDTH = 1920
HALF = (960, 540)
"""Grounds are painted at half the stage's size: the colours behind a text are the same, and a quarter of the work."""
LEAST = 28
LARGE = 48
"""Half of it is large still where the stream is watched at half its size."""
NORMAL_RATIO, LARGE_RATIO = 4.5, 3.0
TEXT_GONE = ".stage *, .stage *::before, .stage *::after { color: transparent !important }"
_WITH_STYLE = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}"""
_WITHOUT_IT = "() => { document.adoptedStyleSheets.pop(); }"
Colour = tuple[float, float, float]
Matrix = tuple[Colour, Colour, Colour]
EYES: dict[str, Matrix] = {
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Machado, Oliveira and Fernandes 2009, on linear light, for eyes that lack one kind of cone wholly."""


Written = list[dict[str, Any]]
Read = Callable[[str], Written]


@pytest.fixture(scope="module")
def read(still_screen: Screen) -> Read:
    """What is written in a scene, each with what is behind it; every scene is looked at once."""
    still_screen.page.set_viewport_size({"width": HALF[0], "height": HALF[1]})
    return cache(lambda scene: written(still_screen, scene))


@pytest.fixture(scope="module")
def read_plain(shows: ShowServer, browser: Browser) -> Read:
    """The same in the plain theme with the classic deck."""
    screen = Screen(shows, browser, "plain", "motion=off&still&theme=plain&deck=2", width=HALF[0], height=HALF[1])
    return lambda scene: written(screen, scene)


@pytest.mark.parametrize("scene", SCENES)
def test_everything_written_stands_out_from_what_is_behind_it(scene: str, read: Read) -> None:
    assert not faint(read(scene))


@pytest.mark.parametrize("scene", ["betting", "everyone_all_in", "winner", "captured", "standings", "champion"])
def test_in_the_plain_theme_too(scene: str, read_plain: Read) -> None:
    assert not faint(read_plain(scene))


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_written_is_small_or_outside_the_safe_area_or_on_other_text(scene: str, read: Read) -> None:
    found = read(scene)
    assert not [each["text"] for each in found if each["size"] < LEAST]
    assert not [each["text"] for each in found if not safe(each["box"])]
    assert not [(one["text"], other["text"]) for one, other in combinations(found, 2) if overlap(one, other)]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("scene", ["winner", "everyone_all_in", "showdown"])
def test_words_are_read_without_colours(scene: str, eyes: str, read: Read) -> None:
    assert not faint(read(scene), EYES[eyes], least=LARGE_RATIO)


@pytest.mark.parametrize("deck", ["2", "4"])
def test_suits_differ_in_their_shapes(deck: str, open_screen: OpenScreen) -> None:
    screen = open_screen(f"motion=off&still&deck={deck}", width=1920, height=1080)
    screen.show(SCENES["dealt"]())
    shapes = {}
    for suit in "cdhs":
        with painted(screen.page):
            png = screen.page.locator(f".card[data-suit={suit}] .card__suit").first.screenshot()
        shapes[suit] = [value < 140 for value in image_of(png).convert("L").resize((48, 48)).tobytes()]
    for one, other in combinations(shapes, 2):
        both = sum(a and b for a, b in zip(shapes[one], shapes[other], strict=True))
        either = sum(a or b for a, b in zip(shapes[one], shapes[other], strict=True))
        assert both / either < 0.86, (one, other)


def test_winner_and_all_in_are_shown_by_words_and_marks(still: Screen) -> None:
    still.show(SCENES["winner"]())
    assert still.page.locator(".poster__star:visible").count() == 1
    assert still.page.inner_text(".seat[data-state=winner] .seat__won").startswith("+")
    still.show(SCENES["everyone_all_in"]())
    all_in = sum(seat["all_in"] for seat in still.state()["seats"])
    assert still.page.locator(".stamp[data-stamp=allin]:visible").count() == all_in > 1


def written(screen: Screen, scene: str) -> Written:
    """What stands on a page that shows a scene, each with the pixels `behind` it once no text is painted."""
    screen.tidy()
    screen.show(SCENES[scene]())
    assert not screen.complaints
    screen.page.evaluate(READINGS)
    found: Written = screen.page.evaluate("() => window.readings()")
    assert found
    screen.page.evaluate(_WITH_STYLE, TEXT_GONE)
    ground = image_of(screen.picture())
    screen.page.evaluate(_WITHOUT_IT)
    return [{**each, "behind": behind(each["box"], ground)} for each in found]


def behind(box: Sequence[float], ground: Image.Image) -> Floats:
    """The colours of some pixels of the ground that a text stands on."""
    scale = ground.width / STAGE_WIDTH
    left, top, right, bottom = (side * scale for side in box)
    inset_x, inset_y = (right - left) * 0.15, (bottom - top) * 0.25
    inner = (int(left + inset_x), int(top + inset_y), int(right - inset_x) + 1, int(bottom - inset_y) + 1)
    return colours(ground.crop(inner).resize((16, 8), Image.Resampling.NEAREST))


def faint(found: Written, eyes: Matrix | None = None, least: float = NORMAL_RATIO) -> list[str]:
    """What has too little contrast to its ground."""
    weak = []
    for each in found:
        wanted = LARGE_RATIO if each["size"] >= LARGE else least
        ratio = worst(each, eyes)
        if not each["exempt"] and ratio < wanted:
            weak.append(f"{each['of']}: {each['text'][:30]}: {ratio:.1f}")
    return weak


def worst(reading: dict[str, Any], eyes: Matrix | None) -> float:
    """The contrast of a text where its ground suits it least; a twentieth of the ground is not minded."""
    ink = [float(part) for part in reading["colour"].removeprefix("rgb(").removesuffix(")").split(",")]
    ground = reading["behind"]
    mixed = np.array(ink) * reading["opacity"] + ground * (1 - reading["opacity"])
    ratios = np.sort(contrast(luminance(mixed, eyes), luminance(ground, eyes)))
    return float(ratios[len(ratios) // 20])


def safe(box: Sequence[float]) -> bool:
    """Whether a text keeps within the graphics-safe area; so it is clear of a player's bar, too."""
    left, top, right, bottom = box
    return left >= 93 and right <= 1827 and (top + bottom) / 2 >= 54 and (top + bottom) / 2 <= 1026


def overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether letters lie on letters. Stamps and speech are meant to lie across posters."""
    if one["above"] or other["above"]:
        return False
    (left, top, right, bottom), (left2, top2, right2, bottom2) = inked(one), inked(other)
    return left < right2 - 2 and left2 < right - 2 and top < bottom2 - 2 and top2 < bottom - 2


def inked(reading: dict[str, Any]) -> tuple[float, float, float, float]:
    """The letters in a line: its middle, as high as capitals are."""
    left, top, right, bottom = reading["box"]
    middle, half = (top + bottom) / 2, min(bottom - top, reading["size"] * 0.7) / 2
    return left, middle - half, right, middle + half
