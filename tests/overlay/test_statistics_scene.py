"""The statistics of the evening fit any number of bots with any names and amounts, and leave out unknown values."""

from itertools import combinations

import pytest

from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.facts import BotStatistics, Notice, Taken
from tests.overlay.support.scenes import WIDE_NAMES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.test_scenes import FITTING, measure

AWARDS = ("Luckiest", "Most earned", "Biggest bluff", "Best call", "Most talkative", "Unluckiest", "Fastest")


@pytest.fixture(params=["wide", "tall"])
def page(request: pytest.FixtureRequest, still: Screen, tall: Screen) -> Screen:
    """The shared page of each shape."""
    return {"wide": still, "tall": tall}[request.param]


def close_evening(names: tuple[str, ...], chips: int, *, known: bool = True, ranges: bool = True) -> Script:
    """A show up to the end of an evening in which each bot took `chips` from every bot after it."""
    bots = range(1, len(names) + 1)
    table = tuple(Taken(by, of, chips) for by, of in combinations(bots, 2))
    rows = []
    for bot in bots:
        won = chips * (len(names) + 1 - 2 * bot)
        low, high = (won - 2 * chips, won + 2 * chips) if ranges and known else (None, None)
        earned = won // 2 if known else None
        rows.append(BotStatistics(bot, hands=90, won=won, luck=won - won // 2, earned=earned, low=low, high=high))
    awards = tuple(
        Notice(title, 1 + at % len(names), "9,123,456 won with a pair of queens") for at, title in enumerate(AWARDS)
    )
    script = Script(names, stack=5000).connect().stage(games=1, advance=0)
    return script.tell(StatisticsChanged(tuple(rows), (), 114, table, awards, closing=True))


@pytest.mark.parametrize(("count", "chips"), [(2, 3), (30, 3), (3, 123_456), (30, 123_456)])
def test_table_fits_any_number_of_bots(count: int, chips: int, page: Screen) -> None:
    page.show(close_evening((WIDE_NAMES * 5)[:count] if chips == 3 else (NAMES * 3)[:count], chips))
    assert measure(page) == FITTING
    assert page.page.locator(".tallied").count() == min(count, 12)


def test_cells_show_chips_taken_and_lost(page: Screen) -> None:
    page.show(close_evening(NAMES[:3], 4_200))
    rows = [row.locator(".tallied__cell").all_inner_texts() for row in page.page.locator(".tallied").all()]
    minus = "\N{MINUS SIGN}"
    wide = [["", "+420", "+420"], [f"{minus}420", "", "+420"], [f"{minus}420", f"{minus}420", ""]]
    assert rows == (wide if page.page.locator(".tally__faces .tally__photo").count() else [[], [], []])
    assert page.page.locator(".tallied__amount--net").all_inner_texts() == ["+8,400", "0", f"{minus}8,400"]
    assert page.page.locator(".tallied__amount--earned").all_inner_texts() == ["+4,200", "0", f"{minus}4,200"]
    assert page.page.locator(".tallied__range").count() == 3


def test_unknown_range_and_unknown_luck_are_not_drawn(page: Screen) -> None:
    page.show(close_evening(NAMES[:4], 4_200, ranges=False))
    assert page.page.locator(".tallied__range").count() == 0
    assert page.page.locator(".tallied__bar--luck").count() == 4
    assert "95%" not in page.page.inner_text(".tally__key")
    page.show(close_evening(NAMES[:4], 4_200, known=False))
    assert page.page.locator(".tallied__bar--luck, .tallied__amount--luck").count() == 0
    assert not page.page.locator(".tally__head--luck").is_visible()
    assert measure(page) == FITTING
