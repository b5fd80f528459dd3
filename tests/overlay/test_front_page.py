"""The front page shows spectators what is on air, the standings, and the best hands."""

import pytest
from playwright.sync_api import expect

from broadcast.on_air.events import OnAirEntry
from server.game.events import ControlSet
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES, TRIALS
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script

_ROWS = """() => [...document.querySelectorAll("#rows > li")].map((row) => row.className === "cut" ? "line"
  : [row.querySelector(".standing__name").textContent, row.querySelector(".standing__worth").textContent])"""


@pytest.fixture
def front(open_screen: OpenScreen) -> Screen:
    return open_screen("motion=off&still", page="", width=1440, height=900)


def test_front_page_shows_what_is_on_air_and_whether_it_is_paused(front: Screen) -> None:
    front.show(Script().connect().stage().game(TRIALS).hand("call raise:300"))
    read = front.page.inner_text
    assert [read("#live"), read("#on"), read("#caption")] == ["LIVE", "The Trials", front.state()["caption"]]
    assert read("#where").startswith("Game 1 of up to 15 · Hand 1 of 6 · Blinds")
    assert front.state() == front.studio_state()
    assert front.page.locator("#picture .seat").count() == len(TRIALS)
    lines = front.page.locator("#next .schedule__item")
    schedule = ((0, "Now"), (0, "The Trials, game 1 of 15"), (1, "The Trials, game 2 of 15"), (-1, "The next stage"))
    for line, words_in_line in schedule:
        expect(lines.nth(line)).to_contain_text(words_in_line)
    for paused, state_text in ((True, "Paused"), (False, "Live")):
        front.put([OnAirEntry(0, front.air.at_ms, 0, ControlSet("paused", paused, not paused))])
        expect(front.page.locator("#live")).to_have_text(state_text)


def test_stage_of_deals_is_ranked_by_chips_per_deal_and_nobody_is_out(front: Screen) -> None:
    front.show(SCENES["certainty_early"]())
    standings = front.page.evaluate(_ROWS)
    assert standings[0] == ["Billy the Kid", "+4,950"]
    assert standings[-1] == ["Doc Holobyte", "\N{MINUS SIGN}4,950"], "in a contest of deals, no bot may be shown as out"
    assert front.page.inner_text("#where") == "Deal 1 of up to 60", "the page must say deal 1 until deal 2 has a hand"
    expect(front.page.locator("#next .schedule__item").first).to_contain_text("The Final, deal 2 of 60")


def test_places_are_listed_for_eliminated_bots_and_finally_for_all(front: Screen) -> None:
    front.show(SCENES["captured"]())
    loser = next(bot for bot in front.state()["bots"].values() if bot["place"] == 12)
    assert front.page.evaluate(_ROWS)[-1] == [loser["name"], "12th"]
    front.show(SCENES["champion"]())
    assert front.page.inner_text("#live") == "OVER"
    rows = front.page.evaluate(_ROWS)
    assert [row[1] for row in rows[:3]] == ["1st", "2nd", "3rd"]
    assert "line" not in rows


def test_best_hands_say_what_happened_and_link_to_it(front: Screen) -> None:
    front.show(SCENES["captured"]())
    link = front.page.locator(".best__told").first
    expect(link).to_be_visible()
    mark = front.state()["marks"][-1]
    address = link.get_attribute("href") or ""
    number = int(address.rpartition("hand=")[2])
    index = front.page.request.get(f"{front.server.address}/live/{front.air.channel}/index.json").json()
    hand = index["outline"]["hands"][number]
    assert (hand["game"], hand["hand"]) == (mark["game"], mark["hand"])
    assert f"{hand['pot']:,}" in link.inner_text()
    front.page.goto(f"{front.server.address}{address}&debug")
    front.page.wait_for_function("() => document.body?.dataset.ready === 'yes'")
    assert front.state()["hand"]["hand"] == mark["hand"]
