"""Colours never carry meaning alone: shapes and words say it, too. Words appear at once, and only where they matter."""

from itertools import combinations

from broadcast.on_air.events import CaptionSpoken
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.compare_pictures import opened as image_of
from tests.overlay.support.scenes import SCENES, TRIALS
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script

_ANIMATION = "() => getComputedStyle(document.querySelector('.third__caption .line')).animationName"


def test_suits_differ_in_their_shapes(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still&deck=2", width=1920, height=1080)
    screen.show(SCENES["dealt"]())
    shapes = {}
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


def test_stakes_of_a_stage_are_shown_in_the_first_and_last_hand_of_a_game_only(still: Screen) -> None:
    script = Script().connect().stage().game(TRIALS, hands=3)
    shown = []
    for _ in range(3):
        still.show(script.hand("call"))
        shown.append("ride on" in still.page.locator(".third__stakes").inner_text())
    assert shown == [True, False, True]


def test_caption_appears_at_once(open_screen: OpenScreen) -> None:
    screen = open_screen()
    screen.show(Script().connect().stage().tell(CaptionSpoken("Doc calls 350.")))
    assert screen.page.evaluate(_ANIMATION) == "none"


def test_poster_says_chips_beside_a_stack_of_six_digits(still: Screen) -> None:
    still.show(Script(stack=251_750).connect().stage().game(TRIALS).hand())
    assert [label.is_visible() for label in still.page.locator(".poster__label").all()] == [True] * len(TRIALS)
