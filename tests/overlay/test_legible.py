"""What is told by colours is told by shapes and words, too."""

from itertools import combinations

from tests.overlay.conftest import OpenScreen
from tests.overlay.support.compare_pictures import opened as image_of
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.support.browsers import painted


def test_suits_differ_in_their_shapes(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still&deck=2", width=1920, height=1080)
    screen.show(SCENES["dealt"]())
    shapes = {}
    with painted(screen.page):
        for suit in "cdhs":
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
