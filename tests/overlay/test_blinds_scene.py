"""Higher blinds have a scene, with room for every bot's stack in big blinds; then the hand continues by itself."""

import pytest

from broadcast.on_air.scenes import SCENES
from server.game.events import BlindPosted, HandStarted
from tests.overlay.support.scenes import WIDE_NAMES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script, folded
from tests.overlay.test_scenes import FITTING, measure

STACKS = (14_250, 1_150, 6_020, 2_200, 11_900, 480, 3_000, 5_000, 5_000, 123_456, 900, 7_777)


def blinds_up(names: tuple[str, ...] = NAMES[:6]) -> Script:
    """A game whose second hand has higher blinds than the first."""
    seats, stacks = tuple(range(1, len(names) + 1)), STACKS[: len(names)]
    script = Script(names, speed=1).connect().stage(games=1, advance=0).game(seats, stacks).hand("fold")
    return script.tell(HandStarted(2, 1, 100, 200, 25, stacks, ""))


@pytest.mark.parametrize("names", [NAMES[:2], WIDE_NAMES[:6]])
def test_every_bot_fits_with_its_stack_in_big_blinds(names: tuple[str, ...], still: Screen, tall: Screen) -> None:
    for page in (still, tall):
        page.show(blinds_up(names))
        assert measure(page) == FITTING
        assert page.page.locator(".scene--blinds .row").count() == len(names)


def test_higher_blinds_are_shown_until_the_next_event_of_the_hand(still: Screen) -> None:
    script = blinds_up()
    still.show(script)
    assert still.page.locator(".blinds__amounts").inner_text() == "100 / 200"
    worth = still.page.locator(".scene--blinds .row__stack").all_inner_texts()
    assert worth == ["71 BB", "59 BB", "30 BB", "11 BB", "5.7 BB", "2.4 BB"]
    assert script.entries[-1].hold_ms == SCENES["blinds"].hold_ms
    assert folded(script.entries).caption == "The blinds go up to 100 and 200, and the ante is 25."
    script.tell(BlindPosted(1, "small", 100, all_in=False))
    assert folded(script.entries).scene == "table"


@pytest.mark.parametrize(("hand", "big"), [(2, 100), (1, 200)])
def test_equal_blinds_and_blinds_of_another_game_do_not_interrupt_the_table(hand: int, big: int) -> None:
    script = Script(NAMES[:2]).connect().stage(games=2, advance=0).game((1, 2), (5000, 5000)).hand("fold")
    script.tell(HandStarted(hand, 0, big // 2, big, 0, (5000, 5000), ""))
    assert folded(script.entries).scene == "table"
