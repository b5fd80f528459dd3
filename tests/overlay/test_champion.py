"""The champion scene fits any number of players and names of any length, and shows the prizes of the players."""

import pytest
from playwright.sync_api import expect

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import Entrant, Placing, TournamentEnded, TournamentOpened
from server.game.prizes import place_all
from tests.overlay.support.scenes import WIDE_NAMES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, PRIZES, Script
from tests.overlay.test_scenes import FITTING, measure

LARGE = (123456789, 12345650, 8400000, 999999, 500)


def crown_in_order(names: tuple[str, ...], prizes: tuple[int, ...], players: tuple[str, ...] = ()) -> Script:
    """A tournament up to its end, in which bots finish in the order of their numbers."""
    script = Script(names)
    owners = players or tuple(f"Player {bot}" for bot in range(1, len(names) + 1))
    bots = range(1, len(names) + 1)
    opening = script.entries.pop(0).event
    assert isinstance(opening, TournamentOpened)
    entrants = tuple(
        Entrant(each.bot, each.name, owner, each.avatar) for each, owner in zip(opening.entrants, owners, strict=True)
    )
    script.tell(TournamentOpened("quick-draw", "Quick Draw Circuit", QUICK_DRAW, 5000, entrants, "c0ffee", prizes))
    stacks = dict(zip(bots, (21000, 9000, *(0,) * len(names)), strict=False))
    script.connect().stage().final(bots[:6])
    placings: tuple[Placing, ...] = place_all(bots, stacks, dict(zip(bots, owners, strict=True)), prizes)
    return script.tell(TournamentEnded(placings, "5eed"))


@pytest.mark.parametrize(
    ("names", "prizes"), [(NAMES, LARGE), (WIDE_NAMES, LARGE), (NAMES[:2], LARGE), (NAMES[:1], LARGE), (NAMES[:1], ())]
)
def test_everybody_on_the_podium_fits(names: tuple[str, ...], prizes: tuple[int, ...], still: Screen) -> None:
    still.show(crown_in_order(names, prizes))
    assert measure(still) == FITTING


@pytest.mark.parametrize("count", [7, 30])
def test_last_place_is_listed_for_any_number_of_bots(count: int, still: Screen, tall: Screen) -> None:
    for screen in (still, tall):
        screen.show(crown_in_order((WIDE_NAMES * 5)[:count], PRIZES))
        places = screen.page.locator(".step__place, .listed__place").all_inner_texts()
        assert len(places) == min(count, 13)
        assert {"1st", f"{count}th"} <= set(places)
        assert measure(screen) == FITTING


def test_second_bot_of_a_player_says_why_it_is_not_paid_and_chips_are_shown_if_nobody_is(still: Screen) -> None:
    still.show(crown_in_order(NAMES[:6], PRIZES, ("Ada", "Ada", "Bob", "Cy", "Bob", "Di")))
    steps = still.page.locator(".step").all_inner_texts()
    assert [" ".join(step.split()) for step in steps] == ["1st $215 to Ada", "2nd paid as 1st", "3rd $126 to Bob"]
    listed = [" ".join(text.split()) for text in still.page.locator(".listed__prize").all_inner_texts()]
    assert listed == ["$84", "paid as 3rd", "$5"]
    still.show(crown_in_order(NAMES[:3], ()))
    assert "21,000" in still.page.inner_text(".step[data-step='1']")
    assert "prize" not in still.page.inner_text(".champion__steps")


def test_winner_that_is_gone_says_since_when(still: Screen) -> None:
    script = Script().connect().stage("High Noon", games=1, advance=0).game().hand("fold fold fold fold fold").lose(2)
    still.show(script.crown([2, 1, 3], [20000, 5000, 0]))
    expect(still.page.locator('.step[data-step="1"] .step__player')).to_have_text("to Player 2, gone since hand 1")
